// Floating point: IEEE results, never an error unless a domain is said. The library functions are named once here.
#pragma once
#if !defined(__CUDACC_RTC__)
#include <cmath>
#endif
#include "ops/bytes.hpp"
#include "ops/decimal.hpp"

namespace quern::ops {

#if defined(__CUDACC_RTC__)
#define QUERN_MATH(name) ::name
#else
#define QUERN_MATH(name) std::name
#endif

template <typename T>
QUERN_HD inline bool is_nan(T v) {
  return v != v;
}
template <typename T>
QUERN_HD inline bool is_finite(T v) {
  return v - v == 0;
}
template <typename T>
QUERN_HD inline bool is_infinite(T v) {
  return !is_nan(v) && !is_finite(v);
}

template <typename T>
QUERN_HD inline T real_remainder(T a, T b) {
  return QUERN_MATH(fmod)(a, b);
}
template <typename T>
QUERN_HD inline int8_t real_sign(T v) {
  return static_cast<int8_t>((v > 0) - (v < 0));
}

// Half away from zero at `digits` decimals by scaling, as DuckDB: where scaling leaves the range the value stays (or is
// 0 for negative digits).
template <typename T>
QUERN_HD inline T round_digits(T v, int32_t digits) {
  double out;
  if (digits < 0) {
    const double power = QUERN_MATH(pow)(10.0, static_cast<double>(-static_cast<int64_t>(digits)));
    out = QUERN_MATH(round)(static_cast<double>(v) / power) * power;
    if (!is_finite(out)) return 0;
  } else {
    const double power = QUERN_MATH(pow)(10.0, static_cast<double>(digits));
    out = QUERN_MATH(round)(static_cast<double>(v) * power) / power;
    if (!is_finite(out)) return v;
  }
  return static_cast<T>(out);
}

template <typename T>
QUERN_HD inline T trunc_digits(T v, int32_t digits) {
  double out;
  if (digits < 0) {
    const double power = QUERN_MATH(pow)(10.0, static_cast<double>(-static_cast<int64_t>(digits)));
    out = QUERN_MATH(trunc)(static_cast<double>(v) / power) * power;
    if (!is_finite(out)) return is_finite(v) ? 0 : v;
  } else {
    const double power = QUERN_MATH(pow)(10.0, static_cast<double>(digits));
    out = QUERN_MATH(trunc)(static_cast<double>(v) * power) / power;
    if (!is_finite(out)) return v;
  }
  return static_cast<T>(out);
}

// Away from zero to the next even integer.
QUERN_HD inline double even(double v) {
  double up = v >= 0 ? QUERN_MATH(ceil)(v) : -QUERN_MATH(ceil)(-v);
  if (QUERN_MATH(fmod)(up, 2.0) != 0) up = v >= 0 ? up + 1 : up - 1;
  return up;
}

// Each returns false outside its domain.
QUERN_HD inline bool square_root(double v, double& out) {
  out = QUERN_MATH(sqrt)(v);
  return !(v < 0);
}
QUERN_HD inline bool natural_log(double v, double& out) {
  out = QUERN_MATH(log)(v);
  return !(v <= 0);
}
QUERN_HD inline bool log_base_2(double v, double& out) {
  out = QUERN_MATH(log2)(v);
  return !(v <= 0);
}
QUERN_HD inline bool log_base_10(double v, double& out) {
  out = QUERN_MATH(log10)(v);
  return !(v <= 0);
}
// log of x to `base`; false for a base whose logarithm is 0.
QUERN_HD inline bool log_base(double base, double x, double& out) {
  const double divisor = QUERN_MATH(log10)(base);
  out = QUERN_MATH(log10)(x) / divisor;
  return !(base <= 0) && !(x <= 0) && divisor != 0;
}
QUERN_HD inline bool sine(double v, double& out) {
  out = QUERN_MATH(sin)(v);
  return !is_infinite(v);
}
QUERN_HD inline bool cosine(double v, double& out) {
  out = QUERN_MATH(cos)(v);
  return !is_infinite(v);
}
QUERN_HD inline bool tangent(double v, double& out) {
  out = QUERN_MATH(tan)(v);
  return !is_infinite(v);
}
QUERN_HD inline bool cotangent(double v, double& out) {
  out = 1.0 / QUERN_MATH(tan)(v);
  return !is_infinite(v) && v != 0;
}
QUERN_HD inline bool arc_sine(double v, double& out) {
  out = QUERN_MATH(asin)(v);
  return !(v < -1 || v > 1);
}
QUERN_HD inline bool arc_cosine(double v, double& out) {
  out = QUERN_MATH(acos)(v);
  return !(v < -1 || v > 1);
}
QUERN_HD inline bool arc_cosine_hyperbolic(double v, double& out) {
  out = QUERN_MATH(acosh)(v);
  return true;
}
QUERN_HD inline bool arc_tangent_hyperbolic(double v, double& out) {
  out = QUERN_MATH(atanh)(v);
  return !(v < -1 || v > 1);
}

// False where there is a pole that has no sign.
QUERN_HD inline bool gamma_function(double v, double& out) {
  out = QUERN_MATH(tgamma)(v);
  return v != 0;
}
QUERN_HD inline bool log_gamma(double v, double& out) {
  out = QUERN_MATH(lgamma)(v);
  return v != 0;
}
QUERN_HD inline bool sign_bit(float v) { return (bit_cast<uint32_t>(v) >> 31) != 0; }
QUERN_HD inline bool sign_bit(double v) { return (bit_cast<uint64_t>(v) >> 63) != 0; }

// ---- halves ----

QUERN_HD inline float float_from_bits(uint32_t bits) { return bit_cast<float>(bits); }
QUERN_HD inline uint32_t bits_of_float(float v) { return bit_cast<uint32_t>(v); }

// IEEE binary16 → binary32, exact.
QUERN_HD inline float half_to_float(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16;
  const uint32_t magnitude_bits = static_cast<uint32_t>(half & 0x7fff);
  if (magnitude_bits >= 0x7c00) return float_from_bits(sign | 0x7f800000 | ((magnitude_bits & 0x3ff) << 13));
  if (magnitude_bits < 0x400) {  // zero and subnormal: mantissa · 2^-24
    const float value = static_cast<float>(magnitude_bits) * 5.9604644775390625e-8f;
    return float_from_bits(bits_of_float(value) | sign);
  }
  return float_from_bits(sign | ((magnitude_bits << 13) + 0x38000000));
}

// Round to nearest even; overflow gives infinity, NaN stays a quiet NaN.
QUERN_HD inline uint16_t float_to_half(float v) {
  const uint32_t bits = bits_of_float(v);
  const uint16_t sign = static_cast<uint16_t>((bits >> 16) & 0x8000);
  const uint32_t rest = bits & 0x7fffffff;
  if (rest > 0x7f800000) return static_cast<uint16_t>(sign | 0x7e00);
  if (rest >= 0x477ff000) return static_cast<uint16_t>(sign | 0x7c00);  // 65520 and more
  if (rest < 0x38800000) {                                              // below 2^-14: subnormal
    if (rest < 0x33000000) return sign;                                 // below 2^-25: zero
    const uint32_t exponent = rest >> 23;
    const uint32_t mantissa = (rest & 0x7fffff) | 0x800000;
    const uint32_t shift = 126 - exponent;  // 14..24
    const uint32_t kept = mantissa >> shift;
    const uint32_t lost = mantissa & ((1u << shift) - 1);
    const uint32_t half = 1u << (shift - 1);
    const uint32_t up = lost > half || (lost == half && (kept & 1)) ? 1 : 0;
    return static_cast<uint16_t>(sign | (kept + up));
  }
  const uint32_t rounded = rest + 0xfff + ((rest >> 13) & 1);
  return static_cast<uint16_t>(sign | ((rounded - 0x38000000) >> 13));
}

QUERN_HD inline float bfloat_to_float(uint16_t v) { return float_from_bits(static_cast<uint32_t>(v) << 16); }
QUERN_HD inline uint16_t float_to_bfloat(float v) {
  const uint32_t bits = bits_of_float(v);
  if ((bits & 0x7fffffff) > 0x7f800000) return static_cast<uint16_t>((bits >> 16) | 0x40);
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

}  // namespace quern::ops
