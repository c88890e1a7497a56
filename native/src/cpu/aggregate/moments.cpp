// Variance, standard deviation and error, covariance, correlation, regression: running means (Welford), merged by
// Chan's formula.
#include <cmath>
#include <string>
#include <unordered_map>

#include "cpu/aggregate/families.hpp"
#include "cpu/aggregate/values.hpp"

namespace quern::cpu {

namespace {

enum class Spread { var_samp, var_pop, stddev_samp, stddev_pop, standard_error };

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
    out = spread == Spread::var_samp || spread == Spread::var_pop ? variance : std::sqrt(variance);
    if (spread == Spread::standard_error) out /= std::sqrt(static_cast<double>(state.count));
    if (!std::isfinite(out)) throw runtime_error("variance is out of range of DOUBLE");
    return true;
  }
};

enum class Pairing { covar_samp, covar_pop, corr, avg_x, avg_y, sxx, syy, sxy, slope, intercept, r2 };

Pairing pairing_of(const std::string& name) {
  static const std::unordered_map<std::string, Pairing> names = {{"covar_samp", Pairing::covar_samp},
                                                                 {"covar_pop", Pairing::covar_pop},
                                                                 {"corr", Pairing::corr},
                                                                 {"regr_avgx", Pairing::avg_x},
                                                                 {"regr_avgy", Pairing::avg_y},
                                                                 {"regr_sxx", Pairing::sxx},
                                                                 {"regr_syy", Pairing::syy},
                                                                 {"regr_sxy", Pairing::sxy},
                                                                 {"regr_slope", Pairing::slope},
                                                                 {"regr_intercept", Pairing::intercept},
                                                                 {"regr_r2", Pairing::r2}};
  return names.at(name);
}

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
      default:
        return state.count > 0 && regression(state, out);
    }
  }

  // Of the line through the points that is nearest in y. A line needs spread in x.
  bool regression(const State& state, double& out) const {
    switch (pairing_) {
      case Pairing::avg_x:
        out = state.mean_x;
        return true;
      case Pairing::avg_y:
        out = state.mean_y;
        return true;
      case Pairing::sxx:
        out = state.squares_x;
        break;
      case Pairing::syy:
        out = state.squares_y;
        break;
      case Pairing::sxy:
        out = state.products;
        break;
      case Pairing::slope:
        out = state.products / state.squares_x;
        return true;
      case Pairing::intercept:
        if (state.squares_x == 0) return false;
        out = state.mean_y - state.products / state.squares_x * state.mean_x;
        return true;
      case Pairing::r2: {
        if (state.squares_x == 0) return false;
        out = state.squares_y == 0 ? 1 : state.products / state.squares_x * (state.products / state.squares_y);
        return true;
      }
      default:
        throw internal_error("a statistic of pairs without a formula");
    }
    if (!std::isfinite(out)) throw runtime_error("a sum of products is out of range of DOUBLE");
    return true;
  }

  Memory& memory_;
  Pairing pairing_;
};

// regr_count: rows where neither is NULL.
class PairCount final : public AggregateFunction {
 public:
  explicit PairCount(Memory& memory) : memory_(memory) {}

  int32_t state_bytes() const override { return sizeof(uint64_t); }
  void init(uint8_t* state) const override { at(state) = 0; }
  void update(const AggregateInput& input) const override {
    for (int64_t i = 0; i < input.rows; ++i)
      at(input.state(i)) += is_valid_row(*input.args[0], i) && is_valid_row(*input.args[1], i);
  }
  void merge(uint8_t* into, uint8_t* from) const override { at(into) += at(from); }
  ColumnPtr finish(uint8_t* const* states, int64_t rows) const override {
    ColumnBuilder out(memory_, make_type(TypeKind::int64), rows);
    for (int64_t i = 0; i < rows; ++i) out.data<int64_t>()[i] = at(states[i]);
    return out.finish();
  }

 private:
  static int64_t& at(uint8_t* state) { return *reinterpret_cast<int64_t*>(state); }
  Memory& memory_;
};

}  // namespace

AggregatePtr make_variance(const AggregateSpec& spec) {
  Variance op;
  const auto& name = spec.aggregate.fn;
  op.spread = name == "var_pop"       ? Spread::var_pop
              : name == "stddev_samp" ? Spread::stddev_samp
              : name == "stddev_pop"  ? Spread::stddev_pop
              : name == "sem"         ? Spread::standard_error
                                      : Spread::var_samp;
  return std::make_unique<Fold<Variance, double, double>>(spec.memory(), spec.result(), op);
}

AggregatePtr make_pairs(const AggregateSpec& spec) {
  return std::make_unique<Pairs>(spec.memory(), pairing_of(spec.aggregate.fn));
}

AggregatePtr make_pair_count(const AggregateSpec& spec) { return std::make_unique<PairCount>(spec.memory()); }

}  // namespace quern::cpu
