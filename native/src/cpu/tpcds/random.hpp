// Random numbers by place: a draw depends on (seed, table, row, draw number) only, so that any row can be made alone,
// on any thread.
#pragma once
#include <cmath>
#include <cstdint>

#include "ops/hash.hpp"

namespace quern::cpu::tpcds {

// Draws of one row, in a fixed order.
class Draws {
 public:
  Draws(uint64_t seed, uint64_t table, int64_t row)
      : state_(hash_word(hash_word(hash_word(hash_seed, seed), table), static_cast<uint64_t>(row))) {}

  uint64_t next() { return hash_word(state_, ++count_); }
  // In [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  // Every whole number in [low, high] equally often.
  int64_t between(int64_t low, int64_t high) {
    const auto span = static_cast<uint64_t>(high - low) + 1;
    return low + static_cast<int64_t>((static_cast<uint128_t>(next()) * span) >> 64);
  }
  bool chance(double probability) { return unit() < probability; }
  // Mean 0, standard deviation 1 (Box and Muller).
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - unit()));
    return radius * std::cos(2 * 3.14159265358979323846 * unit());
  }

 private:
  uint64_t state_;
  uint64_t count_ = 0;
};

}  // namespace quern::cpu::tpcds
