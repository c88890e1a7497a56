// median, quantile_cont and approx_quantile (interpolated), quantile_disc (a value of the input), mad.
#include <algorithm>
#include <cmath>

#include "columnar/compare.hpp"
#include "cpu/aggregate/families.hpp"
#include "cpu/aggregate/gathered.hpp"
#include "cpu/aggregate/value_list.hpp"
#include "ops/calendar.hpp"

namespace quern::cpu {

namespace {

// Fractions of the rows in order; a negative one (-0.0 too) counts from the greatest.
struct Fractions {
  std::vector<double> values;
  bool list = false;  // the result is a list, one value a fraction
};

double checked(double fraction) {
  if (!(std::fabs(fraction) <= 1))
    throw runtime_error("quantile: the fraction must be between -1 and 1: " + std::to_string(fraction));
  return fraction;
}

Fractions fractions_of(const AggregateSpec& spec) {
  if (spec.aggregate.fn == "median") return {{0.5}, false};
  const auto& constant = spec.constants[1];
  if (!constant) throw unsupported("quantile whose fraction is not a constant");
  if (constant->null_count > 0) throw runtime_error("quantile: the fraction is NULL");
  if (constant->type->kind != TypeKind::list) return {{checked(constant->values<double>()[0])}, false};
  const ListEntry entry = constant->values<ListEntry>()[0];
  const ColumnPtr elements = flatten(spec.memory(), constant->children[0]);
  Fractions fractions{{}, true};
  for (int64_t i = entry.start; i < entry.start + entry.length; ++i) {
    if (!elements->is_valid(i)) throw runtime_error("quantile: a fraction is NULL");
    fractions.values.push_back(checked(elements->values<double>()[i]));
  }
  return fractions;
}

// One value a state and fraction: NULL for a state without values. pick(state, fraction) → column of one row.
template <typename Empty, typename Pick>
ColumnPtr finish_fractions(Memory& memory, const TypePtr& type, const Fractions& fractions, uint8_t* const* states,
                           int64_t rows, Empty empty, Pick pick) {
  const TypePtr& element = fractions.list ? type->children[0] : type;
  std::vector<ColumnPtr> values;
  ColumnBuilder lists(memory, type, fractions.list ? rows : 0, true);
  for (int64_t i = 0; i < rows; ++i) {
    const auto start = static_cast<int64_t>(values.size());
    if (empty(states[i])) {
      if (fractions.list)
        lists.set_null(i);
      else
        values.push_back(make_null_column(type, 1));
      continue;
    }
    for (const double fraction : fractions.values) values.push_back(pick(states[i], fraction));
    const auto count = static_cast<int64_t>(values.size()) - start;
    if (fractions.list) lists.data<ListEntry>()[i] = {count > 0 ? start : 0, count};
  }
  const ColumnPtr all = concat(memory, element, values);
  if (!fractions.list) return all;
  lists.add_child(all);
  return lists.finish();
}

// Interpolated values; of whole numbers rounded to the nearest, halves to even.
template <typename T, typename Stored, typename Out>
class QuantileCont final : public ValueList<T, Stored> {
 public:
  explicit QuantileCont(const AggregateSpec& spec)
      : ValueList<T, Stored>(spec.memory()), type_(spec.result()), fractions_(fractions_of(spec)) {}

  ColumnPtr finish(uint8_t* const* states, int64_t rows) const override {
    if (!fractions_.list) return finish_numbers(states, rows);
    return finish_fractions(
        this->memory_, type_, fractions_, states, rows,
        [](uint8_t* state) { return ValueList<T, Stored>::at(state).empty(); },
        [&](uint8_t* state, double fraction) {
          ColumnBuilder one(this->memory_, type_->children[0], 1);
          one.template data<Out>()[0] = value_at(state, fraction);
          return one.finish();
        });
  }

