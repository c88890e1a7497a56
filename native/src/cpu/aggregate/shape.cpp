// skewness, kurtosis, kurtosis_pop: running central moments, merged by the formulas of Pébay (2008).
#include <cmath>

#include "cpu/aggregate/families.hpp"
#include "cpu/aggregate/values.hpp"

namespace quern::cpu {

namespace {

enum class Shape { skewness, kurtosis, kurtosis_pop };

struct CentralMoments {
  struct State {
    int64_t count;
    double mean;
    double second, third, fourth;  // sums of powers of the distance from the mean
  };
  Shape shape = Shape::skewness;

  State start() const { return {}; }
  void add(State& state, double value) const { merge(state, {1, value, 0, 0, 0}); }
  void merge(State& a, const State& b) const {
    if (b.count == 0) return;
    if (a.count == 0) {
      a = b;
      return;
    }
    const auto m = static_cast<double>(a.count), n = static_cast<double>(b.count), all = m + n;
    const double d = b.mean - a.mean, step = d / all;
    const double squares = d * step * m * n;
    const double fourth = a.fourth + b.fourth + squares * step * step * (m * m - m * n + n * n) +
                          6 * step * step * (m * m * b.second + n * n * a.second) +
                          4 * step * (m * b.third - n * a.third);
    const double third = a.third + b.third + squares * step * (m - n) + 3 * step * (m * b.second - n * a.second);
    a = {a.count + b.count, a.mean + step * n, a.second + b.second + squares, third, fourth};
  }
  bool finish(const State& state, double& out) const {
    const auto n = static_cast<double>(state.count);
    const int64_t least = shape == Shape::skewness ? 3 : shape == Shape::kurtosis ? 4 : 2;
    if (state.count < least || (shape != Shape::skewness && state.second == 0)) return false;
    if (shape == Shape::skewness && state.second == 0) {
      out = std::nan("");  // no spread: 0 / 0
      return true;
    }
    out = shape == Shape::skewness ? skewness(state, n) : kurtosis(state, n);
    if (!std::isfinite(out)) throw runtime_error("skewness or kurtosis is out of range of DOUBLE");
    return true;
  }

 private:
  static double skewness(const State& state, double n) {
    const double biased = std::sqrt(n) * state.third / std::pow(state.second, 1.5);
    return biased * std::sqrt(n * (n - 1)) / (n - 2);
  }
  double kurtosis(const State& state, double n) const {
    const double excess = n * state.fourth / (state.second * state.second) - 3;
    if (shape == Shape::kurtosis_pop) return excess;
    return (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * excess + 6);
  }
};

// Compensated sums (Kahan): the lost low digits are added to the next value.
template <bool mean>
struct CompensatedSum {
  struct State {
    double sum, lost;
    int64_t count;
  };
  State start() const { return {}; }
  static void add_to(State& state, double value) {
    const double corrected = value - state.lost;
    const double sum = state.sum + corrected;
    state.lost = (sum - state.sum) - corrected;
    state.sum = sum;
  }
  void add(State& state, double value) const {
    add_to(state, value);
    ++state.count;
  }
  void merge(State& into, const State& from) const {
    add_to(into, from.sum);
    add_to(into, -from.lost);
    into.count += from.count;
  }
  bool finish(const State& state, double& out) const {
    out = mean ? state.sum / static_cast<double>(state.count) : state.sum;
    return state.count > 0;
  }
};

}  // namespace

AggregatePtr make_shape(const AggregateSpec& spec) {
  CentralMoments op;
  const auto& name = spec.aggregate.fn;
  op.shape = name == "skewness" ? Shape::skewness : name == "kurtosis" ? Shape::kurtosis : Shape::kurtosis_pop;
  return std::make_unique<Fold<CentralMoments, double, double>>(spec.memory(), spec.result(), op);
}

AggregatePtr make_compensated(const AggregateSpec& spec) {
  if (spec.aggregate.fn == "favg")
    return std::make_unique<Fold<CompensatedSum<true>, double, double>>(spec.memory(), spec.result());
  return std::make_unique<Fold<CompensatedSum<false>, double, double>>(spec.memory(), spec.result());
}

}  // namespace quern::cpu
