// Hash tables of groups, in device or shared memory: open addressing over slots of 64-bit words. Compiled by nvcc and
// by NVRTC; includes only ops.
//
// A slot: one head word (0 = free, 1 = being written, else bit 1 set and 62 bits of the hash), the key's words, the
// aggregates' words. All words of a free slot are zero, which is the start value of every aggregate word.
#pragma once
#include "ops/compare.hpp"
#include "ops/hash.hpp"
#include "ops/limits.hpp"

namespace quern::cuda {

struct GroupTable {
  uint64_t* slots;
  uint64_t mask;             // slots - 1, a power of two less one
  unsigned long long* used;  // slots that are taken
  uint64_t limit;            // of used slots at which no new group is let in
};

QUERN_HD inline uint64_t hash_words(const uint64_t* key, int words) {
  uint64_t hash = hash_seed;
  for (int i = 0; i < words; ++i) hash = hash_word(hash, key[i]);
  return hash;
}
QUERN_HD inline uint64_t head_of(uint64_t hash) { return hash | 2; }

// Words that order as the values do: NaN is greatest, as in ops/compare.hpp.
template <typename T>
QUERN_HD inline uint64_t order_word(T v) {
  if constexpr (ops::is_signed<T>())
    return static_cast<uint64_t>(static_cast<int64_t>(v)) ^ (1ULL << 63);
  else
    return static_cast<uint64_t>(v);
}
template <>
QUERN_HD inline uint64_t order_word(double v) {
  const uint64_t bits = ops::bit_cast<uint64_t>(v);
  if (v != v) return ~0ULL;
  return (bits >> 63) != 0 ? ~bits : bits | (1ULL << 63);
}
template <>
QUERN_HD inline uint64_t order_word(float v) {
  return order_word<double>(v);
}
template <typename T>
QUERN_HD inline T from_order_word(uint64_t word) {
  if constexpr (ops::is_signed<T>())
    return static_cast<T>(static_cast<int64_t>(word ^ (1ULL << 63)));
  else
    return static_cast<T>(word);
}
template <>
QUERN_HD inline double from_order_word(uint64_t word) {
  if (word == ~0ULL) return ops::bit_cast<double>(0x7ff8000000000000ULL);
  return ops::bit_cast<double>((word >> 63) != 0 ? word & ~(1ULL << 63) : ~word);
}
template <>
QUERN_HD inline float from_order_word(uint64_t word) {
  return static_cast<float>(from_order_word<double>(word));
}

// A key column as one word; 128-bit values have two.
template <typename T>
QUERN_HD inline uint64_t key_word(T v) {
  return static_cast<uint64_t>(static_cast<int64_t>(v));
}
template <>
QUERN_HD inline uint64_t key_word(double v) {
  return v != v ? 0x7ff8000000000000ULL : v == 0 ? 0 : ops::bit_cast<uint64_t>(v);
}
template <>
QUERN_HD inline uint64_t key_word(float v) {
  return v != v ? 0x7fc00000ULL : v == 0 ? 0 : ops::bit_cast<uint32_t>(v);
}
template <typename T>
QUERN_HD inline T from_key_word(uint64_t word) {
  return static_cast<T>(word);
}
template <>
QUERN_HD inline double from_key_word(uint64_t word) {
  return ops::bit_cast<double>(word);
}
template <>
QUERN_HD inline float from_key_word(uint64_t word) {
  return ops::bit_cast<float>(static_cast<uint32_t>(word));
}

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

__device__ inline uint64_t load_head(const uint64_t* head) {
  uint64_t value;
  asm volatile("ld.acquire.gpu.u64 %0, [%1];" : "=l"(value) : "l"(head) : "memory");
  return value;
}

// The slot of a key, made when there is room; nullptr when the table is full or `probes` slots were others'.
// `enforce_limit`: new groups stop at table.limit, else only where no slot is free.
__device__ inline uint64_t* find_group(const GroupTable& table, int slot_words, const uint64_t* key, int key_words,
                                       uint64_t hash, uint64_t probes, bool enforce_limit) {
  const uint64_t head = head_of(hash);
  uint64_t at = hash >> 2 & table.mask;
  for (uint64_t probe = 0; probe < probes; ++probe, at = (at + 1) & table.mask) {
    uint64_t* slot = table.slots + at * slot_words;
    uint64_t seen = load_head(slot);
    if (seen == 0) {
      if (enforce_limit && *static_cast<volatile unsigned long long*>(table.used) >= table.limit) return nullptr;
      seen = atomicCAS(reinterpret_cast<unsigned long long*>(slot), 0ULL, 1ULL);
      if (seen == 0) {
        for (int i = 0; i < key_words; ++i) slot[1 + i] = key[i];
        __threadfence();
        atomicExch(reinterpret_cast<unsigned long long*>(slot), head);
        atomicAdd(table.used, 1ULL);
        return slot;
      }
    }
    while (seen == 1) seen = load_head(slot);
    if (seen != head) continue;
    bool same = true;
    for (int i = 0; i < key_words; ++i) same &= slot[1 + i] == key[i];
    if (same) return slot;
  }
  return nullptr;
}

// Additions to words that other threads add to. In shared memory a 64-bit add would be a loop of compare and swap: two
// 32-bit adds with a carry are none.
template <bool shared>
__device__ inline uint64_t add_word(uint64_t* word, uint64_t value) {
  if constexpr (shared) {
    auto* halves = reinterpret_cast<unsigned*>(word);
    const unsigned low = static_cast<unsigned>(value);
    const unsigned old = atomicAdd(&halves[0], low);
    const unsigned high = static_cast<unsigned>(value >> 32) + (old + low < old ? 1 : 0);
    if (high != 0) atomicAdd(&halves[1], high);
    return 0;
  } else {
    return atomicAdd(reinterpret_cast<unsigned long long*>(word), static_cast<unsigned long long>(value));
  }
}

// Adds a number of `words` 64-bit words (two's complement, least first), carrying: never a loop.
template <bool shared, int words>
__device__ inline void add_wide(uint64_t* sum, const uint64_t (&value)[words]) {
  if constexpr (shared) {
    auto* limbs = reinterpret_cast<unsigned*>(sum);
    unsigned carry = 0;
    for (int i = 0; i < 2 * words; ++i) {
      const unsigned limb = static_cast<unsigned>(value[i / 2] >> (i % 2 * 32));
      const unsigned add = limb + carry;
      carry = add < limb ? 1 : 0;  // then add is 0
      if (add != 0) {
        const unsigned old = atomicAdd(&limbs[i], add);
        carry |= old + add < old ? 1 : 0;
      }
    }
  } else {
    uint64_t carry = 0;
    for (int i = 0; i < words; ++i) {
      const uint64_t add = value[i] + carry;
      carry = add < value[i] ? 1 : 0;
      if (add != 0) {
        const uint64_t old =
            atomicAdd(reinterpret_cast<unsigned long long*>(&sum[i]), static_cast<unsigned long long>(add));
        carry |= old + add < old ? 1 : 0;
      }
    }
  }
}

template <bool shared>
__device__ inline void add_128(uint64_t* sum, int128_t value) {
  const uint64_t words[2] = {static_cast<uint64_t>(value), static_cast<uint64_t>(value >> 64)};
  add_wide<shared>(sum, words);
}
// 192 bits: sums of 128-bit values, 2^63 of them.
template <bool shared>
__device__ inline void add_192(uint64_t* sum, int128_t value) {
  const uint64_t words[3] = {static_cast<uint64_t>(value), static_cast<uint64_t>(value >> 64), value < 0 ? ~0ULL : 0};
  add_wide<shared>(sum, words);
}

__device__ inline void add_real(uint64_t* sum, double value) { atomicAdd(reinterpret_cast<double*>(sum), value); }

// A flag: whether any row came. Every writer writes the same.
__device__ inline void mark_word(uint64_t* word) {
  volatile uint64_t* flag = word;
  if (*flag == 0) *flag = 1;
}

// The greatest of words; a look before the atomic saves most of them.
__device__ inline void raise_word(uint64_t* word, uint64_t value) {
  if (*static_cast<volatile uint64_t*>(word) < value)
    atomicMax(reinterpret_cast<unsigned long long*>(word), static_cast<unsigned long long>(value));
}

#endif

}  // namespace quern::cuda
