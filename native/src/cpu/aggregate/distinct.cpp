// DISTINCT inside an aggregate, count(DISTINCT x).
#include <algorithm>

#include "columnar/dispatch.hpp"
#include "cpu/aggregate/distinct_rows.hpp"
#include "cpu/aggregate/families.hpp"
#include "cpu/aggregate/value_index.hpp"
#include "cpu/aggregate/values.hpp"
#include "cpu/serialize.hpp"

namespace quern::cpu {

namespace {

// One pattern for all NaNs and for both zeros; other kinds are their own words.
template <typename T>
uint64_t word_of_value(T value, Physical kind, TypeKind type) {
  if constexpr (sizeof(T) == 8) return kind == Physical::float64 ? canonical_float64(value) : value;
  if constexpr (sizeof(T) == 4) return kind == Physical::float32 ? canonical_float32(value) : value;
  if constexpr (sizeof(T) == 2) return kind == Physical::half ? canonical_half(value, type) : value;
  return static_cast<uint64_t>(value);
}

class CountDistinctWords final : public AggregateFunction {
 public:
  CountDistinctWords(Memory& memory, TypePtr arg) : memory_(memory), arg_(std::move(arg)) {}

  int32_t state_bytes() const override { return sizeof(WordSet); }
  void init(uint8_t* state) const override { new (state) WordSet(memory_); }
  void update(const AggregateInput& input) const override {
    const Physical kind = physical(*arg_);
    with_width(width(kind), [&]<typename T>() {
      if constexpr (sizeof(T) <= 8) {
        const auto word = [&](T value) { return word_of_value(value, kind, arg_->kind); };
        if (input.one_group) {
          WordSet& set = at(input.state(0));
          each_value<T>(*input.args[0], input.rows, [&](int64_t, T value) { set.insert(word(value)); });
        } else {
          each_value<T>(*input.args[0], input.rows,
                        [&](int64_t row, T value) { at(input.state(row)).insert(word(value)); });
        }
      }
    });
  }
  void merge(uint8_t* into, uint8_t* from) const override {
    at(into).merge(at(from));
    destroy(from);
  }
  ColumnPtr finish(uint8_t* const* states, int64_t rows) const override {
    ColumnBuilder out(memory_, make_type(TypeKind::int64), rows);
    for (int64_t i = 0; i < rows; ++i) out.data<int64_t>()[i] = at(states[i]).size();
    return out.finish();
  }
  bool owns_memory() const override { return true; }
  void destroy(uint8_t* state) const override { at(state).~WordSet(); }

 private:
  static WordSet& at(uint8_t* state) { return *std::launder(reinterpret_cast<WordSet*>(state)); }
  Memory& memory_;
  TypePtr arg_;
};

class DistinctAggregate final : public DistinctRows {
 public:
  DistinctAggregate(Memory& memory, std::vector<TypePtr> arg_types, size_t compared, AggregatePtr inner)
      : DistinctRows(memory, std::move(arg_types), compared, true), inner_(std::move(inner)) {}

  ColumnPtr finish(uint8_t* const* states, int64_t rows) const override {
    InnerStates inner(memory_, *inner_, rows);
    StringHeap heap(memory_);
    std::vector<const Item*> items;
    std::vector<uint8_t*> groups;
    for (int64_t i = 0; i < rows; ++i) {
      const auto first = static_cast<std::ptrdiff_t>(items.size());
      for (const auto& item : at(states[i]).items) items.push_back(&item);
      std::sort(items.begin() + first, items.end(), [](const Item* a, const Item* b) { return a->place < b->place; });
      groups.resize(items.size(), inner.states()[i]);
    }
    if (!items.empty()) {
      std::vector<ColumnPtr> args;
      for (size_t i = 0; i < arg_types_.size(); ++i) args.push_back(gather_items(memory_, arg_types_[i], items, i));
      AggregateInput input;
      input.args = args.data();
      input.rows = static_cast<int64_t>(items.size());
      input.groups = groups.data();
      input.heap = &heap;
      inner_->update(input);
    }
    return inner_->finish(inner.states(), rows);
  }

 private:
  // States of the inner aggregate, one a group.
  class InnerStates {
   public:
    InnerStates(Memory& memory, const AggregateFunction& function, int64_t rows)
        : function_(function), bytes_(memory.allocate(static_cast<size_t>(rows * function.state_bytes()))) {
      for (int64_t i = 0; i < rows; ++i) {
        states_.push_back(bytes_->data() + i * function.state_bytes());
        function.init(states_.back());
      }
    }
    InnerStates(const InnerStates&) = delete;
    InnerStates& operator=(const InnerStates&) = delete;
    ~InnerStates() {
      for (uint8_t* state : states_) function_.destroy(state);
    }
    uint8_t* const* states() const { return states_.data(); }

   private:
    const AggregateFunction& function_;
    BufferPtr bytes_;
    std::vector<uint8_t*> states_;
  };

  AggregatePtr inner_;
};

class CountDistinctRows final : public DistinctRows {
 public:
  CountDistinctRows(Memory& memory, std::vector<TypePtr> arg_types)
      : DistinctRows(memory, std::move(arg_types), 1, false) {}

  ColumnPtr finish(uint8_t* const* states, int64_t rows) const override {
    ColumnBuilder out(memory_, make_type(TypeKind::int64), rows);
    for (int64_t i = 0; i < rows; ++i) out.data<int64_t>()[i] = static_cast<int64_t>(at(states[i]).items.size());
    return out.finish();
  }
};

}  // namespace

AggregatePtr make_count_distinct(const AggregateSpec& spec) {
  const auto& type = spec.args[0];
  const auto kind = physical(*type);
  const bool words = kind != Physical::none && kind != Physical::structure && width(kind) <= 8;
  if (words) return std::make_unique<CountDistinctWords>(spec.memory(), type);
  return std::make_unique<CountDistinctRows>(spec.memory(), spec.args);
}

AggregatePtr make_distinct(const AggregateSpec& spec, AggregatePtr inner) {
  return std::make_unique<DistinctAggregate>(spec.memory(), spec.args, spec.aggregate.args.size(), std::move(inner));
}

}  // namespace quern::cpu
