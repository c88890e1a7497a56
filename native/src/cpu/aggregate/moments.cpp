// Variance, standard deviation, covariance, correlation: running means (Welford), merged by Chan's formula.
#include <cmath>

#include "cpu/aggregate/families.hpp"
#include "cpu/aggregate/values.hpp"

namespace quern::cpu {

namespace {

enum class Spread { var_samp, var_pop, stddev_samp, stddev_pop };

struct Variance {
  struct State {
    int64_t count;
    double mean;
    double squares;  // sum of squared distances from the mean
  };
  Spread spread = Spread::var_samp;

  State start() const { return {0, 0, 0}; }
  void add(State& state, double value) const {
    ++state.count;
    const double distance = value - state.mean;
    state.mean += distance / static_cast<double>(state.count);
    state.squares += distance * (value - state.mean);
  }
  void merge(State& into, const State& from) const {
    if (from.count == 0) return;
    if (into.count == 0) {
      into = from;
      return;
    }
    const auto n = static_cast<double>(into.count), m = static_cast<double>(from.count);
    const double distance = from.mean - into.mean;
    into.squares += from.squares + distance * distance * n * m / (n + m);
    into.mean = (n * into.mean + m * from.mean) / (n + m);
    into.count += from.count;
  }
  bool finish(const State& state, double& out) const {
    const bool sample = spread == Spread::var_samp || spread == Spread::stddev_samp;
    if (state.count < (sample ? 2 : 1)) return false;
    const double variance =
        state.count > 1 ? state.squares / static_cast<double>(sample ? state.count - 1 : state.count) : 0;
    out = spread == Spread::stddev_samp || spread == Spread::stddev_pop ? std::sqrt(variance) : variance;
    if (!std::isfinite(out)) throw runtime_error("variance is out of range of DOUBLE");
    return true;
  }
};

enum class Pairing { covar_samp, covar_pop, corr };

// Two columns: rows where either is NULL do not count.
class Pairs final : public AggregateFunction {
 public:
  Pairs(Memory& memory, Pairing pairing) : memory_(memory), pairing_(pairing) {}

  int32_t state_bytes() const override { return sizeof(State); }
  void init(uint8_t* state) const override { at(state) = {}; }
  void update(const AggregateInput& input) const override {
    const auto y = flatten(memory_, input.args[0]);
    const auto x = flatten(memory_, input.args[1]);
    for (int64_t i = 0; i < input.rows; ++i) {
      if (is_valid_row(*y, i) && is_valid_row(*x, i))
        add(at(input.state(i)), y->values<double>()[i], x->values<double>()[i]);
    }
  }
  void merge(uint8_t* into_bytes, uint8_t* from_bytes) const override {
    State& into = at(into_bytes);
    const State& from = at(from_bytes);
    if (from.count == 0) return;
    if (into.count == 0) {
      into = from;
      return;
    }
    const auto n = static_cast<double>(into.count), m = static_cast<double>(from.count);
    const double dy = from.mean_y - into.mean_y, dx = from.mean_x - into.mean_x;
    const double weight = n * m / (n + m);
    into.products += from.products + dy * dx * weight;
    into.squares_y += from.squares_y + dy * dy * weight;
    into.squares_x += from.squares_x + dx * dx * weight;
    into.mean_y = (n * into.mean_y + m * from.mean_y) / (n + m);
    into.mean_x = (n * into.mean_x + m * from.mean_x) / (n + m);
    into.count += from.count;
  }
  ColumnPtr finish(uint8_t* const* states, int64_t rows) const override {
    ColumnBuilder out(memory_, make_type(TypeKind::float64), rows, true);
    for (int64_t i = 0; i < rows; ++i) {
      if (!result(at(states[i]), out.data<double>()[i])) out.set_null(i);
    }
    return out.finish();
  }

 private:
  struct State {
    int64_t count;
    double mean_y, mean_x;
    double products, squares_y, squares_x;
  };
  static State& at(uint8_t* state) { return *reinterpret_cast<State*>(state); }

  static void add(State& state, double y, double x) {
    ++state.count;
    const auto n = static_cast<double>(state.count);
    const double dy = y - state.mean_y, dx = x - state.mean_x;
    state.mean_y += dy / n;
    state.mean_x += dx / n;
    state.products += dx * (y - state.mean_y);
    state.squares_y += dy * (y - state.mean_y);
    state.squares_x += dx * (x - state.mean_x);
  }

  bool result(const State& state, double& out) const {
    const auto n = static_cast<double>(state.count);
    switch (pairing_) {
      case Pairing::covar_samp:
        if (state.count < 2) return false;
        out = state.products / (n - 1);
        return true;
      case Pairing::covar_pop:
        if (state.count < 1) return false;
        out = state.products / n;
        return true;
      case Pairing::corr: {
        if (state.count < 1) return false;
        // No spread in one of the columns gives NaN, as 0 / 0 does.
        out = state.products / std::sqrt(state.squares_y * state.squares_x);
        return true;
      }
    }
    return false;
  }

  Memory& memory_;
  Pairing pairing_;
};

}  // namespace

AggregatePtr make_variance(const AggregateSpec& spec) {
  Variance op;
  const auto& name = spec.aggregate.fn;
  op.spread = name == "var_pop"       ? Spread::var_pop
              : name == "stddev_samp" ? Spread::stddev_samp
              : name == "stddev_pop"  ? Spread::stddev_pop
                                      : Spread::var_samp;
  return std::make_unique<Fold<Variance, double, double>>(spec.memory(), spec.result(), op);
}

AggregatePtr make_pairs(const AggregateSpec& spec) {
  const auto& name = spec.aggregate.fn;
  return std::make_unique<Pairs>(spec.memory(), name == "corr"        ? Pairing::corr
                                                : name == "covar_pop" ? Pairing::covar_pop
                                                                      : Pairing::covar_samp);
}

}  // namespace quern::cpu
