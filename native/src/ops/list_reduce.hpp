// Reductions over the elements of one list. Sums accumulate in double, element i in accumulator i mod 32, combined by a
// halving tree, so that every backend and vector width gives the same bits.
#pragma once
#include "ops/value.hpp"

namespace quern::ops {

constexpr int list_lanes = 32;

QUERN_HD inline double combine_lanes(double* lanes) {
  for (int width = list_lanes / 2; width > 0; width /= 2) {
    for (int i = 0; i < width; ++i) lanes[i] += lanes[i + width];
  }
  return lanes[0];
}

// Of `length` values without NULLs.
template <typename T>
QUERN_HD inline double sum_list(const T* values, int64_t length) {
  double lanes[list_lanes] = {};
  int64_t i = 0;
  for (; i + list_lanes <= length; i += list_lanes) {
    for (int lane = 0; lane < list_lanes; ++lane) lanes[lane] += static_cast<double>(values[i + lane]);
  }
  for (int lane = 0; i < length; ++i, ++lane) lanes[lane] += static_cast<double>(values[i]);
  return combine_lanes(lanes);
}

}  // namespace quern::ops
