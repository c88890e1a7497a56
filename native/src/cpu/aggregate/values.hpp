// Visiting the valid values of a column of any form.
#pragma once
#include "columnar/column.hpp"
#include "columnar/dispatch.hpp"
#include "cpu/aggregate.hpp"

namespace quern::cpu {

// visit(row, value) for every row that is not null, in order. T is the storage type of the column.
template <typename T, typename Visit>
void each_value(const Column& column, int64_t rows, Visit&& visit) {
  if (column.type->kind == TypeKind::null) return;
  const T* data = column.values<T>();
  switch (column.form) {
    case Form::constant:
      if (column.null_count > 0) return;
      for (int64_t i = 0; i < rows; ++i) visit(i, data[0]);
      return;
    case Form::dictionary: {
      const auto* codes = column.values<uint32_t>();
      const T* entries = column.children[0]->values<T>();
      for (int64_t i = 0; i < rows; ++i) {
        if (column.is_valid(i)) visit(i, entries[codes[i]]);
      }
      return;
    }
    case Form::flat:
      if (column.validity == nullptr) {
        for (int64_t i = 0; i < rows; ++i) visit(i, data[i]);
        return;
      }
      for (int64_t i = 0; i < rows; ++i) {
        if (bit_at(column.validity, i)) visit(i, data[i]);
      }
  }
}

// visit(row) for every row that is not null.
template <typename Visit>
void each_valid_row(const Column& column, int64_t rows, Visit&& visit) {
  if (column.type->kind == TypeKind::null) return;
  const bool constant = column.form == Form::constant;
  if (constant && column.null_count > 0) return;
  for (int64_t i = 0; i < rows; ++i) {
    if (constant || column.is_valid(i)) visit(i);
  }
}

inline bool is_valid_row(const Column& column, int64_t row) {
  return column.type->kind != TypeKind::null && column.is_valid(column.form == Form::constant ? 0 : row);
}

// An aggregate whose state is plain data folded value by value. Op gives:
//   State (plain, aligned to 8), start(), add(State&, T), merge(State&, const State&),
//   finish(const State&, Out&) → false for NULL.
template <typename Op, typename T, typename Out>
class Fold final : public AggregateFunction {
 public:
  using State = typename Op::State;
  static_assert(alignof(State) <= 8 && sizeof(State) % 8 == 0);

  Fold(Memory& memory, TypePtr type, Op op = {}) : memory_(memory), type_(std::move(type)), op_(std::move(op)) {}

  int32_t state_bytes() const override { return sizeof(State); }
  void init(uint8_t* state) const override { *reinterpret_cast<State*>(state) = op_.start(); }
  void update(const AggregateInput& input) const override {
    if (input.one_group) {
      // A copy in registers: the compiler need not store it back after every value.
      State state = *reinterpret_cast<State*>(input.state(0));
      each_value<T>(*input.args[0], input.rows, [&](int64_t, T value) { op_.add(state, value); });
      *reinterpret_cast<State*>(input.state(0)) = state;
      return;
    }
    uint8_t* const* groups = input.groups;
    const int64_t offset = input.offset;
    each_value<T>(*input.args[0], input.rows,
                  [&](int64_t row, T value) { op_.add(*reinterpret_cast<State*>(groups[row] + offset), value); });
  }
  void merge(uint8_t* into, uint8_t* from) const override {
    op_.merge(*reinterpret_cast<State*>(into), *reinterpret_cast<const State*>(from));
  }
  ColumnPtr finish(uint8_t* const* states, int64_t rows) const override {
    ColumnBuilder out(memory_, type_, rows, true);
    Out* data = out.data<Out>();
    for (int64_t i = 0; i < rows; ++i) {
      if (!op_.finish(*reinterpret_cast<const State*>(states[i]), data[i])) {
        out.set_null(i);
        data[i] = Out{};
      }
    }
    return out.finish();
  }

 private:
  Memory& memory_;
  TypePtr type_;
  Op op_;
};

using AggregatePtr = std::unique_ptr<AggregateFunction>;

// What a factory is given.
struct AggregateSpec {
  Context& context;
  const plan::Aggregate& aggregate;
  std::vector<TypePtr> args;         // of the arguments, then of the ORDER BY keys
  std::vector<ColumnPtr> constants;  // argument that is a literal: its one-row column; else null

  Memory& memory() const { return context.memory(); }
  const TypePtr& result() const { return aggregate.type; }
};

}  // namespace quern::cpu
