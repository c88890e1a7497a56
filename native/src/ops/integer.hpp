// Integer arithmetic. Functions that can fail return false when the result does not fit, and leave it wrapped.
#pragma once
#include "ops/limits.hpp"

namespace quern::ops {

// Sum and difference of signed integers; negative when it does not fit: flags of many rows can be or-ed in vector
// registers.
template <typename T>
QUERN_HD inline T add_flag(T a, T b, T& out) {
  out = static_cast<T>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b));
  return static_cast<T>((a ^ out) & (b ^ out));
}
template <typename T>
QUERN_HD inline T subtract_flag(T a, T b, T& out) {
  out = static_cast<T>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b));
  return static_cast<T>((a ^ b) & (a ^ out));
}

template <typename T>
QUERN_HD inline bool add(T a, T b, T& out) {
  out = static_cast<T>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b));
  if constexpr (is_signed<T>())
    return static_cast<T>((a ^ out) & (b ^ out)) >= 0;
  else
    return out >= a;
}

template <typename T>
QUERN_HD inline bool subtract(T a, T b, T& out) {
  out = static_cast<T>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b));
  if constexpr (is_signed<T>())
    return static_cast<T>((a ^ b) & (a ^ out)) >= 0;
  else
    return a >= b;
}

// Products of up to 32 bits go through the double width; wider ones are checked by division-free comparison of halves.
template <typename T>
QUERN_HD inline bool multiply(T a, T b, T& out) {
  if constexpr (sizeof(T) <= 2) {
    const int32_t wide = static_cast<int32_t>(a) * static_cast<int32_t>(static_cast<uint32_t>(b));
    if constexpr (sizeof(T) == 2 && !is_signed<T>()) {
      const uint32_t product = static_cast<uint32_t>(a) * static_cast<uint32_t>(b);
      out = static_cast<T>(product);
      return product <= max_of<T>();
    } else {
      out = static_cast<T>(wide);
      return static_cast<int32_t>(out) == wide;
    }
  } else if constexpr (sizeof(T) == 4 && is_signed<T>()) {
    const int64_t wide = static_cast<int64_t>(a) * b;
    out = static_cast<T>(wide);
    return out == wide;
  } else if constexpr (sizeof(T) == 4) {
    const uint64_t wide = static_cast<uint64_t>(a) * b;
    out = static_cast<T>(wide);
    return (wide >> 32) == 0;
  } else if constexpr (sizeof(T) == 8 && is_signed<T>()) {
    const int128_t wide = static_cast<int128_t>(a) * b;
    out = static_cast<T>(wide);
    return out == wide;
  } else if constexpr (sizeof(T) == 8) {
    const uint128_t wide = static_cast<uint128_t>(a) * b;
    out = static_cast<T>(wide);
    return (wide >> 64) == 0;
  } else {
    const Unsigned<T> x = magnitude(a), y = magnitude(b);
    const Unsigned<T> product = x * y;
    const bool negative = (a < 0) != (b < 0);
    out = static_cast<T>(negative ? Unsigned<T>(0) - product : product);
    const uint64_t xh = static_cast<uint64_t>(x >> 64), yh = static_cast<uint64_t>(y >> 64);
    if (xh != 0 && yh != 0) return false;
    if (xh != 0 || yh != 0) {
      const uint128_t cross = xh != 0 ? static_cast<uint128_t>(xh) * static_cast<uint64_t>(y)
                                      : static_cast<uint128_t>(yh) * static_cast<uint64_t>(x);
      const uint128_t low = static_cast<uint128_t>(static_cast<uint64_t>(x)) * static_cast<uint64_t>(y);
      if ((cross >> 64) != 0 || (low >> 64) + cross > static_cast<uint128_t>(~static_cast<uint64_t>(0))) return false;
    }
    const Unsigned<T> limit = static_cast<Unsigned<T>>(max_of<T>()) + (negative ? 1 : 0);
    return product <= limit;
  }
}

