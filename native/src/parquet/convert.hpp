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

// A view of `length` bytes at `data`, of which `readable` (>= length) may be read.
inline StringView view_of(const uint8_t* data, uint32_t length, size_t readable) {
  StringView view;
  if (length > 12) {
    view.length = length;
    __builtin_memcpy(view.prefix, data, 4);
    view.pointer = reinterpret_cast<const char*>(data);
    return view;
  }
  if (readable < 12) return make_string_view(reinterpret_cast<const char*>(data), length);
  uint64_t first = 0;
  uint32_t second = 0;
  __builtin_memcpy(&first, data, 8);
  __builtin_memcpy(&second, data + 8, 4);
  // Bytes past the text are zero.
  if (length < 8) {
    first &= (1ULL << (8 * length)) - 1;
    second = 0;
  } else {
    second &= length == 12 ? ~0U : (1U << (8 * (length - 8))) - 1;
  }
  view.length = length;
  __builtin_memcpy(view.prefix, &first, 4);
  first >>= 32;
  __builtin_memcpy(view.rest, &first, 4);
  __builtin_memcpy(view.rest + 4, &second, 4);
  return view;
}

}  // namespace quern::parquet
