#include "cpu/group_key.hpp"

#include <algorithm>
#include <cstring>

#include "columnar/dispatch.hpp"
#include "cpu/serialize.hpp"
#include "ops/compare.hpp"
#include "ops/hash.hpp"

namespace quern::cpu {

namespace {

constexpr int32_t word_bytes = 8;

bool is_nested(const DataType& type) {
  const auto kind = physical(type);
  return kind == Physical::list || kind == Physical::structure;
}

template <typename T, typename Canonical>
void write_slot(const Column& column, int64_t rows, uint8_t* out, int64_t stride, Canonical canonical) {
  const T* data = column.values<T>();
  const bool all_valid = column.null_count == 0;
  switch (column.form) {
    case Form::constant: {
      const T value = all_valid ? canonical(data[0]) : T{};
      for (int64_t i = 0; i < rows; ++i) std::memcpy(out + i * stride, &value, sizeof(T));
      return;
    }
    case Form::dictionary: {
      const auto* codes = column.values<uint32_t>();
      const T* entries = column.children[0]->values<T>();
      for (int64_t i = 0; i < rows; ++i) {
        const T value = all_valid || column.is_valid(i) ? canonical(entries[codes[i]]) : T{};
        std::memcpy(out + i * stride, &value, sizeof(T));
      }
      return;
    }
    case Form::flat:
      // Null rows hold zero bytes already.
      for (int64_t i = 0; i < rows; ++i) {
        const T value = canonical(data[i]);
        std::memcpy(out + i * stride, &value, sizeof(T));
      }
  }
}

}  // namespace

KeyLayout::KeyLayout(const std::vector<TypePtr>& types, bool nulls) : nulls(nulls) {
  for (size_t i = 0; i < types.size(); ++i) {
    KeySlot slot;
    slot.type = types[i];
    slot.column = static_cast<int32_t>(i);
    slot.serialized = is_nested(*types[i]);
    slot.string = slot.serialized || physical(*types[i]) == Physical::string;
    slot.width = slot.string ? 16 : width(*types[i]);
    slots.push_back(slot);
  }
  std::stable_sort(slots.begin(), slots.end(), [](const KeySlot& a, const KeySlot& b) { return a.width > b.width; });
  int32_t offset = 0;
  for (auto& slot : slots) {
    slot.offset = offset;
    offset += slot.width;
    if (slot.string) string_words.push_back(slot.offset / word_bytes);
  }
  null_offset = offset;
  const auto null_bytes = nulls ? static_cast<int32_t>((types.size() + 7) / 8) : 0;
  words = std::max(1, (offset + null_bytes + word_bytes - 1) / word_bytes);
  for (int32_t w = 0; w < words; ++w) {
    const bool in_string = std::any_of(string_words.begin(), string_words.end(),
                                       [&](int32_t first) { return w == first || w == first + 1; });
    if (!in_string) plain_words.push_back(w);
  }
}

void KeyEncoder::encode_slot(const KeySlot& slot, const ColumnPtr& column, int64_t rows) {
  const int64_t stride = layout_.words * word_bytes;
  auto* out = reinterpret_cast<uint8_t*>(keys_.data()) + slot.offset;
  const auto same = [](const auto& value) { return value; };
  switch (slot.string ? Physical::string : physical(*slot.type)) {
    case Physical::none:
      break;
    case Physical::float32:
      write_slot<uint32_t>(*column, rows, out, stride, canonical_float32);
      break;
    case Physical::float64:
      write_slot<uint64_t>(*column, rows, out, stride, canonical_float64);
      break;
    case Physical::half:
      write_slot<uint16_t>(*column, rows, out, stride,
                           [&](uint16_t bits) { return canonical_half(bits, slot.type->kind); });
      break;
    case Physical::interval:
      write_slot<Interval>(*column, rows, out, stride, ops::normalise);
      break;
    default:
      with_width(slot.width, [&]<typename T>() { write_slot<T>(*column, rows, out, stride, same); });
  }
  const bool null_type = physical(*slot.type) == Physical::none;
  if (!layout_.nulls || (column->null_count == 0 && !null_type)) return;
  auto* nulls = reinterpret_cast<uint8_t*>(keys_.data()) + layout_.null_offset + slot.column / 8;
  const auto bit = static_cast<uint8_t>(1U << (slot.column % 8));
  const bool all_null = null_type || column->form == Form::constant;
  for (int64_t i = 0; i < rows; ++i) {
    if (all_null || !column->is_valid(i)) nulls[i * stride] |= bit;
  }
}

void KeyEncoder::hash_strings(const KeySlot& slot, const ColumnPtr& column, int64_t rows) {
  if (column->form == Form::dictionary && column->children[0]->length <= 4 * rows) {
    auto& cache = dictionaries_[static_cast<size_t>(slot.column)];
    const auto& entries = column->children[0];
    if (cache.dictionary != entries) {
      cache.dictionary = entries;
      cache.hashes.resize(static_cast<size_t>(entries->length));
      for (int64_t i = 0; i < entries->length; ++i) {
        const auto& view = entries->values<StringView>()[i];
        cache.hashes[static_cast<size_t>(i)] = hash_bytes(view.data(), view.length);
      }
    }
    static const uint64_t empty = hash_bytes("", 0);
    const auto* codes = column->values<uint32_t>();
    for (int64_t i = 0; i < rows; ++i) {
      hashes_[i] = hash_word(hashes_[i], column->is_valid(i) ? cache.hashes[codes[i]] : empty);
    }
    return;
  }
  const auto* views = reinterpret_cast<const uint8_t*>(keys_.data()) + slot.offset;
  for (int64_t i = 0; i < rows; ++i) {
    StringView view;
    std::memcpy(&view, views + i * layout_.words * word_bytes, sizeof view);
    hashes_[i] = hash_word(hashes_[i], hash_bytes(view.data(), view.length));
  }
}

namespace {

ColumnPtr serialize_column(Memory& memory, const Column& column, int64_t rows) {
  ColumnBuilder out(memory, make_type(TypeKind::binary), rows, true);
  StringHeap heap(memory);
  std::string bytes;
  for (int64_t i = 0; i < rows; ++i) {
    if (!column.is_valid(column.form == Form::constant ? 0 : i)) {
      out.set_null(i);
      continue;
    }
    bytes.clear();
    serialize(column, i, bytes);
    out.data<StringView>()[i] = heap.append(bytes.data(), bytes.size());
  }
  out.keep(heap.owners());
  return out.finish();
}

}  // namespace

// One integer key in flat form: key words and hash in one pass.
template <typename T, int64_t words>
void KeyEncoder::encode_integer(const Column& column, int64_t rows) {
  constexpr uint64_t null_word = sizeof(T) == 8 ? 1 : 1ULL << (8 * (sizeof(T) % 8));
  keys_.resize(memory_, rows * words);
  hashes_.resize(memory_, rows);
  const T* values = column.values<T>();
  if (!layout_.nulls) {
    for (int64_t i = 0; i < rows; ++i) {
      keys_[i] = values[i];
      hashes_[i] = hash_word(hash_seed, keys_[i]);
    }
    return;
  }
  for (int64_t i = 0; i < rows; ++i) {
    const bool null = column.validity != nullptr && !bit_at(column.validity, i);
    const uint64_t value = values[i];
    if constexpr (words == 2) {
      keys_[2 * i] = value;
      keys_[2 * i + 1] = null ? null_word : 0;
      hashes_[i] = hash_word(hash_word(hash_seed, value), null ? null_word : 0);
    } else {
      keys_[i] = value | (null ? null_word : 0);
      hashes_[i] = hash_word(hash_seed, keys_[i]);
    }
  }
}

bool KeyEncoder::encode_single(const std::vector<ColumnPtr>& columns, int64_t rows) {
  if (columns.size() != 1 || columns[0]->form != Form::flat) return false;
  switch (physical(*columns[0]->type)) {
    case Physical::int32:
    case Physical::uint32:
      encode_integer<uint32_t, 1>(*columns[0], rows);
      return true;
    case Physical::int64:
    case Physical::uint64:
      if (layout_.nulls)
        encode_integer<uint64_t, 2>(*columns[0], rows);
      else
        encode_integer<uint64_t, 1>(*columns[0], rows);
      return true;
    default:
      return false;
  }
}

void KeyEncoder::encode(const std::vector<ColumnPtr>& columns, int64_t rows) {
  if (encode_single(columns, rows)) return;
  const int64_t words = layout_.words;
  keys_.resize(memory_, rows * words);
  hashes_.resize(memory_, rows);
  std::fill_n(keys_.data(), rows * words, 0);
  std::fill_n(hashes_.data(), rows, hash_seed);
  dictionaries_.resize(columns.size());
  serialized_.clear();
  for (const auto& slot : layout_.slots) {
    ColumnPtr column = columns[static_cast<size_t>(slot.column)];
    if (slot.serialized) {
      column = serialize_column(memory_, *column, rows);
      serialized_.push_back(column);
    }
    encode_slot(slot, column, rows);
    if (slot.string) hash_strings(slot, column, rows);
  }
  for (const int32_t w : layout_.plain_words) {
    const uint64_t* word = keys_.data() + w;
    for (int64_t i = 0; i < rows; ++i) hashes_[i] = hash_word(hashes_[i], word[i * words]);
  }
}

bool same_key(const KeyLayout& layout, const uint64_t* a, const uint64_t* b) {
  for (const int32_t w : layout.plain_words) {
    if (a[w] != b[w]) return false;
  }
  for (const int32_t w : layout.string_words) {
    if (a[w] != b[w]) return false;  // length and prefix
    StringView left, right;
    std::memcpy(&left, a + w, sizeof left);
    std::memcpy(&right, b + w, sizeof right);
    if (left.is_inline() ? a[w + 1] != b[w + 1] : std::memcmp(left.pointer, right.pointer, left.length) != 0)
      return false;
  }
  return true;
}

namespace {

ColumnPtr decode_slot(Memory& memory, const KeyLayout& layout, const KeySlot& slot, const uint64_t* const* keys,
                      int64_t rows) {
  if (slot.type->kind == TypeKind::null) return make_null_column(slot.type, rows);
  ColumnBuilder out(memory, slot.serialized ? make_type(TypeKind::binary) : slot.type, rows);
  with_width(slot.width, [&]<typename T>() {
    T* data = out.data<T>();
    for (int64_t i = 0; i < rows; ++i)
      std::memcpy(data + i, reinterpret_cast<const uint8_t*>(keys[i]) + slot.offset, sizeof(T));
  });
  const auto bit = static_cast<uint8_t>(1U << (slot.column % 8));
  const int32_t null_byte = layout.null_offset + slot.column / 8;
  for (int64_t i = 0; i < rows; ++i) {
    if (reinterpret_cast<const uint8_t*>(keys[i])[null_byte] & bit) out.set_null(i);
  }
  if (!slot.serialized) return out.finish();
  const auto bytes = out.finish();
  std::string null_value(1, '\0');
  std::vector<StringView> values(bytes->values<StringView>(), bytes->values<StringView>() + rows);
  for (int64_t i = 0; i < rows; ++i) {
    if (!bytes->is_valid(i)) values[static_cast<size_t>(i)] = make_string_view(null_value.data(), 1);
  }
  return deserialize(memory, slot.type, values.data(), rows);
}

}  // namespace

std::vector<ColumnPtr> decode_keys(Memory& memory, const KeyLayout& layout, const std::vector<TypePtr>& types,
                                   const uint64_t* const* keys, int64_t rows) {
  std::vector<ColumnPtr> columns(types.size());
  for (const auto& slot : layout.slots)
    columns[static_cast<size_t>(slot.column)] = decode_slot(memory, layout, slot, keys, rows);
  return columns;
}

}  // namespace quern::cpu
