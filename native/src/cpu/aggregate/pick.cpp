// first, last, any_value: by place in the input, so the same on any number of threads. first and last see NULLs,
// any_value does not. With ORDER BY inside, the place is the order of the keys, then the input.
#include "columnar/compare.hpp"
#include "cpu/aggregate/box.hpp"
#include "cpu/aggregate/families.hpp"
#include "cpu/aggregate/row_order.hpp"
#include "cpu/aggregate/values.hpp"

namespace quern::cpu {

namespace {

class Pick final : public AggregateFunction {
 public:
  Pick(Memory& memory, TypePtr type, bool last, bool nulls)
      : memory_(memory), type_(std::move(type)), last_(last), nulls_(nulls) {}

  int32_t state_bytes() const override { return sizeof(Box); }
  void init(uint8_t* state) const override { Box::make(state); }
  void update(const AggregateInput& input) const override {
    const auto& column = input.args[0];
    const auto look = [&](int64_t row) {
      if (!nulls_ && !is_valid_row(*column, row)) return;
      Box& box = Box::at(input.state(row));
      const int64_t place = input.place(row);
      if (!box.value || (last_ ? place > box.place : place < box.place)) box.put(memory_, column, row, place);
    };
    // Backwards for last, so that each group changes once a batch.
    if (last_) {
      for (int64_t row = input.rows; row-- > 0;) look(row);
    } else {
      for (int64_t row = 0; row < input.rows; ++row) look(row);
    }
  }
  void merge(uint8_t* into_bytes, uint8_t* from_bytes) const override {
    Box& into = Box::at(into_bytes);
    Box& from = Box::at(from_bytes);
    if (from.value && (!into.value || (last_ ? from.place > into.place : from.place < into.place)))
      into = std::move(from);
    Box::destroy(from_bytes);
  }
  ColumnPtr finish(uint8_t* const* states, int64_t rows) const override {
    return unbox(memory_, type_, states, rows, 0);
  }
  bool owns_memory() const override { return true; }
  void destroy(uint8_t* state) const override { Box::destroy(state); }

 private:
  Memory& memory_;
  TypePtr type_;
  bool last_;
  bool nulls_;
};

// State: the value, then one box a key.
class OrderedPick final : public AggregateFunction {
 public:
  OrderedPick(Memory& memory, TypePtr type, bool last, bool nulls, std::vector<plan::SortKey> keys)
      : memory_(memory), type_(std::move(type)), last_(last), nulls_(nulls), keys_(std::move(keys)) {}

  int32_t state_bytes() const override { return static_cast<int32_t>(sizeof(Box) * (1 + keys_.size())); }
  void init(uint8_t* state) const override {
    for (size_t i = 0; i <= keys_.size(); ++i) Box::make(state + i * sizeof(Box));
  }
  void update(const AggregateInput& input) const override {
    for (int64_t row = 0; row < input.rows; ++row) {
      if (!nulls_ && !is_valid_row(*input.args[0], row)) continue;
      uint8_t* state = input.state(row);
      const int64_t place = input.place(row);
      if (Box::at(state).value) {
        int order = 0;
        for (size_t k = 0; k < keys_.size() && order == 0; ++k) {
          order = compare_by(keys_[k], *input.args[1 + k], row, *key(state, k).value, 0);
        }
        if (!wins(order, place, Box::at(state).place)) continue;
      }
      Box::at(state).put(memory_, input.args[0], row, place);
      for (size_t k = 0; k < keys_.size(); ++k) key(state, k).put(memory_, input.args[1 + k], row, place);
    }
  }
  void merge(uint8_t* into, uint8_t* from) const override {
    if (Box::at(from).value) {
      int order = -1;
      if (Box::at(into).value) {
        order = 0;
        for (size_t k = 0; k < keys_.size() && order == 0; ++k) {
          order = compare_by(keys_[k], *key(from, k).value, 0, *key(into, k).value, 0);
        }
      }
      if (!Box::at(into).value || wins(order, Box::at(from).place, Box::at(into).place)) {
        for (size_t i = 0; i <= keys_.size(); ++i)
          std::swap(Box::at(into + i * sizeof(Box)), Box::at(from + i * sizeof(Box)));
      }
    }
    destroy(from);
  }
  ColumnPtr finish(uint8_t* const* states, int64_t rows) const override {
    return unbox(memory_, type_, states, rows, 0);
  }
  bool owns_memory() const override { return true; }
  void destroy(uint8_t* state) const override {
    for (size_t i = 0; i <= keys_.size(); ++i) Box::destroy(state + i * sizeof(Box));
  }

 private:
  static Box& key(uint8_t* state, size_t k) { return Box::at(state + (k + 1) * sizeof(Box)); }
  bool wins(int order, int64_t place, int64_t held) const {
    if (order == 0) return last_ ? place > held : place < held;
    return last_ ? order > 0 : order < 0;
  }
  Memory& memory_;
  TypePtr type_;
  bool last_;
  bool nulls_;
  std::vector<plan::SortKey> keys_;
};

}  // namespace

AggregatePtr make_pick(const AggregateSpec& spec) {
  const bool last = spec.aggregate.fn == "last";
  const bool nulls = spec.aggregate.fn != "any_value";
  if (!spec.aggregate.order.empty())
    return std::make_unique<OrderedPick>(spec.memory(), spec.result(), last, nulls, spec.aggregate.order);
  return std::make_unique<Pick>(spec.memory(), spec.result(), last, nulls);
}

}  // namespace quern::cpu
