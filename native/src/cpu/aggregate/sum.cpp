// sum, avg, product. Sums of integers and decimals are exact: narrow ones in int64, wide ones in int128.
#include <cmath>

#include "cpu/aggregate/families.hpp"
#include "cpu/aggregate/values.hpp"
#include "ops/decimal.hpp"

namespace quern::cpu {

namespace {

// A 128-bit integer that needs only 8-byte alignment.
struct Wide {
  uint64_t low = 0;
  int64_t high = 0;

  int128_t value() const {
    return static_cast<int128_t>((static_cast<uint128_t>(static_cast<uint64_t>(high)) << 64) | low);
  }
  static Wide of(int128_t value) { return {static_cast<uint64_t>(value), static_cast<int64_t>(value >> 64)}; }
};

Error sum_overflow() { return runtime_error("sum is out of range of DECIMAL(38)"); }

// int64 in, int64 out: for inputs of at most 32 bits, whose sum of 2^31 rows fits.
template <typename T>
struct NarrowSum {
  struct State {
    int64_t sum;
    int64_t count;
  };
  State start() const { return {0, 0}; }
  void add(State& state, T value) const {
    state.sum += value;
    ++state.count;
  }
  void merge(State& into, const State& from) const {
    into.sum += from.sum;
    into.count += from.count;
  }
  bool finish(const State& state, int64_t& out) const {
    out = state.sum;
    return state.count > 0;
  }
};

template <typename T>
struct WideSum {
  struct State {
    Wide sum;
    int64_t count;
  };
  State start() const { return {{}, 0}; }
  void add(State& state, T value) const {
    int128_t sum;
    if (__builtin_add_overflow(state.sum.value(), static_cast<int128_t>(value), &sum)) throw sum_overflow();
    state.sum = Wide::of(sum);
    ++state.count;
  }
  void merge(State& into, const State& from) const {
    int128_t sum;
    if (__builtin_add_overflow(into.sum.value(), from.sum.value(), &sum)) throw sum_overflow();
    into.sum = Wide::of(sum);
    into.count += from.count;
  }
  bool finish(const State& state, int128_t& out) const {
    out = state.sum.value();
    if (out >= ops::decimal_limit || out <= -ops::decimal_limit) throw sum_overflow();
    return state.count > 0;
  }
};

// The exact sum over the count, as a double; `scale` decimals.
template <typename T>
struct ExactMean : WideSum<T> {
  using State = typename WideSum<T>::State;
  double divisor = 1;
  bool finish(const State& state, double& out) const {
    if (state.count == 0) return false;
    out = static_cast<double>(static_cast<long double>(state.sum.value()) / static_cast<long double>(divisor) /
                              static_cast<long double>(state.count));
    return true;
  }
};

template <typename T>
struct RealSum {
  struct State {
    double sum;
    int64_t count;
  };
  State start() const { return {0, 0}; }
  void add(State& state, T value) const {
    state.sum += static_cast<double>(value);
    ++state.count;
  }
  void merge(State& into, const State& from) const {
    into.sum += from.sum;
    into.count += from.count;
  }
  bool finish(const State& state, double& out) const {
    out = state.sum;
    return state.count > 0;
  }
};

template <typename T>
struct RealMean : RealSum<T> {
  using State = typename RealSum<T>::State;
  bool finish(const State& state, double& out) const {
    if (state.count == 0) return false;
    out = state.sum / static_cast<double>(state.count);
    return true;
  }
};

struct Product {
  struct State {
    double product;
    int64_t count;
  };
  State start() const { return {1, 0}; }
  void add(State& state, double value) const {
    state.product *= value;
    ++state.count;
  }
  void merge(State& into, const State& from) const {
    into.product *= from.product;
    into.count += from.count;
  }
  bool finish(const State& state, double& out) const {
    out = state.product;
    return state.count > 0;
  }
};

struct IntervalSum {
  struct State {
    int64_t months;
    int64_t days;
    int64_t micros;
    int64_t count;
  };
  State start() const { return {0, 0, 0, 0}; }
  static void add_checked(int64_t& into, int64_t value) {
    if (__builtin_add_overflow(into, value, &into)) throw runtime_error("sum of intervals is out of range");
  }
  void add(State& state, const Interval& value) const {
    add_checked(state.months, value.months);
    add_checked(state.days, value.days);
    add_checked(state.micros, value.micros);
    ++state.count;
  }
  void merge(State& into, const State& from) const {
    add_checked(into.months, from.months);
    add_checked(into.days, from.days);
    add_checked(into.micros, from.micros);
    into.count += from.count;
  }
  bool finish(const State& state, Interval& out) const {
    if (state.months != static_cast<int32_t>(state.months) || state.days != static_cast<int32_t>(state.days)) {
      throw runtime_error("sum of intervals is out of range");
    }
    out = {static_cast<int32_t>(state.months), static_cast<int32_t>(state.days), state.micros};
    return state.count > 0;
  }
};

// Months carry into days (30 a month), days into microseconds.
struct IntervalMean : IntervalSum {
  bool finish(const State& state, Interval& out) const {
    if (state.count == 0) return false;
    constexpr int64_t day_micros = 86'400'000'000LL;
    const int64_t months = state.months / state.count;
    const int128_t days_left = static_cast<int128_t>(state.months % state.count) * 30 + state.days;
    const auto days = static_cast<int64_t>(days_left / state.count);
    const int128_t micros_left = (days_left % state.count) * day_micros + state.micros;
    out = {static_cast<int32_t>(months), static_cast<int32_t>(days), static_cast<int64_t>(micros_left / state.count)};
    return true;
  }
};

bool is_real(Physical kind) { return kind == Physical::float32 || kind == Physical::float64; }

}  // namespace

AggregatePtr make_sum(const AggregateSpec& spec) {
  const Physical kind = physical(*spec.args[0]);
  if (kind == Physical::interval)
    return std::make_unique<Fold<IntervalSum, Interval, Interval>>(spec.memory(), spec.result());
  return with_number(kind, [&]<typename T>() -> AggregatePtr {
    if constexpr (std::is_floating_point_v<T>) {
      return std::make_unique<Fold<RealSum<T>, T, double>>(spec.memory(), spec.result());
    } else if (physical(*spec.result()) == Physical::int64) {
      if constexpr (sizeof(T) <= 4)
        return std::make_unique<Fold<NarrowSum<T>, T, int64_t>>(spec.memory(), spec.result());
      throw internal_error("sum of 64-bit values needs a 128-bit result");
    } else {
      return std::make_unique<Fold<WideSum<T>, T, int128_t>>(spec.memory(), spec.result());
    }
  });
}

AggregatePtr make_avg(const AggregateSpec& spec) {
  const Physical kind = physical(*spec.args[0]);
  if (kind == Physical::interval)
    return std::make_unique<Fold<IntervalMean, Interval, Interval>>(spec.memory(), spec.result());
  return with_number(kind, [&]<typename T>() -> AggregatePtr {
    if constexpr (std::is_floating_point_v<T>) {
      return std::make_unique<Fold<RealMean<T>, T, double>>(spec.memory(), spec.result());
    } else {
      ExactMean<T> mean;
      if (spec.args[0]->kind == TypeKind::decimal) mean.divisor = std::pow(10.0, spec.args[0]->scale);
      return std::make_unique<Fold<ExactMean<T>, T, double>>(spec.memory(), spec.result(), mean);
    }
  });
}

AggregatePtr make_product(const AggregateSpec& spec) {
  return std::make_unique<Fold<Product, double, double>>(spec.memory(), spec.result());
}

}  // namespace quern::cpu
