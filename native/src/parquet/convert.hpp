// Stored values to column values, for every Conversion.
#pragma once
#include <cstdint>

#include "parquet/encoding.hpp"
#include "parquet/leaf_type.hpp"

namespace quern::parquet {

// `count` stored values of leaf.stored_width bytes, back to back, into the column's form. Not for views and booleans.
// Throws corrupt_file when a value does not fit its type.
void convert(const LeafType& leaf, const uint8_t* stored, int64_t count, void* out);

// One value of variable length (decimals in BYTE_ARRAY).
void convert_bytes(const LeafType& leaf, Bytes value, void* out);

// Masks that keep the first `length` of 12 bytes, as 8 + 4.
struct InlineMask {
  uint64_t first;
  uint32_t second;
};
inline constexpr InlineMask inline_masks[13] = {
    {0, 0},
    {0xFF, 0},
    {0xFFFF, 0},
    {0xFFFFFF, 0},
    {0xFFFFFFFF, 0},
    {0xFFFFFFFFFF, 0},
    {0xFFFFFFFFFFFF, 0},
    {0xFFFFFFFFFFFFFF, 0},
    {0xFFFFFFFFFFFFFFFF, 0},
    {0xFFFFFFFFFFFFFFFF, 0xFF},
    {0xFFFFFFFFFFFFFFFF, 0xFFFF},
    {0xFFFFFFFFFFFFFFFF, 0xFFFFFF},
    {0xFFFFFFFFFFFFFFFF, 0xFFFFFFFF},
};

// A view of `length` bytes at `data`, of which `readable` (>= length) may be read. Adds to `high` a nonzero bit when a
// short text has a byte beyond ASCII (long ones are not looked at).
inline StringView view_of(const uint8_t* data, uint32_t length, size_t readable, uint64_t& high) {
  StringView view;
  if (length > 12) {
    view.length = length;
    __builtin_memcpy(view.prefix, data, 4);
    view.pointer = reinterpret_cast<const char*>(data);
    return view;
  }
  uint64_t first = 0;
  uint32_t second = 0;
  if (readable >= 12) {
    __builtin_memcpy(&first, data, 8);
    __builtin_memcpy(&second, data + 8, 4);
    first &= inline_masks[length].first;
    second &= inline_masks[length].second;
  } else {
    uint8_t copy[12] = {};
    for (uint32_t i = 0; i < length; ++i) copy[i] = data[i];
    __builtin_memcpy(&first, copy, 8);
    __builtin_memcpy(&second, copy + 8, 4);
  }
  high |= (first | second) & 0x8080808080808080ULL;
  view.length = length;
  __builtin_memcpy(view.prefix, &first, 4);
  first >>= 32;
  __builtin_memcpy(view.rest, &first, 4);
  __builtin_memcpy(view.rest + 4, &second, 4);
  return view;
}

}  // namespace quern::parquet
