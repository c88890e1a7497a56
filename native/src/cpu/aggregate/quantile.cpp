// median, quantile_cont (interpolated doubles), quantile_disc (a value of the input).
#include <algorithm>
#include <cmath>

#include "columnar/compare.hpp"
#include "cpu/aggregate/families.hpp"
#include "cpu/aggregate/gathered.hpp"
#include "cpu/aggregate/values.hpp"
#include "ops/compare.hpp"

namespace quern::cpu {

namespace {

using Doubles = std::vector<double, CountedAllocator<double>>;

double fraction_of(const AggregateSpec& spec) {
  if (spec.aggregate.fn == "median") return 0.5;
  const auto& constant = spec.constants[1];
  if (!constant) throw unsupported("quantile whose fraction is not a constant");
  if (constant->null_count > 0) throw runtime_error("quantile: the fraction is NULL");
  const double fraction = constant->values<double>()[0];
  if (!(fraction >= 0 && fraction <= 1))
    throw runtime_error("quantile: the fraction must be between 0 and 1: " + std::to_string(fraction));
  return fraction;
}

class QuantileCont final : public AggregateFunction {
 public:
  QuantileCont(Memory& memory, double fraction) : memory_(memory), fraction_(fraction) {}

  int32_t state_bytes() const override { return sizeof(Doubles); }
  void init(uint8_t* state) const override { new (state) Doubles(CountedAllocator<double>(memory_)); }
  void update(const AggregateInput& input) const override {
    each_value<double>(*input.args[0], input.rows,
                       [&](int64_t row, double value) { at(input.state(row)).push_back(value); });
  }
  void merge(uint8_t* into, uint8_t* from) const override {
    auto& values = at(into);
    const auto& others = at(from);
    values.insert(values.end(), others.begin(), others.end());
    destroy(from);
  }
  ColumnPtr finish(uint8_t* const* states, int64_t rows) const override {
    ColumnBuilder out(memory_, make_type(TypeKind::float64), rows, true);
    for (int64_t i = 0; i < rows; ++i) {
      auto& values = at(states[i]);
      if (values.empty()) {
        out.set_null(i);
      } else {
        out.data<double>()[i] = quantile(values);
      }
    }
    return out.finish();
  }
  bool owns_memory() const override { return true; }
  void destroy(uint8_t* state) const override { at(state).~Doubles(); }

 private:
  static Doubles& at(uint8_t* state) { return *std::launder(reinterpret_cast<Doubles*>(state)); }

  double quantile(Doubles& values) const {
    const double position = fraction_ * static_cast<double>(values.size() - 1);
    const auto low = static_cast<size_t>(std::floor(position));
    const auto high = static_cast<size_t>(std::ceil(position));
    const auto less = [](double a, double b) { return ops::less(a, b); };
    const auto nth = values.begin() + static_cast<std::ptrdiff_t>(low);
    std::nth_element(values.begin(), nth, values.end(), less);
    const double at_low = *nth;
    if (low == high) return at_low;
    const double at_high = *std::min_element(nth + 1, values.end(), less);
    return at_low + (at_high - at_low) * (position - static_cast<double>(low));
  }

  Memory& memory_;
  double fraction_;
};

class QuantileDisc final : public AggregateFunction {
 public:
  QuantileDisc(Memory& memory, TypePtr type, double fraction)
      : memory_(memory), type_(std::move(type)), fraction_(fraction) {}

  int32_t state_bytes() const override { return sizeof(Items); }
  void init(uint8_t* state) const override { new (state) Items(CountedAllocator<Item>(memory_)); }
  void update(const AggregateInput& input) const override {
    auto kept = std::make_shared<std::vector<ColumnPtr>>();
    kept->push_back(compact(memory_, input.args[0]));
    each_valid_row(*(*kept)[0], input.rows,
                   [&](int64_t row) { at(input.state(row)).push_back({kept, row, input.place(row)}); });
  }
  void merge(uint8_t* into, uint8_t* from) const override {
    auto& items = at(into);
    const auto& others = at(from);
    items.insert(items.end(), others.begin(), others.end());
    destroy(from);
  }
  ColumnPtr finish(uint8_t* const* states, int64_t rows) const override {
    std::vector<ColumnPtr> parts;
    for (int64_t i = 0; i < rows; ++i) {
      auto& items = at(states[i]);
      if (items.empty()) {
        parts.push_back(make_null_column(type_, 1));
        continue;
      }
      // The first value at or above the fraction of the rows.
      const auto count = static_cast<double>(items.size());
      const auto index = static_cast<size_t>(std::max(1.0, count - std::floor(count - fraction_ * count))) - 1;
      const auto nth = items.begin() + static_cast<std::ptrdiff_t>(index);
      std::nth_element(items.begin(), nth, items.end(), [](const Item& a, const Item& b) {
        return compare_values(*(*a.batch)[0], a.row, *(*b.batch)[0], b.row) < 0;
      });
      parts.push_back(slice(memory_, (*nth->batch)[0], nth->row, 1));
    }
    return concat(memory_, type_, parts);
  }
  bool owns_memory() const override { return true; }
  void destroy(uint8_t* state) const override { at(state).~Items(); }

 private:
  static Items& at(uint8_t* state) { return *std::launder(reinterpret_cast<Items*>(state)); }
  Memory& memory_;
  TypePtr type_;
  double fraction_;
};

}  // namespace

AggregatePtr make_quantile(const AggregateSpec& spec) {
  if (spec.aggregate.fn == "quantile_disc")
    return std::make_unique<QuantileDisc>(spec.memory(), spec.result(), fraction_of(spec));
  return std::make_unique<QuantileCont>(spec.memory(), fraction_of(spec));
}

}  // namespace quern::cpu