 private:
  ColumnPtr finish_numbers(uint8_t* const* states, int64_t rows) const {
    ColumnBuilder out(this->memory_, type_, rows, true);
    for (int64_t i = 0; i < rows; ++i) {
      if (ValueList<T, Stored>::at(states[i]).empty())
        out.set_null(i);
      else
        out.template data<Out>()[i] = value_at(states[i], fractions_.values[0]);
    }
    return out.finish();
  }
  Out value_at(uint8_t* state, double fraction) const {
    const T value = interpolated(ValueList<T, Stored>::at(state), std::signbit(fraction) ? 1 + fraction : fraction);
    if constexpr (std::is_floating_point_v<T> && !std::is_floating_point_v<Out>)
      return static_cast<Out>(std::nearbyint(value));
    else
      return static_cast<Out>(value);
  }
  TypePtr type_;
  Fractions fractions_;
};

class QuantileDisc final : public AggregateFunction {
 public:
  explicit QuantileDisc(const AggregateSpec& spec)
      : memory_(spec.memory()), type_(spec.result()), fractions_(fractions_of(spec)) {}

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
    return finish_fractions(
        memory_, type_, fractions_, states, rows, [](uint8_t* state) { return at(state).empty(); },
        [&](uint8_t* state, double fraction) { return value_at(at(state), fraction); });
  }
  bool owns_memory() const override { return true; }
  void destroy(uint8_t* state) const override { at(state).~Items(); }

 private:
  static Items& at(uint8_t* state) { return *std::launder(reinterpret_cast<Items*>(state)); }

  // The first value at or above the fraction of the rows, from the greatest down for a negative fraction.
  ColumnPtr value_at(Items& items, double fraction) const {
    const bool down = std::signbit(fraction);
    const auto count = static_cast<double>(items.size());
    const double share = std::fabs(fraction);
    const auto index = static_cast<size_t>(std::max(1.0, count - std::floor(count - share * count))) - 1;
    const auto nth = items.begin() + static_cast<std::ptrdiff_t>(index);
    std::nth_element(items.begin(), nth, items.end(), [down](const Item& a, const Item& b) {
      const int order = compare_values(*(*a.batch)[0], a.row, *(*b.batch)[0], b.row);
      return down ? order > 0 : order < 0;
    });
    return slice(memory_, (*nth->batch)[0], nth->row, 1);
  }

  Memory& memory_;
  TypePtr type_;
  Fractions fractions_;
};

// mad: the median distance from the median. Of dates and times an interval.
template <typename T, typename Stored, typename Out>
class MedianDistance final : public ValueList<T, Stored> {
 public:
  explicit MedianDistance(const AggregateSpec& spec) : ValueList<T, Stored>(spec.memory()), type_(spec.result()) {}

  ColumnPtr finish(uint8_t* const* states, int64_t rows) const override {
    ColumnBuilder out(this->memory_, type_, rows, true);
    for (int64_t i = 0; i < rows; ++i) {
      auto& values = ValueList<T, Stored>::at(states[i]);
      if (values.empty())
        out.set_null(i);
      else
        put(distance(values), out.template data<Out>()[i]);
    }
    return out.finish();
  }

 private:
  static T distance(Values<T>& values) {
    const T middle = interpolated(values, 0.5);
    for (T& value : values) value = value < middle ? middle - value : value - middle;
    return interpolated(values, 0.5);
  }
  static void put(double value, double& out) { out = value; }
  static void put(int64_t micros, Interval& out) {
    out = {0, static_cast<int32_t>(micros / ops::day_micros), micros % ops::day_micros};
  }
  TypePtr type_;
};

}  // namespace

AggregatePtr make_quantile(const AggregateSpec& spec) {
  const std::string& fn = spec.aggregate.fn;
  if (fn == "quantile_disc") return std::make_unique<QuantileDisc>(spec);
  const DataType& type = *spec.args[0];
  if (type.kind == TypeKind::date) return std::make_unique<QuantileCont<int64_t, int32_t, int32_t>>(spec);
  if (type.kind == TypeKind::timestamp || type.kind == TypeKind::time)
    return std::make_unique<QuantileCont<int64_t, int64_t, int64_t>>(spec);
  return with_number(physical(type),
                     [&]<typename T>() -> AggregatePtr { return std::make_unique<QuantileCont<double, T, T>>(spec); });
}

AggregatePtr make_median_distance(const AggregateSpec& spec) {
  const DataType& type = *spec.args[0];
  if (type.kind == TypeKind::float64) return std::make_unique<MedianDistance<double, double, double>>(spec);
  if (type.unit != TimeUnit::us) throw unsupported("mad of " + type_name(type));
  return std::make_unique<MedianDistance<int64_t, int64_t, Interval>>(spec);
}

}  // namespace quern::cpu
