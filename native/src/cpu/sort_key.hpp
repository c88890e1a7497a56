// Normalised sort keys: bytes whose memcmp order is the order of the rows.
#pragma once
#include <cstring>
#include <vector>

#include "columnar/column.hpp"
#include "plan/plan.hpp"

namespace quern::cpu {

// How one key column orders: NaN greatest, -0 = 0, text by bytes, lists and structs element by element with NULL last.
struct KeyOrder {
  TypePtr type;
  bool descending = false;
  bool nulls_first = false;
  bool nullable = true;  // false: no row is NULL, and keys carry no mark of it
};

// Keys of some rows. Key of row i: `bytes` from start(i), length(i) long. No key is a prefix of another, equal ones
// apart.
struct EncodedKeys {
  BufferPtr bytes;
  BufferPtr ends;  // int64_t a row; null when every key is `width` long
  int64_t width = 0;

  const uint8_t* start(int64_t row) const {
    return bytes->data() + (ends ? (row == 0 ? 0 : ends->as<const int64_t>()[row - 1]) : row * width);
  }
  int64_t length(int64_t row) const {
    if (!ends) return width;
    const auto* end = ends->as<const int64_t>();
    return end[row] - (row == 0 ? 0 : end[row - 1]);
  }
};

// Bytes of every key when they are all of one length; 0 otherwise.
int64_t fixed_key_bytes(const std::vector<KeyOrder>& order);

// `columns`: one a key, `rows` rows from `first`.
EncodedKeys encode_keys(Memory& memory, const std::vector<KeyOrder>& order, const std::vector<ColumnPtr>& columns,
                        int64_t first, int64_t rows);

// A row to be ordered: the first 8 key bytes as a number, then the key itself.
struct SortEntry {
  uint64_t prefix;
  const uint8_t* key;
  int64_t length;
  int64_t row;  // ties keep this order
};

// The same for keys of at most 8 bytes, all of one length: the number is the key.
struct NarrowEntry {
  uint64_t key;
  int64_t row;
};

inline bool operator<(const NarrowEntry& a, const NarrowEntry& b) {
  return a.key != b.key ? a.key < b.key : a.row < b.row;
}

// Entries of all rows, numbered from `first_row`.
void make_entries(const EncodedKeys& keys, int64_t rows, int64_t first_row, SortEntry* entries);
void make_entries(const EncodedKeys& keys, int64_t rows, int64_t first_row, NarrowEntry* entries);

// The first eight bytes of the rows' keys as far as the first key column decides them, as numbers that are never
// greater than those of the keys in the bits of `mask`. False for kinds without such a prefix.
bool first_prefixes(const KeyOrder& order, const Column& column, int64_t rows, uint64_t* prefixes, uint64_t& mask);

inline uint64_t key_prefix(const uint8_t* key, int64_t length) {
  uint64_t word = 0;
  std::memcpy(&word, key, static_cast<size_t>(length < 8 ? length : 8));
  return __builtin_bswap64(word);
}

// Orders by key alone.
inline int compare_keys(const SortEntry& a, const SortEntry& b) {
  if (a.prefix != b.prefix) return a.prefix < b.prefix ? -1 : 1;
  const int64_t common = a.length < b.length ? a.length : b.length;
  return common <= 8 ? 0 : std::memcmp(a.key + 8, b.key + 8, static_cast<size_t>(common - 8));
}

inline bool operator<(const SortEntry& a, const SortEntry& b) {
  const int order = compare_keys(a, b);
  return order != 0 ? order < 0 : a.row < b.row;
}

}  // namespace quern::cpu
