// The one 64-bit key hash: group-by, join, bloom filter and partition use it on every device. Partitions take its top
// bits, tables its bottom bits.
#pragma once
#include "ops/bytes.hpp"

namespace quern {

// High and low half of the 128-bit product, folded: every input bit reaches every output bit.
QUERN_HD inline uint64_t hash_fold(uint64_t a, uint64_t b) {
  const uint128_t product = static_cast<uint128_t>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

constexpr uint64_t hash_seed = 0x243f6a8885a308d3ULL;   // digits of pi
constexpr uint64_t hash_first = 0x9e3779b97f4a7c15ULL;  // golden ratio, odd
constexpr uint64_t hash_second = 0xd6e8feb86659fd93ULL;

// Mixes one 8-byte word into a running hash.
QUERN_HD inline uint64_t hash_word(uint64_t hash, uint64_t word) {
  return hash_fold(hash ^ hash_first, word ^ hash_second);
}

// Little-endian word of up to 8 bytes, the rest zero.
QUERN_HD inline uint64_t hash_load(const char* data, uint32_t length) {
  uint64_t word = 0;
  for (uint32_t i = 0; i < length; ++i) word |= static_cast<uint64_t>(static_cast<uint8_t>(data[i])) << (8 * i);
  return word;
}

// Bytes of any length; the length is part of the hash.
QUERN_HD inline uint64_t hash_bytes(const char* data, uint32_t length) {
  uint64_t hash = hash_word(hash_seed, length);
  uint32_t at = 0;
  for (; at + 8 <= length; at += 8) {
    hash = hash_word(hash, ops::load<uint64_t>(data + at));
  }
  if (at < length) hash = hash_word(hash, hash_load(data + at, length - at));
  return hash;
}

}  // namespace quern
