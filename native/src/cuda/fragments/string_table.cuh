// Numbers of distinct strings: open addressing over slots of 8 bytes, each half of a hash and a number, at most three
// quarters of them taken. NULL has number 0. Compiled by nvcc and by NVRTC; includes only ops.
#pragma once
#include "cuda/fragments/column.cuh"
#include "ops/hash.hpp"

namespace quern::cuda {

// A string with a number: its bytes stay where they are.
struct alignas(16) StringEntry {
  const uint8_t* bytes;
  uint32_t length;
  uint32_t tag;
};

struct StringTable {
  unsigned long long* slots;  // tag in the high half, number in the low one; 0 = free
  uint64_t mask;              // slots - 1, a power of two less one
  StringEntry* entries;       // by number
};

constexpr uint32_t null_string = 0;
constexpr uint32_t no_string = 0xffffffffU;

#if defined(__CUDACC__) || defined(__CUDACC_RTC__) || defined(QUERN_EMULATED)

struct StringBytes {
  const uint8_t* bytes;
  uint32_t length;
};

// The bytes of a row that is not NULL.
__device__ inline StringBytes bytes_at(const ColumnView& column, int64_t row) {
  const int64_t start =
      column.wide ? static_cast<const int64_t*>(column.offsets)[row] : static_cast<const int32_t*>(column.offsets)[row];
  const int64_t end = column.wide ? static_cast<const int64_t*>(column.offsets)[row + 1]
                                  : static_cast<const int32_t*>(column.offsets)[row + 1];
  return {static_cast<const uint8_t*>(column.data) + start, static_cast<uint32_t>(end - start)};
}

// The first 8 of `left` (> 0) bytes as a little-endian word, zero past them. Looks at no aligned word that holds none
// of them.
__device__ inline uint64_t word_of_bytes(const uint8_t* bytes, uint32_t left) {
  const auto address = reinterpret_cast<uint64_t>(bytes);
  const auto* words = reinterpret_cast<const uint64_t*>(address & ~7ULL);
  const auto skipped = static_cast<uint32_t>(address & 7);
  uint64_t word = words[0] >> (8 * skipped);
  if (skipped != 0 && skipped + left > 8) word |= words[1] << (64 - 8 * skipped);
  return left >= 8 ? word : word & ((1ULL << (8 * left)) - 1);
}

// The low half of hash_bytes().
__device__ inline uint32_t string_tag(const StringBytes& string) {
  uint64_t hash = hash_word(hash_seed, string.length);
  for (uint32_t at = 0; at < string.length; at += 8)
    hash = hash_word(hash, word_of_bytes(string.bytes + at, string.length - at));
  return static_cast<uint32_t>(hash);
}

__device__ inline bool same_bytes(const StringBytes& a, const StringBytes& b) {
  if (a.length != b.length) return false;
  if (a.bytes == b.bytes) return true;
  for (uint32_t at = 0; at < a.length; at += 8) {
    if (word_of_bytes(a.bytes + at, a.length - at) != word_of_bytes(b.bytes + at, b.length - at)) return false;
  }
  return true;
}

__device__ inline StringBytes bytes_of(const StringEntry& entry) { return {entry.bytes, entry.length}; }

// The number of the string in a row, null_string or no_string.
__device__ inline uint32_t find_string(const StringTable& table, const ColumnView& column, int64_t row) {
  if (is_null(column, row)) return null_string;
  const StringBytes string = bytes_at(column, row);
  const uint32_t tag = string_tag(string);
  for (uint64_t at = tag & table.mask;; at = (at + 1) & table.mask) {
    const uint64_t slot = table.slots[at];
    if (slot == 0) return no_string;
    const auto number = static_cast<uint32_t>(slot);
    if (slot >> 32 == tag && same_bytes(string, bytes_of(table.entries[number]))) return number;
  }
}

#endif

}  // namespace quern::cuda
