// Distances and products of two vectors, and the norm of one: every element as DOUBLE, element i in accumulator i mod
// 32 by an explicit fma, the accumulators combined by a halving tree (list_reduce.hpp). These functions say what every
// SIMD level and backend must give, bit for bit.
#pragma once
#include "ops/list_reduce.hpp"
#include "ops/real.hpp"

namespace quern::ops {

// Elements as they are stored, to DOUBLE.
struct Half {
  uint16_t bits;
};
struct BrainFloat {
  uint16_t bits;
};
QUERN_HD inline double to_double(Half v) { return static_cast<double>(half_to_float(v.bits)); }
QUERN_HD inline double to_double(BrainFloat v) { return static_cast<double>(bfloat_to_float(v.bits)); }
template <typename T>
QUERN_HD inline double to_double(T v) {
  return static_cast<double>(v);
}

QUERN_HD inline double multiply_add(double a, double b, double c) { return QUERN_MATH(fma)(a, b, c); }

// What one pair of elements adds to its accumulator.
struct SquaredDifference {
  QUERN_HD static double add(double sum, double a, double b) { return multiply_add(a - b, a - b, sum); }
};
struct AbsoluteDifference {
  QUERN_HD static double add(double sum, double a, double b) { return sum + QUERN_MATH(fabs)(a - b); }
};
struct Product {
  QUERN_HD static double add(double sum, double a, double b) { return multiply_add(a, b, sum); }
};

template <typename Step, typename A, typename B>
QUERN_HD inline double fold_pairs(const A* a, const B* b, int64_t length) {
  double lanes[list_lanes] = {};
  for (int64_t i = 0; i < length; ++i) {
    double& lane = lanes[i % list_lanes];
    lane = Step::add(lane, to_double(a[i]), to_double(b[i]));
  }
  return combine_lanes(lanes);
}

// NaN has one value: which of several NaNs an addition keeps differs between instructions.
QUERN_HD inline double one_nan(double v) {
  return is_nan(v) ? bit_cast<double>(static_cast<uint64_t>(0x7ff8000000000000)) : v;
}

QUERN_HD inline double distance_of(double squares) { return one_nan(QUERN_MATH(sqrt)(squares)); }

// False for a zero vector. The root of the product is exact for equal vectors; outside its range the product of the
// roots is taken.
QUERN_HD inline bool cosine_of(double product, double squares_a, double squares_b, double& out) {
  if (squares_a == 0 || squares_b == 0) return false;
  const double squares = squares_a * squares_b;
  const double length = squares > 1e-290 && squares < 1e290 ? QUERN_MATH(sqrt)(squares)
                                                            : QUERN_MATH(sqrt)(squares_a) * QUERN_MATH(sqrt)(squares_b);
  out = one_nan(product / length);
  if (out > 1) out = 1;
  if (out < -1) out = -1;
  return true;
}

}  // namespace quern::ops
