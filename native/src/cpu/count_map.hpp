// Maps of values to how often they came, as histogram and list_histogram make them.
#pragma once
#include <algorithm>
#include <vector>

#include "columnar/column.hpp"

namespace quern::cpu {

// The entries of a column of type `map` (to UBIGINT): one a key, `counts` beside them.
inline ColumnPtr count_entries(Memory& memory, const DataType& map, ColumnPtr keys,
                               const std::vector<uint64_t>& counts) {
  const auto total = static_cast<int64_t>(counts.size());
  ColumnBuilder values(memory, map.children[1], total);
  std::copy(counts.begin(), counts.end(), values.data<uint64_t>());
  ColumnBuilder entries(memory, map_entry_type(map), total);
  entries.add_child(std::move(keys));
  entries.add_child(values.finish());
  return entries.finish();
}

}  // namespace quern::cpu
