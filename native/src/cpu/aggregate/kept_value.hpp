// One value of any type in the bytes of a state: fixed-width values and short texts in place, bytes of longer texts in
// the heap of the thread, nested values in a column of one row.
#pragma once
#include "columnar/column.hpp"

namespace quern::cpu {

// Plain data, moved by memcpy.
struct KeptValue {
  alignas(8) uint8_t value[16];  // a StringView for texts, a ColumnPtr for nested types
  char* buffer;                  // of the heap: where a longer text is
  uint32_t room;                 // bytes there
  bool is_set;
  bool is_null;

  static KeptValue& at(uint8_t* state) { return *reinterpret_cast<KeptValue*>(state); }
};
static_assert(sizeof(KeptValue) == 32);

// What values of one type need. Heaps must live as long as the states.
class ValueKeeper {
 public:
  ValueKeeper(Memory& memory, TypePtr type);

  void init(KeptValue& kept) const { kept = {}; }
  // Row `row` of a column of the type, in any form, takes the place of what was kept.
  void put(KeptValue& kept, const ColumnPtr& column, int64_t row, StringHeap& heap) const;
  // < 0 when the first is before the second; NULLs are equal and come last. Both are set.
  int compare(const Column& column, int64_t row, const KeptValue& kept) const;
  int compare(const KeptValue& a, const KeptValue& b) const;
  // `into` takes over what `from` keeps, which is as after init().
  void move(KeptValue& into, KeptValue& from) const;

  bool owns_memory() const { return nested_; }
  void destroy(KeptValue& kept) const;
  // A row a value, NULL where it is not set.
  ColumnPtr column(const std::vector<const KeptValue*>& values) const;
  // Of the values that stand `offset` bytes inside states.
  ColumnPtr column(uint8_t* const* states, int64_t rows, int64_t offset) const;

 private:
  using Compare = int (*)(const void* a, const void* b);
  static Compare compare_of(const DataType& type);

  Memory& memory_;
  TypePtr type_;
  int32_t width_;
  bool text_;
  bool nested_;
  Compare compare_;  // of the bytes of two values; null for nested types
};

}  // namespace quern::cpu
