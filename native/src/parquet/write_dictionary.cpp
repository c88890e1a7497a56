#include "parquet/write_dictionary.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "parquet/encoding.hpp"

namespace quern::parquet {

namespace {

// Larger dictionaries lose more in the caches of readers than they save.
constexpr size_t most_bytes = 1 << 20;
// After so many values it is asked whether the dictionary will pay.
constexpr int64_t trial_values = 8192;

// Distinct ones that `values` values will have where the first `trial` of them had `found`, if all are drawn from one
// set alike: a set of d gives d (1 - exp(-n / d)) distinct ones in n draws.
double expected_distinct(double trial, double found, double values) {
  const auto drawn = [](double set, double draws) { return -set * std::expm1(-draws / set); };
  double least = found, most = 1e12;
  if (drawn(most, trial) <= found) return values;
  for (int i = 0; i < 60; ++i) {
    const double middle = std::sqrt(least * most);
    (drawn(middle, trial) < found ? least : most) = middle;
  }
  return std::min(values, drawn(most, values));
}

// Whether a dictionary with `out`'s entries after `trial_values` of `values` is likely to be smaller than `bytes`.
bool is_promising(const EncodedDictionary& out, int64_t values, int64_t bytes) {
  const double entries = expected_distinct(static_cast<double>(trial_values), out.entries, static_cast<double>(values));
  const double entry_bytes = static_cast<double>(out.values.size()) / out.entries;
  if (entries * entry_bytes > static_cast<double>(most_bytes)) return false;
  const double packed = static_cast<double>(values) * bits_for(static_cast<uint32_t>(entries)) / 8;
  return entries * entry_bytes + packed < static_cast<double>(bytes);
}

uint64_t mix(uint64_t value) {
  value *= 0x9E3779B97F4A7C15ULL;
  return value ^ (value >> 32);
}

struct Key {
  const uint8_t* bytes;
  size_t length;
};

// Open addressing over entry numbers; entries stand one after another in `values`.
class Table {
 public:
  Table(Memory& memory, EncodedDictionary& out, int32_t width) : slots_memory_(memory), out_(out), width_(width) {
    grow(1024);
  }

  // Gives the value's code; entries may be added without bound: the caller watches the size.
  template <int Width>
  uint32_t find_or_add(const uint8_t* value, size_t length) {
    const uint64_t hash = hash_of<Width>(value, length);
    for (uint64_t slot = hash & mask_;; slot = (slot + 1) & mask_) {
      if (slots_[slot] == 0) return add(value, length, slot);
      const uint32_t entry = slots_[slot] - 1;
      if (equals<Width>(entry, value, length)) return entry;
    }
  }

 private:
  template <int Width>
  static uint64_t hash_of(const uint8_t* value, size_t length) {
    if constexpr (Width == 4) {
      uint32_t bits;
      std::memcpy(&bits, value, 4);
      return mix(bits);
    } else if constexpr (Width == 8) {
      uint64_t bits;
      std::memcpy(&bits, value, 8);
      return mix(bits);
    } else {
      if (length > 16) return xxhash64(value, length);
      uint64_t low = 0, high = 0;
      if (length >= 8) {
        std::memcpy(&low, value, 8);
        std::memcpy(&high, value + length - 8, 8);
      } else {
        std::memcpy(&low, value, length);
      }
      return mix(low ^ mix(high + length));
    }
  }

  template <int Width>
  bool equals(uint32_t entry, const uint8_t* value, size_t length) const {
    if constexpr (Width > 0) {
      return std::memcmp(out_.values.data() + static_cast<size_t>(entry) * Width, value, Width) == 0;
    } else if (width_ > 0) {
      return std::memcmp(out_.values.data() + static_cast<size_t>(entry) * length, value, length) == 0;
    } else {
      const uint8_t* known = out_.values.data() + offsets_[entry];
      uint32_t known_length;
      std::memcpy(&known_length, known, 4);
      return known_length == length && std::memcmp(known + 4, value, length) == 0;
    }
  }

