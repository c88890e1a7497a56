// A state that holds one value of any type, and where it stood in the input.
#pragma once
#include <new>

#include "columnar/column.hpp"

namespace quern::cpu {

// Lives in the bytes of a state. `value` is a column of one row, or null when nothing was seen.
struct Box {
  ColumnPtr value;
  int64_t place = 0;

  static Box& at(uint8_t* state) { return *std::launder(reinterpret_cast<Box*>(state)); }
  static void make(uint8_t* state) { new (state) Box(); }
  static void destroy(uint8_t* state) { at(state).~Box(); }
  void put(Memory& memory, const ColumnPtr& column, int64_t row, int64_t where) {
    value = compact(memory, slice(memory, column, row, 1));
    place = where;
  }
};
static_assert(sizeof(Box) % 8 == 0);

// One row a box; NULL where it is empty.
inline ColumnPtr unbox(Memory& memory, const TypePtr& type, uint8_t* const* states, int64_t rows, int64_t offset) {
  std::vector<ColumnPtr> values(static_cast<size_t>(rows));
  for (int64_t i = 0; i < rows; ++i) {
    const auto& value = Box::at(states[i] + offset).value;
    values[static_cast<size_t>(i)] = value ? value : make_null_column(type, 1);
  }
  return concat(memory, type, values);
}

}  // namespace quern::cpu
