// Sums over pairs of lists, a warp a row: lane i takes the elements i mod 32, which are the accumulators that
// ops/list_vector.hpp asks for, and the halving tree goes by shuffles: the bits are those of the CPU. All lanes of a
// warp call it together; each lane gets the sums of its own row.
#pragma once
#include "cuda/fragments/column.cuh"
#include "ops/list_vector.hpp"

namespace quern::cuda {

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

struct ListView {
  const void* elements;
  const uint32_t* element_validity;  // nullptr = none is null
  const void* offsets;               // nullptr = a literal of `length` elements
  bool wide;
  const uint32_t* validity;
  int64_t length;
};

__device__ inline ListView list_column(const ColumnView& column) {
  return {column.elements, column.element_validity, column.offsets, column.wide, column.validity, 0};
}
__device__ inline ListView list_literal(const Input& in, int i) {
  const auto& words = in.literals[i].words;
  return {reinterpret_cast<const void*>(words[0]), nullptr, nullptr, false, nullptr, static_cast<int64_t>(words[1])};
}

struct ListPair {
  double sums[3];
  bool known;    // neither list nor an element is NULL, and the lengths agree
  bool unequal;  // both lists are there, of different length
};

struct Squares {
  static constexpr int count = 1;
  __device__ static void add(double* sums, double a, double b) { sums[0] = ops::SquaredDifference::add(sums[0], a, b); }
};
struct Magnitudes {
  static constexpr int count = 1;
  __device__ static void add(double* sums, double a, double b) {
    sums[0] = ops::AbsoluteDifference::add(sums[0], a, b);
  }
};
struct Products {
  static constexpr int count = 1;
  __device__ static void add(double* sums, double a, double b) { sums[0] = ops::Product::add(sums[0], a, b); }
};
struct Cosine {
  static constexpr int count = 3;
  __device__ static void add(double* sums, double a, double b) {
    sums[0] = ops::Product::add(sums[0], a, b);
    sums[1] = ops::Product::add(sums[1], a, a);
    sums[2] = ops::Product::add(sums[2], b, b);
  }
};

struct ListRange {
  int64_t start, length;
};

__device__ inline ListRange range_of(const ListView& list, int64_t row) {
  if (list.offsets == nullptr) return {0, list.length};
  const int64_t start =
      list.wide ? static_cast<const int64_t*>(list.offsets)[row] : static_cast<const int32_t*>(list.offsets)[row];
  const int64_t end = list.wide ? static_cast<const int64_t*>(list.offsets)[row + 1]
                                : static_cast<const int32_t*>(list.offsets)[row + 1];
  return {start, end - start};
}

__device__ inline bool is_valid_row(const ListView& list, int64_t row) {
  return list.validity == nullptr || ((list.validity[row >> 5] >> (row & 31)) & 1) != 0;
}

__device__ inline bool has_null(const ListView& list, ListRange range) {
  if (list.element_validity == nullptr) return false;
  bool found = false;
  for (int64_t i = threadIdx.x & 31; i < range.length; i += 32) {
    const int64_t at = range.start + i;
    found |= ((list.element_validity[at >> 5] >> (at & 31)) & 1) == 0;
  }
  return __ballot_sync(0xffffffffu, found) != 0;
}

template <typename Measure, typename A, typename B>
__device__ inline ListPair list_pair(const ListView& a, const ListView& b, int64_t row, bool live) {
  constexpr unsigned all = 0xffffffffu;
  const int lane = threadIdx.x & 31;
  ListPair out{};
  const unsigned rows = __ballot_sync(all, live);
  for (int source = 0; source < 32; ++source) {
    if (((rows >> source) & 1) == 0) continue;
    const auto at = static_cast<int64_t>(__shfl_sync(all, static_cast<long long>(row), source));
    const ListRange first = range_of(a, at), second = range_of(b, at);
    const bool there = is_valid_row(a, at) && is_valid_row(b, at);
    const bool unequal = there && first.length != second.length;
    const bool known = there && !unequal && !has_null(a, first) && !has_null(b, second);
    double sums[3] = {};
    if (known) {
      const A* x = static_cast<const A*>(a.elements) + first.start;
      const B* y = static_cast<const B*>(b.elements) + second.start;
#pragma unroll 8
      for (int64_t i = lane; i < first.length; i += 32) Measure::add(sums, ops::to_double(x[i]), ops::to_double(y[i]));
      for (int k = 0; k < Measure::count; ++k) {
        for (int width = 16; width > 0; width /= 2) sums[k] += __shfl_down_sync(all, sums[k], width);
        sums[k] = __shfl_sync(all, sums[k], 0);
      }
    }
    if (lane == source) out = {{sums[0], sums[1], sums[2]}, known, unequal};
  }
  return out;
}

#endif

}  // namespace quern::cuda