template <typename T>
QUERN_HD inline bool negate(T a, T& out) {
  out = static_cast<T>(Unsigned<T>(0) - static_cast<Unsigned<T>>(a));
  return a != min_of<T>() || !is_signed<T>();
}

template <typename T>
QUERN_HD inline bool absolute(T a, T& out) {
  if constexpr (!is_signed<T>()) {
    out = a;
    return true;
  } else {
    out = static_cast<T>(magnitude(a));
    return a != min_of<T>();
  }
}

// b must not be 0. False for the smallest value divided by -1.
template <typename T>
QUERN_HD inline bool divide(T a, T b, T& out) {
  if constexpr (is_signed<T>()) {
    if (b == static_cast<T>(-1)) return negate(a, out);
  }
  out = static_cast<T>(a / b);
  return true;
}

// b must not be 0; the sign is a's.
template <typename T>
QUERN_HD inline T remainder(T a, T b) {
  if constexpr (is_signed<T>()) {
    if (b == static_cast<T>(-1)) return 0;
  }
  return static_cast<T>(a % b);
}

template <typename T>
QUERN_HD inline int8_t sign(T a) {
  return static_cast<int8_t>((a > 0) - (a < 0));
}

// Left shift: false for a negative value or shift, and when bits are lost; a shift of the width or more is only good
// for 0.
template <typename T>
QUERN_HD inline bool shift_left(T a, T n, T& out) {
  out = 0;
  if (a < 0 || n < 0) return false;
  constexpr int bits = static_cast<int>(sizeof(T) * 8);
  if (a == 0) return true;
  if (static_cast<Unsigned<T>>(n) >= static_cast<Unsigned<T>>(bits)) return false;
  const int count = static_cast<int>(n);
  if ((max_of<T>() >> count) < a) return false;
  out = static_cast<T>(static_cast<Unsigned<T>>(a) << count);
  return true;
}

// Arithmetic right shift; 0 when the shift is negative or not less than the width.
template <typename T>
QUERN_HD inline T shift_right(T a, T n) {
  if (n < 0 || static_cast<Unsigned<T>>(n) >= sizeof(T) * 8) return 0;
  return static_cast<T>(a >> static_cast<int>(n));
}

template <typename T>
QUERN_HD inline int8_t bit_count(T a) {
  int8_t count = 0;
  for (Unsigned<T> rest = static_cast<Unsigned<T>>(a); rest != 0; rest = static_cast<Unsigned<T>>(rest & (rest - 1)))
    ++count;
  return count;
}

QUERN_HD inline uint64_t gcd_of_magnitudes(uint64_t a, uint64_t b) {
  while (b != 0) {
    const uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// False only when both are the smallest value (or it and 0), whose divisor 2^63 does not fit.
QUERN_HD inline bool gcd(int64_t a, int64_t b, int64_t& out) {
  const uint64_t divisor = gcd_of_magnitudes(magnitude(a), magnitude(b));
  out = static_cast<int64_t>(divisor);
  return divisor <= static_cast<uint64_t>(max_of<int64_t>());
}

QUERN_HD inline bool lcm(int64_t a, int64_t b, int64_t& out) {
  out = 0;
  if (a == 0 || b == 0) return true;
  const uint64_t x = magnitude(a), y = magnitude(b);
  const uint128_t multiple = static_cast<uint128_t>(x / gcd_of_magnitudes(x, y)) * y;
  out = static_cast<int64_t>(multiple);
  return multiple <= static_cast<uint128_t>(max_of<int64_t>());
}

// n! for 0 ≤ n ≤ 33, else false (34! exceeds 128 bits).
QUERN_HD inline bool factorial(int32_t n, int128_t& out) {
  out = 1;
  if (n < 0 || n > 33) return false;
  for (int32_t i = 2; i <= n; ++i) out *= i;
  return true;
}

}  // namespace quern::ops
