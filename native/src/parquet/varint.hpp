// ULEB128 numbers inside encoded pages.
#pragma once
#include <string>

#include "common/error.hpp"
#include "parquet/encoding.hpp"

namespace quern::parquet {

// Reads a number of at most 64 bits (10 bytes) and moves `position` past it; `what` begins the error message.
inline uint64_t read_varint(Bytes bytes, size_t& position, const char* what) {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (position >= bytes.size()) throw corrupt_file(std::string(what) + ": ends inside a number");
    const uint8_t byte = bytes[position++];
    if (shift == 63 && byte > 1) break;
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return value;
  }
  throw corrupt_file(std::string(what) + ": number longer than 64 bits");
}

inline uint64_t zigzag(uint64_t value) { return (value >> 1) ^ (~(value & 1) + 1); }

}  // namespace quern::parquet
