// Random numbers by place: a draw depends on (seed, table, row, draw number) only, so that any row can be made alone,
// on any thread.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

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

// One of the values, each equally often.
template <typename T, size_t n>
const T& pick(Draws& draws, const std::array<T, n>& from) {
  return from[static_cast<size_t>(draws.between(0, static_cast<int64_t>(n) - 1))];
}

// Chooses places by weight.
class Weights {
 public:
  explicit Weights(const std::vector<double>& weights) {
    double total = 0;
    for (const double weight : weights) ends_.push_back(total += weight);
  }
  // Weights that fall as names do: the place r (from 0) has 1 / (r + head).
  static Weights falling(size_t places, double head) {
    std::vector<double> weights;
    for (size_t r = 0; r < places; ++r) weights.push_back(1 / (static_cast<double>(r) + head));
    return Weights(weights);
  }
  size_t pick(Draws& draws) const {
    const double at = draws.unit() * ends_.back();
    const auto place = std::upper_bound(ends_.begin(), ends_.end(), at) - ends_.begin();
    return std::min(static_cast<size_t>(place), ends_.size() - 1);
  }

 private:
  std::vector<double> ends_;
};

}  // namespace quern::cpu::tpcds
