// min, max, arg_min, arg_max. NaN is the greatest float; text by bytes; nested values element by element.
#include "cpu/aggregate/families.hpp"
#include "cpu/aggregate/kept_value.hpp"
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

class KeptExtreme final : public AggregateFunction {
 public:
  KeptExtreme(Memory& memory, const TypePtr& type, bool greatest) : values_(memory, type), greatest_(greatest) {}

  int32_t state_bytes() const override { return sizeof(KeptValue); }
  void init(uint8_t* state) const override { values_.init(KeptValue::at(state)); }
  void update(const AggregateInput& input) const override {
    const auto& column = input.args[0];
    each_valid_row(*column, input.rows, [&](int64_t row) {
      KeptValue& kept = KeptValue::at(input.state(row));
      if (!kept.is_set || better(values_.compare(*column, row, kept))) values_.put(kept, column, row, *input.heap);
    });
  }
  void merge(uint8_t* into_bytes, uint8_t* from_bytes) const override {
    KeptValue &into = KeptValue::at(into_bytes), &from = KeptValue::at(from_bytes);
    if (from.is_set && (!into.is_set || better(values_.compare(from, into)))) values_.move(into, from);
    values_.destroy(from);
  }
  ColumnPtr finish(uint8_t* const* states, int64_t rows) const override { return values_.column(states, rows, 0); }
  bool owns_memory() const override { return values_.owns_memory(); }
  void destroy(uint8_t* state) const override { values_.destroy(KeptValue::at(state)); }

 private:
  bool better(int order) const { return greatest_ ? order > 0 : order < 0; }
  ValueKeeper values_;
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
  ArgExtreme(Memory& memory, const TypePtr& type, const TypePtr& key_type, bool greatest, NullRule nulls)
      : values_(memory, type), keys_(memory, key_type), greatest_(greatest), nulls_(nulls) {}

  int32_t state_bytes() const override { return sizeof(State); }
  void init(uint8_t* state) const override {
    values_.init(at(state).value);
    keys_.init(at(state).key);
  }
  void update(const AggregateInput& input) const override {
    const auto& x = input.args[0];
    const auto& y = input.args[1];
    for (int64_t row = 0; row < input.rows; ++row) {
      if (!nulls_.keep_values && !is_valid_row(*x, row)) continue;
      const bool known = is_valid_row(*y, row);
      if (!nulls_.keep_keys && !known) continue;
      State& state = at(input.state(row));
      const int64_t place = input.place(row);
      if (state.key.is_set && !better(keys_.compare(*y, row, state.key), known, place, state)) continue;
      state.place = place;
      keys_.put(state.key, y, row, *input.heap);
      values_.put(state.value, x, row, *input.heap);
    }
  }
  void merge(uint8_t* into_bytes, uint8_t* from_bytes) const override {
    State &into = at(into_bytes), &from = at(from_bytes);
    if (from.key.is_set &&
        (!into.key.is_set || better(keys_.compare(from.key, into.key), !from.key.is_null, from.place, into))) {
      into.place = from.place;
      keys_.move(into.key, from.key);
      values_.move(into.value, from.value);
    }
    destroy(from_bytes);
  }
  ColumnPtr finish(uint8_t* const* states, int64_t rows) const override {
    return values_.column(states, rows, offsetof(State, value));
  }
  bool owns_memory() const override { return values_.owns_memory() || keys_.owns_memory(); }
  void destroy(uint8_t* state) const override {
    values_.destroy(at(state).value);
    keys_.destroy(at(state).key);
  }

 private:
  struct State {
    KeptValue value;
    KeptValue key;
    int64_t place;
  };
  static State& at(uint8_t* state) { return *reinterpret_cast<State*>(state); }

  // Whether a row comes before the one that is held, of whose key its own is `order`; a NULL is last either way.
  bool better(int order, bool known, int64_t place, const State& held) const {
    if (known == held.key.is_null) return known;
    if (order == 0) return place < held.place;
    return greatest_ ? order > 0 : order < 0;
  }
  ValueKeeper values_;
  ValueKeeper keys_;
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
      return std::make_unique<KeptExtreme>(spec.memory(), spec.result(), greatest);
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
  return std::make_unique<ArgExtreme>(spec.memory(), spec.args[0], spec.args[1], greatest,
                                      NullRule{last || fn.ends_with("_null"), last});
}

}  // namespace quern::cpu
