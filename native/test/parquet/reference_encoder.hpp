// Slow, plain encoders of the Parquet encodings, written from the format specification alone.
#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "common/error.hpp"
#include "parquet/encoding.hpp"

namespace quern::parquet::reference {

using Encoded = std::vector<uint8_t>;

inline void append_varint(Encoded& out, uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<uint8_t>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<uint8_t>(value));
}

inline void append_zigzag(Encoded& out, int64_t value) {
  append_varint(out, (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63));
}

// Little-endian bit packing, bit by bit; the last byte is padded with zeros.
inline Encoded pack(const std::vector<uint64_t>& values, int width) {
  Encoded out((values.size() * static_cast<size_t>(width) + 7) / 8, 0);
  size_t bit = 0;
  for (uint64_t value : values) {
    for (int i = 0; i < width; ++i, ++bit) {
      if (value >> i & 1) out[bit / 8] = static_cast<uint8_t>(out[bit / 8] | 1 << bit % 8);
    }
  }
  return out;
}

inline void append(Encoded& out, const Encoded& more) { out.insert(out.end(), more.begin(), more.end()); }

inline void append_repeated(Encoded& out, int width, uint64_t count, uint32_t value) {
  append_varint(out, count << 1);
  for (int i = 0; i < (width + 7) / 8; ++i) out.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

// Values are padded with zeros to a multiple of 8.
inline void append_packed(Encoded& out, int width, std::vector<uint64_t> values) {
  values.resize((values.size() + 7) / 8 * 8, 0);
  append_varint(out, values.size() / 8 << 1 | 1);
  append(out, pack(values, width));
}

// `spare_widths`: what stands in the width bytes of miniblocks that hold nothing.
inline Encoded delta(const std::vector<int64_t>& values, uint64_t block = 128, uint64_t minis = 4,
                     int spare_width = 0) {
  Encoded out;
  append_varint(out, block);
  append_varint(out, minis);
  append_varint(out, values.size());
  append_zigzag(out, values.empty() ? 0 : values[0]);
  const size_t mini = block / minis;
  std::vector<int64_t> deltas;
  for (size_t i = 1; i < values.size(); ++i) {
    deltas.push_back(static_cast<int64_t>(static_cast<uint64_t>(values[i]) - static_cast<uint64_t>(values[i - 1])));
  }
  for (size_t start = 0; start < deltas.size(); start += block) {
    const size_t end = std::min(deltas.size(), start + block);
    const int64_t least =
        *std::min_element(deltas.begin() + static_cast<ptrdiff_t>(start), deltas.begin() + static_cast<ptrdiff_t>(end));
    append_zigzag(out, least);
    Encoded widths, body;
    for (size_t at = start; at < start + block; at += mini) {
      if (at >= end) {
        widths.push_back(static_cast<uint8_t>(spare_width));
        continue;
      }
      std::vector<uint64_t> packed(mini, 0);
      int width = 0;
      for (size_t i = at; i < std::min(end, at + mini); ++i) {
        packed[i - at] = static_cast<uint64_t>(deltas[i]) - static_cast<uint64_t>(least);
        while (width < 64 && packed[i - at] >> width != 0) ++width;
      }
      widths.push_back(static_cast<uint8_t>(width));
      append(body, pack(packed, width));
    }
    append(out, widths);
    append(out, body);
  }
  return out;
}

inline Encoded delta_length(const std::vector<std::string>& values) {
  std::vector<int64_t> lengths;
  for (const std::string& value : values) lengths.push_back(static_cast<int64_t>(value.size()));
  Encoded out = delta(lengths);
  for (const std::string& value : values) out.insert(out.end(), value.begin(), value.end());
  return out;
}

inline Encoded delta_byte_array(const std::vector<std::string>& values) {
  std::vector<int64_t> prefixes;
  std::vector<std::string> suffixes;
  std::string before;
  for (const std::string& value : values) {
    size_t prefix = 0;
    while (prefix < value.size() && prefix < before.size() && value[prefix] == before[prefix]) ++prefix;
    prefixes.push_back(static_cast<int64_t>(prefix));
    suffixes.push_back(value.substr(prefix));
    before = value;
  }
  Encoded out = delta(prefixes);
  append(out, delta_length(suffixes));
  return out;
}

inline const std::vector<int64_t> sizes = {0, 1, 7, 8, 9, 31, 32, 33, 127, 128, 129, 255, 256, 257, 1000, 5003};

inline std::vector<uint64_t> random_values(size_t count, int width, uint32_t seed = 1) {
  std::mt19937_64 random(seed + static_cast<uint32_t>(width) * 977);
  std::vector<uint64_t> values(count);
  for (uint64_t& value : values) value = width == 0 ? 0 : random() >> (64 - width);
  return values;
}

// A copy whose end is the end of its memory, so that a sanitizer sees any read past it.
struct Exact {
  explicit Exact(const Encoded& bytes) : size(bytes.size()), data(new uint8_t[bytes.size()]) {
    std::copy(bytes.begin(), bytes.end(), data.get());
  }
  operator Bytes() const { return {data.get(), size}; }
  size_t size;
  std::unique_ptr<uint8_t[]> data;
};

// The message of the corrupt_file error that `action` must throw.
template <typename Action>
std::string corrupt_message(Action action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::corrupt_file) << error.message();
    return error.message();
  }
  ADD_FAILURE() << "no error";
  return "";
}

}  // namespace quern::parquet::reference
