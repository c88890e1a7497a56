// first, last, any_value: by place in the input, so the same on any number of threads. first and last see NULLs,
// any_value does not. With ORDER BY inside, the place is the order of the keys, then the input.
#include <algorithm>

#include "cpu/aggregate/families.hpp"
#include "cpu/aggregate/kept_value.hpp"
#include "cpu/aggregate/values.hpp"

namespace quern::cpu {

namespace {

// State: the place, the value, then one value a key of the ORDER BY.
class Pick final : public AggregateFunction {
 public:
  Pick(const AggregateSpec& spec, bool last, bool nulls) : last_(last), nulls_(nulls), keys_(spec.aggregate.order) {
    values_.emplace_back(spec.memory(), spec.args[0]);
    for (size_t key = 0; key < keys_.size(); ++key) values_.emplace_back(spec.memory(), spec.args[1 + key]);
  }

  int32_t state_bytes() const override {
    return static_cast<int32_t>(sizeof(int64_t) + values_.size() * sizeof(KeptValue));
  }
  void init(uint8_t* state) const override {
    place(state) = 0;
    for (size_t i = 0; i < values_.size(); ++i) values_[i].init(kept(state, i));
  }
  void update(const AggregateInput& input) const override {
    const auto look = [&](int64_t row) {
      if (!nulls_ && !is_valid_row(*input.args[0], row)) return;
      uint8_t* state = input.state(row);
      const int64_t at = input.place(row);
      if (kept(state, 0).is_set && !wins(order_of(input, row, state), at, place(state))) return;
      place(state) = at;
      for (size_t i = 0; i < values_.size(); ++i) values_[i].put(kept(state, i), input.args[i], row, *input.heap);
    };
    // Backwards for last, so that each group changes once a batch.
    if (last_) {
      for (int64_t row = input.rows; row-- > 0;) look(row);
    } else {
      for (int64_t row = 0; row < input.rows; ++row) look(row);
    }
  }
  void merge(uint8_t* into, uint8_t* from) const override {
    if (kept(from, 0).is_set && (!kept(into, 0).is_set || wins(order_of(from, into), place(from), place(into)))) {
      place(into) = place(from);
      for (size_t i = 0; i < values_.size(); ++i) values_[i].move(kept(into, i), kept(from, i));
    }
    destroy(from);
  }
  ColumnPtr finish(uint8_t* const* states, int64_t rows) const override {
    return values_[0].column(states, rows, sizeof(int64_t));
  }
  bool owns_memory() const override {
    return std::any_of(values_.begin(), values_.end(), [](const auto& values) { return values.owns_memory(); });
  }
  void destroy(uint8_t* state) const override {
    for (size_t i = 0; i < values_.size(); ++i) values_[i].destroy(kept(state, i));
  }

 private:
  static int64_t& place(uint8_t* state) { return *reinterpret_cast<int64_t*>(state); }
  static KeptValue& kept(uint8_t* state, size_t i) {
    return KeptValue::at(state + sizeof(int64_t) + i * sizeof(KeptValue));
  }

  // < 0 when a key whose order against the other is `order` comes first; NULLs where the key says.
  static int keyed(const plan::SortKey& key, int order, bool null, bool other_null) {
    if (null && other_null) return 0;
    if (null || other_null) return null == key.nulls_first ? -1 : 1;
    return key.descending ? -order : order;
  }
  int order_of(const AggregateInput& input, int64_t row, uint8_t* state) const {
    int order = 0;
    for (size_t k = 0; k < keys_.size() && order == 0; ++k) {
      const Column& column = *input.args[1 + k];
      const KeptValue& held = kept(state, 1 + k);
      order = keyed(keys_[k], values_[1 + k].compare(column, row, held), !is_valid_row(column, row), held.is_null);
    }
    return order;
  }
  int order_of(uint8_t* from, uint8_t* into) const {
    int order = 0;
    for (size_t k = 0; k < keys_.size() && order == 0; ++k) {
      const KeptValue &a = kept(from, 1 + k), &b = kept(into, 1 + k);
      order = keyed(keys_[k], values_[1 + k].compare(a, b), a.is_null, b.is_null);
    }
    return order;
  }
  bool wins(int order, int64_t at, int64_t held) const {
    if (order == 0) return last_ ? at > held : at < held;
    return last_ ? order > 0 : order < 0;
  }
  bool last_;
  bool nulls_;
  std::vector<plan::SortKey> keys_;
  std::vector<ValueKeeper> values_;
};

}  // namespace

AggregatePtr make_pick(const AggregateSpec& spec) {
  return std::make_unique<Pick>(spec, spec.aggregate.fn == "last", spec.aggregate.fn != "any_value");
}

}  // namespace quern::cpu
