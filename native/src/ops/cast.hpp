// Conversions between numeric types. False when the value does not fit; floats round half to even, decimals half away.
#pragma once
#include "ops/real.hpp"

namespace quern::ops {

template <typename To, typename From>
QUERN_HD inline bool integer_to_integer(From v, To& out) {
  out = static_cast<To>(v);
  if constexpr (is_signed<From>() == is_signed<To>()) {
    if constexpr (sizeof(To) >= sizeof(From))
      return true;
    else
      return static_cast<From>(out) == v;
  } else if constexpr (is_signed<From>()) {
    if constexpr (sizeof(To) >= sizeof(From))
      return v >= 0;
    else
      return v >= 0 && static_cast<From>(out) == v;
  } else {
    if constexpr (sizeof(To) > sizeof(From))
      return true;
    else
      return v <= static_cast<From>(max_of<To>());
  }
}

// 2^bits as a float of type F: one past the largest value of an integer type.
template <typename F>
QUERN_HD inline F power_of_two(int bits) {
  F power = 1;
  for (int i = 0; i < bits; ++i) power *= 2;
  return power;
}

// Unconditional and free of undefined behaviour: values out of range give 0.
template <typename To, typename From>
QUERN_HD inline bool real_to_integer(From v, To& out) {
  const From top = power_of_two<From>(static_cast<int>(sizeof(To) * 8) - (is_signed<To>() ? 1 : 0));
  const From rounded = QUERN_MATH(nearbyint)(v);
  const bool fits = rounded < top && (is_signed<To>() ? rounded >= -top : v >= 0);
  out = static_cast<To>(fits ? rounded : static_cast<From>(0));
  return fits;
}

// A finite double that is no finite float does not fit.
QUERN_HD inline bool double_to_float(double v, float& out) {
  out = static_cast<float>(v);
  return is_finite(out) || !is_finite(v);
}

// integer → decimal: v · 10^scale below limit = 10^precision.
template <typename From>
QUERN_HD inline bool integer_to_decimal(From v, int128_t factor, int128_t limit, int128_t& out) {
  return scale_up(static_cast<int128_t>(v), factor, limit, out);
}

template <typename To>
QUERN_HD inline bool decimal_to_integer(int128_t v, int128_t factor, To& out) {
  const int128_t whole = factor == 1 ? v : divide_half_away(v, factor);
  out = static_cast<To>(whole);
  return static_cast<int128_t>(out) == whole && (is_signed<To>() || whole >= 0);
}

// round(v · 10^scale), half away, below limit.
QUERN_HD inline bool real_to_decimal(double v, double factor, double limit, int128_t& out) {
  const double scaled = QUERN_MATH(round)(v * factor);
  const bool fits = scaled < limit && scaled > -limit;
  out = static_cast<int128_t>(fits ? scaled : 0.0);
  return fits;
}

// Decimal of another scale: up by `factor` (exact) or down by it, half away.
QUERN_HD inline bool decimal_to_decimal(int128_t v, bool up, int128_t factor, int128_t limit, int128_t& out) {
  if (up) return scale_up(v, factor, limit, out);
  out = divide_half_away(v, factor);
  return in_precision(out, limit);
}

}  // namespace quern::ops
