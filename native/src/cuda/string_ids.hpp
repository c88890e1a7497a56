// Numbers of the distinct strings of columns, the same in all of them: what a key of strings is to kernels. Which
// string has which number depends on chance.
#pragma once
#include "cuda/device_column.hpp"
#include "cuda/fragments/string_table.cuh"

namespace quern::cuda {

class StringIds {
 public:
  // 8 MiB.
  static constexpr uint64_t most_first_slots = 1 << 20;
  // Slots of a table for the strings of so many rows, which may be few.
  static uint64_t slots_for(int64_t rows);
  // `first_slots`: a power of two; the table grows up to eightfold at a time as strings come.
  StringIds(Device& device, const Layout& layout, TypePtr type, uint64_t first_slots = most_first_slots);

  // The number of each row's string, 0 where it is NULL; strings that have none get one.
  DeviceColumnPtr number(const DeviceColumn& strings);
  // For find_string(), until the next number().
  const StringTable& table() const { return table_; }
  int64_t count() const { return static_cast<int64_t>(count_); }
  // The strings of numbers.
  DeviceColumnPtr strings(const DeviceColumn& numbers) const;

 private:
  void grow(uint64_t slots);
  void reserve_entries(uint64_t count);

  Device& device_;
  Layout layout_;
  TypePtr type_;
  uint64_t count_ = 0;
  StringTable table_{};
  DeviceBufferPtr slots_, entries_;
  uint64_t entry_room_ = 0;
  std::vector<DeviceColumnPtr> kept_;  // NULL, then the strings by number; entries point at their bytes
};

}  // namespace quern::cuda
