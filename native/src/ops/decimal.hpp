// Decimals: unscaled int64 (precision ≤ 18) or int128 integers. Scales and limits are passed as powers of ten.
#pragma once
#include "ops/integer.hpp"

namespace quern::ops {

// 10^n, 0 ≤ n ≤ 38.
QUERN_HD constexpr int128_t power_of_ten(int n) {
  int128_t power = 1;
  for (int i = 0; i < n; ++i) power *= 10;
  return power;
}

// 10^38: a decimal of 38 digits is smaller.
constexpr int128_t decimal_limit = power_of_ten(38);

// |v| < limit, where limit = 10^precision.
template <typename T>
QUERN_HD inline bool in_precision(T v, T limit) {
  return v < limit && v > -limit;
}

// v / divisor, halves away from zero. divisor > 0.
template <typename T>
QUERN_HD inline T divide_half_away(T v, T divisor) {
  const T quotient = v / divisor;
  const T rest = v % divisor;
  const T distance = rest < 0 ? -rest : rest;
  if (distance >= divisor - distance) return v < 0 ? quotient - 1 : quotient + 1;
  return quotient;
}

// Rounding towards -infinity, +infinity; divisor > 0.
template <typename T>
QUERN_HD inline T divide_floor(T v, T divisor) {
  return v / divisor - (v % divisor < 0 ? 1 : 0);
}
template <typename T>
QUERN_HD inline T divide_ceil(T v, T divisor) {
  return v / divisor + (v % divisor > 0 ? 1 : 0);
}

// v · factor (a power of ten) when it stays below limit.
QUERN_HD inline bool scale_up(int128_t v, int128_t factor, int128_t limit, int128_t& out) {
  return multiply(v, factor, out) && in_precision(out, limit);
}

// round(v, digits) inside one scale: v / divisor half away, then · divisor.
template <typename T>
QUERN_HD inline T round_to_multiple(T v, T divisor) {
  return divide_half_away(v, divisor) * divisor;
}

// The double nearest to v / 10^scale as DuckDB computes it: exact while v has at most 53 bits, otherwise from whole
// part and rest.
QUERN_HD inline double decimal_to_double(int128_t v, int scale) {
  const int128_t power = power_of_ten(scale);
  constexpr int128_t exact = static_cast<int128_t>(1) << 53;
  if (scale == 0) return static_cast<double>(v);
  if (v <= exact && v >= -exact && scale <= 22) return static_cast<double>(v) / static_cast<double>(power);
  return static_cast<double>(v / power) + static_cast<double>(v % power) / static_cast<double>(power);
}

}  // namespace quern::ops
