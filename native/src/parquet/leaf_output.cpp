#include "parquet/leaf_output.hpp"

#include <algorithm>
#include <cstring>

namespace quern::parquet {

namespace {

// Room that is made before anything is decoded; more grows by doubling.
constexpr int64_t most_bytes_ahead = 64 << 20;

// Moves `set` values from the end of `count` slots to the slots that are valid; the others become zero. In place: the
// reading end never falls behind the writing end.
template <typename T>
void spread(uint8_t* slots, const uint8_t* valid, int64_t count, int64_t set) {
  constexpr uint64_t all_valid = 0x0101010101010101ULL;
  auto* out = reinterpret_cast<T*>(slots);
  const T* in = out + (count - set);
  const T* end = out + count;
  int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    uint64_t word = 0;
    std::memcpy(&word, valid + i, 8);
    if (word == all_valid) {
      std::memmove(out + i, in, 8 * sizeof(T));
      in += 8;
    } else if (word == 0) {
      std::memset(static_cast<void*>(out + i), 0, 8 * sizeof(T));
    } else {
      for (int64_t j = i; j < i + 8; ++j) {
        T value = *(in < end ? in : end - 1);
        out[j] = valid[j] ? value : T{};
        in += valid[j];
      }
    }
  }
  for (; i < count; ++i) {
    // The last value is read again where no value is left.
    T value = *(in < end ? in : end - 1);
    out[i] = valid[i] ? value : T{};
    in += valid[i];
  }
}

struct Wide {
  uint64_t first, second;
};

void spread_by_width(int32_t width, uint8_t* slots, const uint8_t* valid, int64_t count, int64_t set) {
  switch (width) {
    case 1:
      return spread<uint8_t>(slots, valid, count, set);
    case 2:
      return spread<uint16_t>(slots, valid, count, set);
    case 4:
      return spread<uint32_t>(slots, valid, count, set);
    case 8:
      return spread<uint64_t>(slots, valid, count, set);
    default:
      return spread<Wide>(slots, valid, count, set);
  }
}

}  // namespace

LeafOutput::LeafOutput(Memory& memory, const LeafType& leaf, int64_t expected, bool allow_dictionary)
    : memory_(memory),
      leaf_(leaf),
      expected_(expected),
      allow_dictionary_(allow_dictionary),
      data_(memory),
      validity_(memory) {}

uint8_t* LeafOutput::room(int64_t slots) {
  return data_.reserve(static_cast<size_t>(slots) * static_cast<size_t>(width_));
}

void LeafOutput::set_mode(Mode mode) {
  mode_ = mode;
  width_ = mode == Mode::codes ? 4 : width(*leaf_.type);
  int64_t ahead = std::min(expected_, most_bytes_ahead / width_);
  uint8_t* data = room(std::max(slots_, ahead));
  std::memset(data, 0, static_cast<size_t>(slots_) * static_cast<size_t>(width_));
}

void LeafOutput::prepare(const PageValues& values) {
  bool codes =
      allow_dictionary_ && values.is_dictionary() && (mode_ == Mode::none || dictionary_ == values.dictionary());
  if (mode_ == Mode::none) set_mode(codes ? Mode::codes : Mode::values);
  if (mode_ == Mode::codes && !codes) {
    // A later page is not in dictionary form: the codes so far become values.
    GrowingBuffer codes_data = std::move(data_);
    data_ = GrowingBuffer(memory_);
    int64_t done = slots_;
    set_mode(Mode::values);
    auto* views = reinterpret_cast<StringView*>(data_.data());
    const auto* from = reinterpret_cast<const uint32_t*>(codes_data.data());
    const uint64_t* valid = validity_.words();
    const auto* entries = dictionary_->values->values<StringView>();
    for (int64_t i = 0; i < done; ++i) {
      if (valid == nullptr || bit_at(valid, i)) views[i] = entries[from[i]];
    }
    owners_.push_back(dictionary_->values);
  }
  if (mode_ == Mode::codes) {
    dictionary_ = values.dictionary();
  } else if (leaf_.conversion == Conversion::view) {
    Owner owner = values.is_dictionary() ? Owner(values.dictionary()) : values.owner();
    if (owner && (owners_.empty() || owners_.back() != owner)) owners_.push_back(std::move(owner));
  }
}

void LeafOutput::decode(PageValues& values, int64_t count, uint8_t* at) {
  if (mode_ == Mode::codes)
    values.read_codes(count, reinterpret_cast<uint32_t*>(at));
  else
    values.read(count, at);
}

void LeafOutput::add_nulls(int64_t count) {
  if (mode_ != Mode::none) {
    std::memset(room(slots_ + count) + slots_ * width_, 0, static_cast<size_t>(count) * static_cast<size_t>(width_));
  }
  validity_.append_run(false, count);
  slots_ += count;
}

void LeafOutput::add_values(PageValues& values, int64_t count) {
  if (count == 0) return;
  prepare(values);
  decode(values, count, room(slots_ + count) + slots_ * width_);
  validity_.append_run(true, count);
  slots_ += count;
}

void LeafOutput::add(PageValues& values, const uint8_t* valid, int64_t count, int64_t set) {
  if (set == count) return add_values(values, count);
  if (set == 0) return add_nulls(count);
  prepare(values);
  uint8_t* at = room(slots_ + count) + slots_ * width_;
  decode(values, set, at + (count - set) * width_);
  spread_by_width(width_, at, valid, count, set);
  validity_.append(valid, count, set);
  slots_ += count;
}

ColumnPtr LeafOutput::finish() {
  if (mode_ == Mode::none) set_mode(Mode::values);
  auto column = std::make_shared<Column>();
  column->type = leaf_.type;
  column->length = slots_;
  column->data = data_.data();
  if (data_.buffer()) column->owners.push_back(data_.buffer());
  column->null_count = validity_.null_count();
  if (column->null_count > 0) {
    column->validity = validity_.words();
    column->owners.push_back(validity_.buffer());
  }
  if (mode_ == Mode::codes) {
    column->form = Form::dictionary;
    column->children.push_back(dictionary_->values);
  }
  column->owners.insert(column->owners.end(), owners_.begin(), owners_.end());
  return column;
}

}  // namespace quern::parquet