  uint32_t add(const uint8_t* value, size_t length, uint64_t slot) {
    const uint32_t entry = out_.entries++;
    if (width_ == 0) {
      offsets_.push_back(out_.values.size());
      const auto prefix = static_cast<uint32_t>(length);
      out_.values.append(&prefix, 4);
    }
    out_.values.append(value, length);
    slots_[slot] = entry + 1;
    if (out_.entries * 2 > mask_) grow((mask_ + 1) * 4);
    return entry;
  }

  void grow(uint64_t capacity) {
    buffer_ = slots_memory_.allocate_zeroed(capacity * 4);
    slots_ = buffer_->as<uint32_t>();
    mask_ = capacity - 1;
    size_t offset = 0;
    for (uint32_t entry = 0; entry < out_.entries; ++entry) {
      const uint8_t* value = out_.values.data() + offset;
      size_t length = static_cast<size_t>(width_);
      if (width_ == 0) {
        uint32_t prefix;
        std::memcpy(&prefix, value, 4);
        length = prefix;
        value += 4;
        offset += 4;
      }
      offset += length;
      const uint64_t hash = width_ == 4   ? hash_of<4>(value, length)
                            : width_ == 8 ? hash_of<8>(value, length)
                                          : hash_of<0>(value, length);
      uint64_t slot = hash & mask_;
      while (slots_[slot] != 0) slot = (slot + 1) & mask_;
      slots_[slot] = entry + 1;
    }
  }

  Memory& slots_memory_;
  EncodedDictionary& out_;
  int32_t width_;
  std::vector<size_t> offsets_;
  BufferPtr buffer_;
  uint32_t* slots_ = nullptr;
  uint64_t mask_ = 0;
};

template <int Width>
bool fill(Memory& memory, EncodedDictionary& out, int32_t width, std::span<const LeafPiece* const> pieces,
          int64_t values, int64_t bytes) {
  Table table(memory, out, width);
  auto* codes = out.codes->as<uint32_t>();
  int64_t seen = 0;
  bool tried = false;
  for (const LeafPiece* piece : pieces) {
    if (piece->values == 0) continue;
    const uint8_t* value = piece->data->data();
    for (int64_t i = 0; i < piece->values; ++i) {
      size_t length = static_cast<size_t>(width);
      if (width == 0) {
        uint32_t prefix;
        std::memcpy(&prefix, value, 4);
        length = prefix;
        value += 4;
      }
      *codes++ = table.find_or_add<Width>(value, length);
      value += length;
      if ((i & 255) == 0 && out.values.size() > most_bytes) return false;
      if (!tried && ++seen == trial_values) {
        tried = true;
        if (!is_promising(out, values, bytes)) return false;
      }
    }
  }
  return out.values.size() <= most_bytes;
}

}  // namespace

std::optional<EncodedDictionary> make_dictionary(Memory& memory, const WriteLeaf& leaf,
                                                 std::span<const LeafPiece* const> pieces) {
  if (leaf.physical == PhysicalType::boolean) return std::nullopt;
  int64_t values = 0, bytes = 0;
  for (const LeafPiece* piece : pieces) {
    values += piece->values;
    bytes += piece->data_bytes;
  }
  if (values == 0) return std::nullopt;
  EncodedDictionary out(memory);
  out.codes = memory.allocate(static_cast<size_t>(values) * 4);
  const bool fits = leaf.width == 4   ? fill<4>(memory, out, leaf.width, pieces, values, bytes)
                    : leaf.width == 8 ? fill<8>(memory, out, leaf.width, pieces, values, bytes)
                                      : fill<0>(memory, out, leaf.width, pieces, values, bytes);
  if (!fits) return std::nullopt;
  out.bit_width = std::max(1, bits_for(out.entries - 1));
  const int64_t packed = values / 8 * out.bit_width;
  if (static_cast<int64_t>(out.values.size()) + packed >= bytes) return std::nullopt;
  return out;
}

}  // namespace quern::parquet
