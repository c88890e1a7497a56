// min, max, arg_min, arg_max. NaN is the greatest float; text by bytes; nested values element by element.
#include "columnar/compare.hpp"
#include "cpu/aggregate/box.hpp"
#include "cpu/aggregate/families.hpp"
#include "cpu/aggregate/values.hpp"
#include "ops/compare.hpp"

namespace quern::cpu {

namespace {

template <typename T, bool greatest>
struct Extreme {
  struct alignas(8) State {
    alignas(8) uint8_t value[(sizeof(T) + 7) / 8 * 8];
    int64_t seen;
  };
  static T load(const State& state) {
    T value;
    __builtin_memcpy(&value, state.value, sizeof value);
    return value;
  }
  static void store(State& state, T value) { __builtin_memcpy(state.value, &value, sizeof value); }

  State start() const { return {}; }
  void add(State& state, T value) const {
    const T held = load(state);
    const bool better = greatest ? ops::less<T>(held, value) : ops::less<T>(value, held);
    if (state.seen == 0 || better) store(state, value);
    state.seen = 1;
  }
  void merge(State& into, const State& from) const {
    if (from.seen != 0) add(into, load(from));
  }
  bool finish(const State& state, T& out) const {
    out = load(state);
    return state.seen != 0;
  }
};

template <typename T>
AggregatePtr make_number_extreme(const AggregateSpec& spec, bool greatest) {
  if (greatest) return std::make_unique<Fold<Extreme<T, true>, T, T>>(spec.memory(), spec.result());
  return std::make_unique<Fold<Extreme<T, false>, T, T>>(spec.memory(), spec.result());
}

// < 0 when row a is before row b; for strings without the walk through compare_values.
int order_of(const Column& a, int64_t row_a, const Column& b, int64_t row_b) {
  if (physical(*a.type) == Physical::string && a.form == Form::flat && b.form == Form::flat) {
    return ops::compare_text(a.values<StringView>()[row_a], b.values<StringView>()[row_b]);
  }
  return compare_values(a, row_a, b, row_b);
}

class BoxedExtreme final : public AggregateFunction {
 public:
  BoxedExtreme(Memory& memory, TypePtr type, bool greatest)
      : memory_(memory), type_(std::move(type)), greatest_(greatest) {}

  int32_t state_bytes() const override { return sizeof(Box); }
  void init(uint8_t* state) const override { Box::make(state); }
  void update(const AggregateInput& input) const override {
    const auto& column = input.args[0];
    each_valid_row(*column, input.rows, [&](int64_t row) {
      Box& box = Box::at(input.state(row));
      if (!box.value || better(order_of(*column, row, *box.value, 0))) box.put(memory_, column, row, 0);
    });
  }
  void merge(uint8_t* into_bytes, uint8_t* from_bytes) const override {
    Box& into = Box::at(into_bytes);
    Box& from = Box::at(from_bytes);
    if (from.value && (!into.value || better(order_of(*from.value, 0, *into.value, 0))))
      into.value = std::move(from.value);
    Box::destroy(from_bytes);
  }
  ColumnPtr finish(uint8_t* const* states, int64_t rows) const override {
    return unbox(memory_, type_, states, rows, 0);
  }
  bool owns_memory() const override { return true; }
  void destroy(uint8_t* state) const override { Box::destroy(state); }

 private:
  bool better(int order) const { return greatest_ ? order > 0 : order < 0; }
  Memory& memory_;
  TypePtr type_;
  bool greatest_;
};

// What arg_min and its kin do about NULL.
struct NullRule {
  bool keep_values;  // a row whose x is NULL counts
  bool keep_keys;    // so does one whose y is NULL, as the last of all
};

// arg_min(x, y): x of the row with the least y; of equal y the first row wins.
class ArgExtreme final : public AggregateFunction {
 public:
  ArgExtreme(Memory& memory, TypePtr type, bool greatest, NullRule nulls)
      : memory_(memory), type_(std::move(type)), greatest_(greatest), nulls_(nulls) {}

  int32_t state_bytes() const override { return 2 * sizeof(Box); }
  void init(uint8_t* state) const override {
    Box::make(state);
    Box::make(state + sizeof(Box));
  }
  void update(const AggregateInput& input) const override {
    const auto& x = input.args[0];
    const auto& y = input.args[1];
    for (int64_t row = 0; row < input.rows; ++row) {
      if (!nulls_.keep_values && !is_valid_row(*x, row)) continue;
      if (!nulls_.keep_keys && !is_valid_row(*y, row)) continue;
      uint8_t* state = input.state(row);
      Box& key = Box::at(state + sizeof(Box));
      if (key.value && !better(*y, row, *key.value, input.place(row), key.place)) continue;
      key.put(memory_, y, row, input.place(row));
      Box::at(state).put(memory_, x, row, input.place(row));
    }
  }
  void merge(uint8_t* into, uint8_t* from) const override {
    Box& key = Box::at(into + sizeof(Box));
    Box& other = Box::at(from + sizeof(Box));
    if (other.value && (!key.value || better(*other.value, 0, *key.value, other.place, key.place))) {
      key = std::move(other);
      Box::at(into) = std::move(Box::at(from));
    }
    destroy(from);
  }
  ColumnPtr finish(uint8_t* const* states, int64_t rows) const override {
    return unbox(memory_, type_, states, rows, 0);
  }
  bool owns_memory() const override { return true; }
  void destroy(uint8_t* state) const override {
    Box::destroy(state);
    Box::destroy(state + sizeof(Box));
  }

 private:
  // Whether row `row` of y comes before the key that is held.
  bool better(const Column& y, int64_t row, const Column& held, int64_t place, int64_t held_place) const {
    const bool known = is_valid_row(y, row), held_known = is_valid_row(held, 0);
    if (known != held_known) return known;
    const int order = known ? order_of(y, row, held, 0) : 0;
    if (order == 0) return place < held_place;
    return greatest_ ? order > 0 : order < 0;
  }
  Memory& memory_;
  TypePtr type_;
  bool greatest_;
  NullRule nulls_;
};

}  // namespace

AggregatePtr make_extreme(const AggregateSpec& spec) {
  const bool greatest = spec.aggregate.fn == "max";
  switch (physical(*spec.args[0])) {
    case Physical::none:
    case Physical::half:
    case Physical::string:
    case Physical::list:
    case Physical::structure:
      return std::make_unique<BoxedExtreme>(spec.memory(), spec.result(), greatest);
    case Physical::interval:
      return make_number_extreme<Interval>(spec, greatest);
    case Physical::int128:
      if (spec.args[0]->kind == TypeKind::uuid) return make_number_extreme<uint128_t>(spec, greatest);
      break;
    default:
      break;
  }
  return with_number(physical(*spec.args[0]), [&]<typename T>() { return make_number_extreme<T>(spec, greatest); });
}

AggregatePtr make_arg_extreme(const AggregateSpec& spec) {
  const std::string& fn = spec.aggregate.fn;
  const bool greatest = fn.starts_with("arg_max");
  const bool last = fn.ends_with("_nulls_last");
  return std::make_unique<ArgExtreme>(spec.memory(), spec.result(), greatest,
                                      NullRule{last || fn.ends_with("_null"), last});
}

}  // namespace quern::cpu
