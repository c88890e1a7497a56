// Sums that variances, covariances and correlations are made of, over the words of a group (group_words.cuh). Compiled
// by NVRTC.
//
// All sums are of distances from a pivot, the first value that came, and carry what rounding takes away in a second
// word (Knuth's two-sum; Dekker's product by a fused multiply-add): an add to the first word tells its error exactly,
// whoever adds beside it. So values far from zero, close together, or in any order give what a running mean (Welford)
// gives. Words: count, pivots, then two words a sum.
#pragma once
#include "cuda/fragments/group_words.cuh"

namespace quern::cuda {

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

// The sum of two doubles, the second what rounding took from the first.
struct Twofold {
  double high, low;
};
__device__ inline Twofold two_sum(double a, double b) {
  const double sum = __dadd_rn(a, b), part = __dadd_rn(sum, -a);
  return {sum, __dadd_rn(__dadd_rn(a, -__dadd_rn(sum, -part)), __dadd_rn(b, -part))};
}
__device__ inline Twofold two_product(double a, double b) {
  const double product = __dmul_rn(a, b);
  return {product, __fma_rn(a, b, -product)};
}
__device__ inline Twofold operator+(Twofold a, Twofold b) {
  const Twofold sum = two_sum(a.high, b.high);
  return two_sum(sum.high, __dadd_rn(sum.low, __dadd_rn(a.low, b.low)));
}
__device__ inline Twofold operator-(Twofold a) { return {-a.high, -a.low}; }
__device__ inline Twofold operator*(Twofold a, Twofold b) {
  const Twofold product = two_product(a.high, b.high);
  return two_sum(product.high, __fma_rn(a.high, b.low, __fma_rn(a.low, b.high, product.low)));
}
__device__ inline Twofold operator/(Twofold a, double b) {
  const double quotient = a.high / b, rest = __dadd_rn(__fma_rn(-quotient, b, a.high), a.low);
  return two_sum(quotient, rest / b);
}
__device__ inline double one(Twofold a) { return a.high + a.low; }

__device__ inline double as_double(uint64_t word) { return ops::bit_cast<double>(word); }
__device__ inline Twofold twofold_at(const uint64_t* w) { return {as_double(w[0]), as_double(w[1])}; }

// Adds to the sum of words w and w + 1.
template <typename Words>
__device__ inline void add_twofold(Words w, Twofold value) {
  const double old = atomicAdd(reinterpret_cast<double*>(word_of(w)), value.high);
  const double low = two_sum(old, value.high).low + value.low;
  if (low != 0) atomicAdd(reinterpret_cast<double*>(word_of(w + 1)), low);
}
// The pivot of a group: `value` where there is none yet. A free word is zero: the pivot zero is the negative one.
template <typename Words>
__device__ inline double pivot_of(Words w, double value) {
  auto* word = reinterpret_cast<unsigned long long*>(word_of(w));
  unsigned long long seen = *static_cast<volatile unsigned long long*>(word);
  if (seen == 0) {
    const unsigned long long mine = ops::bit_cast<uint64_t>(value == 0 ? -0.0 : value);
    seen = atomicCAS(word, 0ULL, mine);
    if (seen == 0) seen = mine;
  }
  return as_double(seen);
}

// Variances: count, pivot, distances, their squares.
template <typename Words>
__device__ inline void add_moments(Words w, double x) {
  const Twofold distance = two_sum(x, -pivot_of(w + 1, x));
  add_word(w, 1);
  add_twofold(w + 2, distance);
  add_twofold(w + 4, distance * distance);
}
template <typename Words>
__device__ inline void merge_moments(Words w, const uint64_t* from) {
  if (from[0] == 0) return;
  const Twofold count = {static_cast<double>(from[0]), 0}, sum = twofold_at(from + 2), squares = twofold_at(from + 4);
  const double pivot = as_double(from[1]);
  const Twofold apart = two_sum(pivot, -pivot_of(w + 1, pivot)), moved = count * apart;
  add_word(w, from[0]);
  add_twofold(w + 2, sum + moved);
  add_twofold(w + 4, squares + apart * (sum + sum + moved));
}
// The sum of products of distances from the means, given the sums of products and of distances from pivots.
__device__ inline double about_means(Twofold products, Twofold a, Twofold b, double count) {
  return one(products + -(a * b / count));
}
__device__ inline double squares_about_mean(const uint64_t* w) {
  const Twofold sum = twofold_at(w + 2);
  const double out = about_means(twofold_at(w + 4), sum, sum, static_cast<double>(w[0]));
  return out < 0 ? 0 : out;
}

// Pairs y, x: count, two pivots, distances in y and in x, their products; with `squares` those of y and of x.
template <bool squares, typename Words>
__device__ inline void add_pair(Words w, double y, double x) {
  const Twofold dy = two_sum(y, -pivot_of(w + 1, y)), dx = two_sum(x, -pivot_of(w + 2, x));
  add_word(w, 1);
  add_twofold(w + 3, dy);
  add_twofold(w + 5, dx);
  add_twofold(w + 7, dy * dx);
  if constexpr (squares) {
    add_twofold(w + 9, dy * dy);
    add_twofold(w + 11, dx * dx);
  }
}
template <bool squares, typename Words>
__device__ inline void merge_pair(Words w, const uint64_t* from) {
  if (from[0] == 0) return;
  const Twofold count = {static_cast<double>(from[0]), 0}, y = twofold_at(from + 3), x = twofold_at(from + 5);
  const double pivot_y = as_double(from[1]), pivot_x = as_double(from[2]);
  const Twofold dy = two_sum(pivot_y, -pivot_of(w + 1, pivot_y)), dx = two_sum(pivot_x, -pivot_of(w + 2, pivot_x));
  const Twofold moved_y = count * dy, moved_x = count * dx;
  add_word(w, from[0]);
  add_twofold(w + 3, y + moved_y);
  add_twofold(w + 5, x + moved_x);
  add_twofold(w + 7, twofold_at(from + 7) + dy * x + dx * (y + moved_y));
  if constexpr (squares) {
    add_twofold(w + 9, twofold_at(from + 9) + dy * (y + y + moved_y));
    add_twofold(w + 11, twofold_at(from + 11) + dx * (x + x + moved_x));
  }
}
struct PairMoments {
  double count, mean_y, mean_x, products, squares_y, squares_x;
};
template <bool squares>
__device__ inline PairMoments pair_moments(const uint64_t* w) {
  const auto count = static_cast<double>(w[0]);
  const Twofold y = twofold_at(w + 3), x = twofold_at(w + 5);
  PairMoments out{count,
                  one(two_sum(as_double(w[1]), 0) + y / count),
                  one(two_sum(as_double(w[2]), 0) + x / count),
                  about_means(twofold_at(w + 7), y, x, count),
                  0,
                  0};
  if constexpr (squares) {
    const double of_y = about_means(twofold_at(w + 9), y, y, count),
                 of_x = about_means(twofold_at(w + 11), x, x, count);
    out.squares_y = of_y < 0 ? 0 : of_y;
    out.squares_x = of_x < 0 ? 0 : of_x;
  }
  return out;
}

#endif

}  // namespace quern::cuda
