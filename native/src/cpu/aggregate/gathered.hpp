// States that keep rows: list, string_agg, quantiles, mode, DISTINCT. Rows are references into batches that stay alive.
#pragma once
#include <map>
#include <memory>
#include <vector>

#include "columnar/column.hpp"
#include "context/counted_allocator.hpp"

namespace quern::cpu {

// The arguments of one update, compacted, kept by every item that refers to it.
using KeptBatch = std::shared_ptr<const std::vector<ColumnPtr>>;

struct Item {
  KeptBatch batch;
  int64_t row;
  int64_t place;
};
using Items = std::vector<Item, CountedAllocator<Item>>;

// Column `index` of the items' batches, one row an item.
inline ColumnPtr gather_items(Memory& memory, const TypePtr& type, const std::vector<const Item*>& items,
                              size_t index) {
  std::map<const void*, int64_t> starts;
  std::vector<ColumnPtr> columns;
  std::vector<int64_t> rows;
  rows.reserve(items.size());
  int64_t total = 0;
  for (const Item* item : items) {
    const auto [found, fresh] = starts.try_emplace(item->batch.get(), total);
    if (fresh) {
      columns.push_back((*item->batch)[index]);
      total += columns.back()->length;
    }
    rows.push_back(found->second + item->row);
  }
  const auto all = concat(memory, type, columns);
  return gather(memory, all, rows.data(), static_cast<int64_t>(rows.size()));
}

}  // namespace quern::cpu
