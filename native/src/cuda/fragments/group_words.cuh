// Words that groups are made of: keys and aggregates as 64-bit words, and how rows and other groups are added to them,
// in device and in shared memory. Compiled by nvcc and by NVRTC; includes only ops.
//
// All words start as zero. An aggregate that is NULL without rows has a flag; whoever finds the value still zero sets
// it, the first row among them, so that no other row looks at it. In device memory an add that need not know what was
// there is faster: where a slot is `settled` all flags are set.
#pragma once
#include "ops/compare.hpp"
#include "ops/limits.hpp"

namespace quern::cuda {

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

// 128-bit values likewise.
QUERN_HD inline uint128_t order_pair(int128_t v) {
  return static_cast<uint128_t>(v) ^ static_cast<uint128_t>(1) << 127;
}
QUERN_HD inline uint128_t order_pair(uint128_t v) { return v; }
template <typename T>
QUERN_HD inline T from_order_pair(uint128_t pair) {
  return static_cast<T>(ops::is_signed<T>() ? pair ^ static_cast<uint128_t>(1) << 127 : pair);
}
// The value of the row at a place in the input, by place: the first or the last row is greatest. The lowest bit of the
// upper half tells that the value is not NULL.
QUERN_HD inline uint128_t placed(uint64_t place, bool last, bool valid, uint64_t value) {
  const uint64_t order = last ? place + 1 : ~place & (~0ULL >> 1);
  return static_cast<uint128_t>(order << 1 | (valid ? 1 : 0)) << 64 | (valid ? value : 0);
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

// Intervals that are equal have the same two words.
QUERN_HD inline void interval_words(Interval v, uint64_t& first, uint64_t& second) {
  const Interval same = ops::normalise(v);
  first = static_cast<uint64_t>(static_cast<uint32_t>(same.months)) << 32 | static_cast<uint32_t>(same.days);
  second = static_cast<uint64_t>(same.micros);
}
QUERN_HD inline Interval from_interval_words(uint64_t first, uint64_t second) {
  return {static_cast<int32_t>(first >> 32), static_cast<int32_t>(first), static_cast<int64_t>(second)};
}

// A value of up to 64 bits as it is, in a word.
template <typename T>
QUERN_HD inline uint64_t raw_word(T v) {
  return static_cast<uint64_t>(static_cast<int64_t>(v));
}
template <>
QUERN_HD inline uint64_t raw_word(double v) {
  return ops::bit_cast<uint64_t>(v);
}
template <>
QUERN_HD inline uint64_t raw_word(float v) {
  return ops::bit_cast<uint32_t>(v);
}

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

// Words behind one another; two at a time where all of them are pairs.
template <int words>
__device__ inline void load_words(const uint64_t* from, uint64_t (&to)[words]) {
#pragma unroll
  for (int i = 0; i < words; ++i) {
    if constexpr (words % 2 == 0) {
      if (i % 2 != 0) continue;
      const ulonglong2 pair = *reinterpret_cast<const ulonglong2*>(from + i);
      to[i] = pair.x;
      to[i + 1] = pair.y;
    } else {
      to[i] = from[i];
    }
  }
}

// Words of one group in a table in shared memory: each word of all slots stands together, so that the lanes of a warp
// meet in few banks.
struct BlockWords {
  uint64_t* at;
  int slots, slot;
  __device__ BlockWords operator+(int i) const { return {at + i * slots, slots, slot}; }
  __device__ unsigned* low(int i = 0) const { return reinterpret_cast<unsigned*>(at + i * slots); }
  __device__ unsigned* high(int i = 0) const { return low(i) + 1; }
};

__device__ inline uint64_t* word_of(uint64_t* w) { return w; }
__device__ inline uint64_t* word_of(BlockWords w) { return w.at; }

// A flag: whether any row came. Every writer writes the same.
template <typename Words>
__device__ inline void mark(Words w) {
  volatile uint64_t* flag = word_of(w);
  if (*flag == 0) *flag = 1;
}

// Adds to a number of 64 bits; gives whether it was zero. In shared memory a 64-bit add would be a loop of compare and
// swap: two 32-bit adds with a carry are none. There zero means the low half, which is so at the first row too.
__device__ inline bool add_word(uint64_t* w, uint64_t value, bool settled = false) {
  auto* word = reinterpret_cast<unsigned long long*>(w);
  if (!settled) return atomicAdd(word, static_cast<unsigned long long>(value)) == 0;
  atomicAdd(word, static_cast<unsigned long long>(value));
  return false;
}
__device__ inline bool add_word(BlockWords w, uint64_t value, bool = false) {
  const unsigned low = static_cast<unsigned>(value), old = atomicAdd(w.low(), low);
  const unsigned high = static_cast<unsigned>(value >> 32) + (old + low < old ? 1 : 0);
  if (high != 0) atomicAdd(w.high(), high);
  return old == 0;
}

// An exact sum of 64-bit values, in two words. In device memory: the sum modulo 2^64 as a signed number, then twice how
// often it ran over, signed, plus the flag. Values of one size seldom make it run over: most rows cost one add.
__device__ inline void add_sum(uint64_t* w, int64_t value) {
  const auto old =
      static_cast<int64_t>(atomicAdd(reinterpret_cast<unsigned long long*>(w), static_cast<unsigned long long>(value)));
  const auto sum = static_cast<int64_t>(static_cast<uint64_t>(old) + static_cast<uint64_t>(value));
  auto* over = reinterpret_cast<unsigned long long*>(w + 1);
  if (((old ^ sum) & (value ^ sum)) < 0) atomicAdd(over, value > 0 ? 2ULL : ~1ULL);
  if (old == 0 && (*static_cast<volatile unsigned long long*>(over) & 1) == 0) atomicOr(over, 1ULL);
}
// In shared memory the same in parts of 32 bits: low unsigned; high signed; how often that ran over; the flag.
__device__ inline void add_high(BlockWords w, int64_t high) {
  if (high == 0) return;
  const auto old = static_cast<int>(atomicAdd(w.high(), static_cast<unsigned>(high)));
  const int64_t sum = old + high;
  if (sum != static_cast<int>(sum)) atomicAdd(w.low(1), sum > 0 ? 1U : ~0U);
}
__device__ inline void add_sum(BlockWords w, int64_t value) {
  const unsigned low = static_cast<unsigned>(value), old = atomicAdd(w.low(), low);
  add_high(w, (value >> 32) + (old + low < old ? 1 : 0));
  if (old == 0) *static_cast<volatile unsigned*>(w.high(1)) = 1;
}
// The words of device memory from those of shared memory.
__device__ inline void plain_sum(BlockWords w, uint64_t* out) {
  out[0] = static_cast<uint64_t>(*w.high()) << 32 | *w.low();
  out[1] = static_cast<uint64_t>(static_cast<int64_t>(static_cast<int>(*w.low(1))) * 2) | (*w.high(1) != 0 ? 1 : 0);
}
// `from` as in device memory.
__device__ inline void merge_sum(uint64_t* w, const uint64_t* from) {
  if ((from[1] & 1) == 0) return;
  add_sum(w, static_cast<int64_t>(from[0]));
  const uint64_t over = from[1] & ~1ULL;
  if (over != 0) atomicAdd(reinterpret_cast<unsigned long long*>(w + 1), static_cast<unsigned long long>(over));
}
__device__ inline void merge_sum(BlockWords w, const uint64_t* from) {
  if ((from[1] & 1) == 0) return;
  add_sum(w, static_cast<int64_t>(from[0]));
  const auto over = static_cast<int>(static_cast<int64_t>(from[1]) >> 1);
  if (over != 0) atomicAdd(w.low(1), static_cast<unsigned>(over));
}
__device__ inline int128_t sum_of(const uint64_t* w) {
  const int64_t sign = static_cast<int64_t>(w[0]) < 0 ? -1 : 0, high = (static_cast<int64_t>(w[1]) >> 1) + sign;
  return static_cast<int128_t>(static_cast<uint128_t>(static_cast<uint64_t>(high)) << 64 | w[0]);
}

// An exact sum of 128-bit values, in three words (two's complement, least first), carrying: never a loop.
__device__ inline void add_wide(uint64_t* w, const uint64_t (&value)[3]) {
  uint64_t carry = 0;
  for (int i = 0; i < 3; ++i) {
    const uint64_t add = value[i] + carry;
    carry = add < value[i] ? 1 : 0;  // then add is 0
    if (add == 0) continue;
    const uint64_t old = atomicAdd(reinterpret_cast<unsigned long long*>(w + i), static_cast<unsigned long long>(add));
    carry |= old + add < old ? 1 : 0;
  }
}
__device__ inline void add_wide(BlockWords w, const uint64_t (&value)[3]) {
  unsigned carry = 0;
  for (int i = 0; i < 6; ++i) {
    const unsigned limb = static_cast<unsigned>(value[i / 2] >> (i % 2 * 32));
    const unsigned add = limb + carry;
    carry = add < limb ? 1 : 0;
    if (add == 0) continue;
    const unsigned old = atomicAdd(i % 2 == 0 ? w.low(i / 2) : w.high(i / 2), add);
    carry |= old + add < old ? 1 : 0;
  }
}
template <typename Words>
__device__ inline void add_wide(Words w, int128_t value) {
  const uint64_t words[3] = {static_cast<uint64_t>(value), static_cast<uint64_t>(value >> 64), value < 0 ? ~0ULL : 0};
  add_wide(w, words);
}
template <typename Words>
__device__ inline void merge_wide(Words w, const uint64_t* from) {
  const uint64_t words[3] = {from[0], from[1], from[2]};
  add_wide(w, words);
}

// Adds to a sum of floats; gives whether it was zero.
template <typename Words>
__device__ inline bool add_real(Words w, double value, bool settled = false) {
  auto* word = reinterpret_cast<double*>(word_of(w));
  if (!settled) return atomicAdd(word, value) == 0;
  atomicAdd(word, value);
  return false;
}

// The greatest of words, then its flag; a look before the atomic saves most of them.
template <typename Words>
__device__ inline void raise(Words w, uint64_t value) {
  uint64_t* word = word_of(w);
  const uint64_t seen = *static_cast<volatile uint64_t*>(word);
  if (seen < value) atomicMax(reinterpret_cast<unsigned long long*>(word), static_cast<unsigned long long>(value));
  if (seen == 0) mark(w + 1);
}

// Bits, set or turned over.
__device__ inline void set_bits(uint64_t* w, uint64_t bits) {
  atomicOr(reinterpret_cast<unsigned long long*>(w), static_cast<unsigned long long>(bits));
}
__device__ inline void set_bits(BlockWords w, uint64_t bits) {
  const auto low = static_cast<unsigned>(bits), high = static_cast<unsigned>(bits >> 32);
  if ((*static_cast<volatile unsigned*>(w.low()) & low) != low) atomicOr(w.low(), low);
  if ((*static_cast<volatile unsigned*>(w.high()) & high) != high) atomicOr(w.high(), high);
}
__device__ inline void turn_bits(uint64_t* w, uint64_t bits) {
  atomicXor(reinterpret_cast<unsigned long long*>(w), static_cast<unsigned long long>(bits));
}
__device__ inline void turn_bits(BlockWords w, uint64_t bits) {
  if (static_cast<unsigned>(bits) != 0) atomicXor(w.low(), static_cast<unsigned>(bits));
  if (static_cast<unsigned>(bits >> 32) != 0) atomicXor(w.high(), static_cast<unsigned>(bits >> 32));
}

// Two words that change as one, at a multiple of 16 bytes: the lower first. In shared memory the pairs of all slots
// stand together, in the place of both words.
__device__ inline uint64_t* pair_at(uint64_t* w) { return w; }
__device__ inline uint64_t* pair_at(BlockWords w) { return w.at + w.slot; }
__device__ inline uint128_t swap_pair(uint64_t* pair, uint128_t expected, uint128_t next) {
  uint64_t low, high;
  asm volatile(
      "{ .reg .b128 expected, next, old; mov.b128 expected, {%3, %4}; mov.b128 next, {%5, %6};"
      " atom.relaxed.gpu.cas.b128 old, [%2], expected, next; mov.b128 {%0, %1}, old; }"
      : "=l"(low), "=l"(high)
      : "l"(pair), "l"(static_cast<uint64_t>(expected)), "l"(static_cast<uint64_t>(expected >> 64)),
        "l"(static_cast<uint64_t>(next)), "l"(static_cast<uint64_t>(next >> 64))
      : "memory");
  return static_cast<uint128_t>(high) << 64 | low;
}
// The greatest of pairs. What is seen first may be of two moments: its upper half is never too great, and the swap
// tells the rest.
template <typename Words>
__device__ inline void raise_pair(Words w, uint128_t value) {
  uint64_t* pair = pair_at(w);
  const uint64_t high = *static_cast<volatile uint64_t*>(pair + 1);
  if (high > static_cast<uint64_t>(value >> 64)) return;
  uint128_t seen = static_cast<uint128_t>(high) << 64 | *static_cast<volatile uint64_t*>(pair);
  while (seen < value) {
    const uint128_t old = swap_pair(pair, seen, value);
    if (old == seen) return;
    seen = old;
  }
}
template <typename Words>
__device__ inline void plain_pair(Words w, uint64_t* out) {
  out[0] = pair_at(w)[0];
  out[1] = pair_at(w)[1];
}
__device__ inline uint128_t pair_of(const uint64_t* w) { return static_cast<uint128_t>(w[1]) << 64 | w[0]; }

#endif

}  // namespace quern::cuda
