// Quotients with 64 bits of precision, rounded half to even, as x87's long double gives them: the mean of exact sums
// has the same bits on every device.
#pragma once
#include "ops/limits.hpp"

namespace quern::ops {

// mantissa · 2^exponent; the mantissa's top bit is set unless the value is 0.
struct Extended {
  uint64_t mantissa;
  int32_t exponent;
  bool negative;
};

// The 64 leading bits of v · 2^exponent; `sticky`: bits below v are not all zero.
QUERN_HD inline Extended round_extended(uint128_t v, int32_t exponent, bool sticky, bool negative) {
  if (v == 0) return {0, 0, negative};
  const uint64_t high = static_cast<uint64_t>(v >> 64);
  int32_t bits = 64;
  if (high == 0) {
    uint64_t mantissa = static_cast<uint64_t>(v);
    while ((mantissa >> 63) == 0) mantissa <<= 1, --exponent;
    return {mantissa, exponent, negative};
  }
  for (uint64_t rest = high; rest != 0; rest >>= 1) ++bits;
  const int32_t drop = bits - 64;
  uint128_t kept = v >> drop;
  const uint128_t rest = v - (kept << drop), half = static_cast<uint128_t>(1) << (drop - 1);
  if (rest > half || (rest == half && (sticky || (kept & 1) != 0))) ++kept;
  exponent += drop;
  if ((kept >> 64) != 0) kept >>= 1, ++exponent;
  return {static_cast<uint64_t>(kept), exponent, negative};
}

QUERN_HD inline Extended to_extended(int128_t v) { return round_extended(magnitude(v), 0, false, v < 0); }

// b is not 0.
QUERN_HD inline Extended divide(Extended a, Extended b) {
  const bool negative = a.negative != b.negative;
  if (a.mantissa == 0) return {0, 0, negative};
  // Two more bits than are kept: the last one and what is left tell on which side of the half the quotient lies.
  const uint128_t numerator = static_cast<uint128_t>(a.mantissa) << 64;
  const uint128_t whole = numerator / b.mantissa;
  const uint128_t rest = numerator % b.mantissa;
  const uint128_t fine = (rest << 2) / b.mantissa;
  const bool sticky = (rest << 2) % b.mantissa != 0;
  return round_extended((whole << 2) | fine, a.exponent - b.exponent - 66, sticky, negative);
}

QUERN_HD inline double to_double(Extended v) {
  double out = static_cast<double>(v.mantissa);
  // 2^exponent in steps that a double holds.
  int32_t left = v.exponent;
  while (left > 0) {
    const int32_t step = left > 62 ? 62 : left;
    out *= static_cast<double>(1ULL << step);
    left -= step;
  }
  while (left < 0) {
    const int32_t step = left < -62 ? 62 : -left;
    out /= static_cast<double>(1ULL << step);
    left += step;
  }
  return v.negative ? -out : out;
}

// sum / power / count, rounded after each step, power first to a double; count > 0.
QUERN_HD inline double exact_mean(int128_t sum, int128_t power, int64_t count) {
  const Extended divisor = to_extended(static_cast<int128_t>(static_cast<double>(power)));
  return to_double(divide(divide(to_extended(sum), divisor), to_extended(count)));
}

}  // namespace quern::ops
