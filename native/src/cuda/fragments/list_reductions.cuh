// One value of each row's list. Reductions come in two forms that give the same bits: row_* by the row's own thread,
// and warp_*, where all lanes of a warp work on one row after the other; then all lanes call it, those without a list
// with `there` false. Sums of floats take element i into accumulator i mod 32 and add these by a halving tree
// (ops/list_reduce.hpp).
#pragma once
#include "cuda/fragments/list_pairs.cuh"
#include "cuda/fragments/list_values.cuh"
#include "ops/compare.hpp"
#include "ops/decimal.hpp"
#include "ops/extended.hpp"

namespace quern::cuda {

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

template <typename R>
struct Reduced {
  R value;
  bool null;
  bool failed;  // the result does not fit its type
};

// A warp whose lists are all this short leaves each to its thread.
constexpr int64_t short_list = 32;

// `row` over each lane's list, or `warp` over one list after the other, whose result each lane of it has.
template <typename R, typename L, typename Row, typename Warp>
__device__ inline Reduced<R> by_warp(const L& list, bool there, Row row, Warp warp) {
  constexpr unsigned all = 0xffffffffu;
  if (__ballot_sync(all, there && list.length > short_list) == 0)
    return there ? row(list) : Reduced<R>{R{}, true, false};
  const unsigned rows = __ballot_sync(all, there);
  Reduced<R> out{R{}, true, false};
  for (int source = 0; source < 32; ++source) {
    if (((rows >> source) & 1) == 0) continue;
    const Reduced<R> one = warp(from_lane(list, source), static_cast<int>(threadIdx.x & 31));
    if (static_cast<int>(threadIdx.x & 31) == source) out = one;
  }
  return out;
}

__device__ inline double tree_sum(double sum) {
  for (int width = 16; width > 0; width /= 2) sum += __shfl_down_sync(0xffffffffu, sum, width);
  return __shfl_sync(0xffffffffu, sum, 0);
}
__device__ inline int64_t warp_count(int64_t count) {
  for (int width = 16; width > 0; width /= 2)
    count += __shfl_down_sync(0xffffffffu, static_cast<long long>(count), width);
  return __shfl_sync(0xffffffffu, static_cast<long long>(count), 0);
}

// ---- sums and means ----

template <bool mean>
__device__ inline Reduced<double> real_result(double sum, int64_t count) {
  return {mean ? sum / static_cast<double>(count) : sum, count == 0, false};
}
template <bool mean, typename L>
__device__ inline Reduced<double> row_real_sum(const L& list) {
  double lanes[ops::list_lanes] = {};
  int64_t count = 0;
  for (int64_t i = 0; i < list.length; ++i) {
    if (list.is_null(i)) continue;
    lanes[i % ops::list_lanes] += static_cast<double>(list.value(i));
    ++count;
  }
  return real_result<mean>(ops::combine_lanes(lanes), count);
}
template <bool mean, typename L>
__device__ inline Reduced<double> warp_real_sum(const L& list, bool there) {
  return by_warp<double>(
      list, there, [](const L& own) { return row_real_sum<mean>(own); },
      [](const L& at, int lane) {
        double sum = 0;
        int64_t count = 0;
#pragma unroll 4
        for (int64_t i = lane; i < at.length; i += 32) {
          if (at.is_null(i)) continue;
          sum += static_cast<double>(at.value(i));
          ++count;
        }
        return real_result<mean>(tree_sum(sum), warp_count(count));
      });
}

// The sum of at most 2^63 values of up to 64 bits fits; one of wider values is as the host finds it, in their order.
struct ExactSum {
  int128_t sum;
  int64_t count;
  bool overflow;
};
template <typename L>
__device__ inline ExactSum row_exact(const L& list) {
  ExactSum out{0, 0, false};
  for (int64_t i = 0; i < list.length; ++i) {
    if (list.is_null(i)) continue;
    out.overflow |= !ops::add<int128_t>(out.sum, static_cast<int128_t>(list.value(i)), out.sum);
    ++out.count;
  }
  return out;
}
template <typename R>
__device__ inline Reduced<R> exact_result(const ExactSum& of) {
  if constexpr (sizeof(R) == 8) return {static_cast<R>(of.sum), of.count == 0, static_cast<R>(of.sum) != of.sum};
  const bool fits = !of.overflow && of.sum < ops::decimal_limit && of.sum > -ops::decimal_limit;
  return {static_cast<R>(of.sum), of.count == 0, !fits};
}
template <typename L>
__device__ inline ExactSum lanes_exact(const L& at, int lane) {
  int128_t sum = 0;
  int64_t count = 0;
  for (int64_t i = lane; i < at.length; i += 32) {
    if (at.is_null(i)) continue;
    sum += static_cast<int128_t>(at.value(i));
    ++count;
  }
  for (int width = 16; width > 0; width /= 2) {
    const auto low = __shfl_down_sync(0xffffffffu, static_cast<unsigned long long>(sum), width);
    const auto high = __shfl_down_sync(0xffffffffu, static_cast<unsigned long long>(sum >> 64), width);
    sum += static_cast<int128_t>(static_cast<uint128_t>(high) << 64 | low);
  }
  return {sum, warp_count(count), false};
}
template <typename R, typename L>
__device__ inline Reduced<R> row_exact_sum(const L& list) {
  return exact_result<R>(row_exact(list));
}
// Lane 0 has a row's sum.
template <typename R, typename L, typename Result>
__device__ inline Reduced<R> warp_exact(const L& list, bool there, Result result) {
  constexpr bool wide = sizeof(typename L::Element) == 16;
  if constexpr (wide) return there ? result(row_exact(list)) : Reduced<R>{R{}, true, false};
  return by_warp<R>(
      list, there, [&](const L& own) { return result(row_exact(own)); },
      [&](const L& at, int lane) {
        ExactSum sum = lanes_exact(at, lane);
        const auto low = __shfl_sync(0xffffffffu, static_cast<unsigned long long>(sum.sum), 0);
        const auto high = __shfl_sync(0xffffffffu, static_cast<unsigned long long>(sum.sum >> 64), 0);
        sum.sum = static_cast<int128_t>(static_cast<uint128_t>(high) << 64 | low);
        return result(sum);
      });
}
template <typename R, typename L>
__device__ inline Reduced<R> warp_exact_sum(const L& list, bool there) {
  return warp_exact<R>(list, there, [](const ExactSum& sum) { return exact_result<R>(sum); });
}

__device__ inline Reduced<double> mean_result(const ExactSum& of, int128_t power) {
  const bool fits = !of.overflow && of.sum < ops::decimal_limit && of.sum > -ops::decimal_limit;
  if (of.count == 0) return {0, true, false};
  return {ops::exact_mean(of.sum, power, of.count), false, !fits};
}
template <typename L>
__device__ inline Reduced<double> row_exact_mean(const L& list, int128_t power) {
  return mean_result(row_exact(list), power);
}
template <typename L>
__device__ inline Reduced<double> warp_exact_mean(const L& list, bool there, int128_t power) {
  return warp_exact<double>(list, there, [power](const ExactSum& sum) { return mean_result(sum, power); });
}

// ---- products, counts: in order, by the row's thread ----

template <typename L>
__device__ inline Reduced<double> row_product(const L& list) {
  double product = 1;
  int64_t count = 0;
  for (int64_t i = 0; i < list.length; ++i) {
    if (list.is_null(i)) continue;
    product *= list.value(i);
    ++count;
  }
  return {product, count == 0, false};
}
template <typename L>
__device__ inline Reduced<double> warp_product(const L& list, bool there) {
  return there ? row_product(list) : Reduced<double>{0, true, false};
}
template <typename L>
__device__ inline Reduced<int64_t> row_count_known(const L& list) {
  int64_t count = 0;
  for (int64_t i = 0; i < list.length; ++i) count += list.is_null(i) ? 0 : 1;
  return {count, false, false};
}
template <typename L>
__device__ inline Reduced<int64_t> warp_count_known(const L& list, bool there) {
  return there ? row_count_known(list) : Reduced<int64_t>{0, true, false};
}
template <typename L>
__device__ inline Reduced<uint8_t> row_has_null(const L& list) {
  return {static_cast<uint8_t>(holds_null(list)), false, false};
}
template <typename L>
__device__ inline Reduced<uint8_t> warp_has_null(const L& list, bool there) {
  return there ? row_has_null(list) : Reduced<uint8_t>{0, true, false};
}

// ---- the first of the least or greatest ----

template <bool greatest, typename T>
__device__ inline bool is_better(T a, T b) {
  return greatest ? ops::less<T>(b, a) : ops::less<T>(a, b);
}
template <bool greatest, typename L>
__device__ inline Reduced<typename L::Element> row_extreme(const L& list) {
  using T = typename L::Element;
  Reduced<T> out{T{}, true, false};
  for (int64_t i = 0; i < list.length; ++i) {
    if (list.is_null(i)) continue;
    const T value = list.value(i);
    if (out.null || is_better<greatest, T>(value, out.value)) out = {value, false, false};
  }
  return out;
}
template <bool greatest, typename L>
__device__ inline Reduced<typename L::Element> warp_extreme(const L& list, bool there) {
  using T = typename L::Element;
  struct alignas(16) Candidate {
    T value;
    int64_t at;  // -1 = none
  };
  return by_warp<T>(
      list, there, [](const L& own) { return row_extreme<greatest>(own); },
      [](const L& at, int lane) {
        Candidate best{T{}, -1};
        for (int64_t i = lane; i < at.length; i += 32) {
          if (at.is_null(i)) continue;
          const T value = at.value(i);
          if (best.at < 0 || is_better<greatest, T>(value, best.value)) best = {value, i};
        }
        for (int width = 16; width > 0; width /= 2) {
          const Candidate other = from_lane(best, (lane + width) & 31);
          const bool first = best.at < 0 || is_better<greatest, T>(other.value, best.value) ||
                             (!is_better<greatest, T>(best.value, other.value) && other.at < best.at);
          if (other.at >= 0 && first) best = other;
        }
        best = from_lane(best, 0);
        return Reduced<T>{best.value, best.at < 0, false};
      });
}

// ---- where a value is ----

// From 1; 0 = nowhere. `missing`: the first NULL is looked for.
template <typename L>
__device__ inline bool is_at(const L& list, int64_t i, typename L::Element value, bool missing) {
  return list.is_null(i) ? missing : !missing && ops::equal<typename L::Element>(list.value(i), value);
}
template <typename L>
__device__ inline Reduced<int64_t> row_position(const L& list, typename L::Element value, bool missing) {
  for (int64_t i = 0; i < list.length; ++i) {
    if (is_at(list, i, value, missing)) return {i + 1, false, false};
  }
  return {0, false, false};
}
template <typename L>
__device__ inline Reduced<int64_t> warp_position(const L& list, bool there, typename L::Element value, bool missing) {
  using T = typename L::Element;
  struct alignas(16) Search {
    L list;
    int64_t length;
    T value;
    bool missing;
  };
  return by_warp<int64_t>(
      Search{list, list.length, value, missing}, there,
      [](const Search& own) { return row_position(own.list, own.value, own.missing); },
      [](const Search& at, int lane) {
        for (int64_t first = 0; first < at.length; first += 32) {
          const int64_t i = first + lane;
          const unsigned hits = __ballot_sync(0xffffffffu, i < at.length && is_at(at.list, i, at.value, at.missing));
          if (hits != 0) return Reduced<int64_t>{first + __ffs(static_cast<int>(hits)), false, false};
        }
        return Reduced<int64_t>{0, false, false};
      });
}

// ---- vectors ----

template <typename L>
__device__ inline Reduced<double> row_norm(const L& list) {
  if (holds_null(list)) return {0, true, false};
  double lanes[ops::list_lanes] = {};
  for (int64_t i = 0; i < list.length; ++i) {
    const double v = ops::to_double(list.value(i));
    lanes[i % ops::list_lanes] = ops::Product::add(lanes[i % ops::list_lanes], v, v);
  }
  return {ops::distance_of(ops::combine_lanes(lanes)), false, false};
}
template <typename L>
__device__ inline Reduced<double> warp_norm(const L& list, bool there) {
  return by_warp<double>(
      list, there, [](const L& own) { return row_norm(own); },
      [](const L& at, int lane) {
        double sum = 0;
        bool null = false;
#pragma unroll 4
        for (int64_t i = lane; i < at.length; i += 32) {
          null |= at.is_null(i);
          const double v = ops::to_double(at.value(i));
          sum = ops::Product::add(sum, v, v);
        }
        sum = tree_sum(sum);
        return Reduced<double>{ops::distance_of(sum), __ballot_sync(0xffffffffu, null) != 0, false};
      });
}

// Sums of a pair of lists of any form; see list_pair.
template <typename Measure, typename A, typename B>
__device__ inline ListPair row_pair(const A& a, bool has_a, const B& b, bool has_b) {
  ListPair out{};
  const bool there = has_a && has_b;
  out.unequal = there && a.length != b.length;
  out.known = there && !out.unequal && !holds_null(a) && !holds_null(b);
  if (!out.known) return out;
  double lanes[3][ops::list_lanes] = {};
  for (int64_t i = 0; i < a.length; ++i) {
    double sums[3];
    for (int k = 0; k < Measure::count; ++k) sums[k] = lanes[k][i % ops::list_lanes];
    Measure::add(sums, ops::to_double(a.value(i)), ops::to_double(b.value(i)));
    for (int k = 0; k < Measure::count; ++k) lanes[k][i % ops::list_lanes] = sums[k];
  }
  for (int k = 0; k < Measure::count; ++k) out.sums[k] = ops::combine_lanes(lanes[k]);
  return out;
}
template <typename Measure, typename A, typename B>
__device__ inline ListPair warp_pair(const A& a, bool has_a, const B& b, bool has_b) {
  constexpr unsigned all = 0xffffffffu;
  ListPair out{};
  const bool there = has_a && has_b;
  out.unequal = there && a.length != b.length;
  const unsigned rows = __ballot_sync(all, there && !out.unequal);
  const int lane = threadIdx.x & 31;
  for (int source = 0; source < 32; ++source) {
    if (((rows >> source) & 1) == 0) continue;
    const A x = from_lane(a, source);
    const B y = from_lane(b, source);
    double sums[3] = {};
    bool null = false;
#pragma unroll 4
    for (int64_t i = lane; i < x.length; i += 32) {
      null |= x.is_null(i) || y.is_null(i);
      Measure::add(sums, ops::to_double(x.value(i)), ops::to_double(y.value(i)));
    }
    const bool known = __ballot_sync(all, null) == 0;
    for (int k = 0; k < Measure::count; ++k) sums[k] = tree_sum(sums[k]);
    if (lane == source) out = {{sums[0], sums[1], sums[2]}, known, false};
  }
  return out;
}

#endif

}  // namespace quern::cuda
