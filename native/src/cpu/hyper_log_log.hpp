// How many of the hashes seen differ, in a few bytes (Flajolet et al. 2007; the small-range correction is linear
// counting). With 2^bits registers the standard error is 1.04 / 2^(bits / 2).
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace quern::cpu {

template <int bits>
struct HyperLogLog {
  static constexpr size_t registers = size_t{1} << bits;

  // Each function takes `registers` bytes, zero at first.
  static void add(uint8_t* held, uint64_t hash) {
    const auto rank = static_cast<uint8_t>(std::countl_zero((hash << bits) | (1ULL << (bits - 1))) + 1);
    uint8_t& best = held[hash >> (64 - bits)];
    best = std::max(best, rank);
  }
  static int64_t estimate(const uint8_t* held) {
    constexpr auto count = static_cast<double>(registers);
    double sum = 0;
    int64_t zeros = 0;
    for (size_t i = 0; i < registers; ++i) {
      sum += std::ldexp(1.0, -held[i]);
      zeros += held[i] == 0;
    }
    const double raw = 0.7213 / (1 + 1.079 / count) * count * count / sum;
    if (raw <= 2.5 * count && zeros > 0) return std::llround(count * std::log(count / static_cast<double>(zeros)));
    return std::llround(raw);
  }
};

}  // namespace quern::cpu
