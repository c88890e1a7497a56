// States that keep rows: list, string_agg, quantiles, mode, DISTINCT. Rows are references into batches that stay alive.
#pragma once
#include <memory>
#include <unordered_map>
#include <vector>

#include "columnar/column.hpp"
#include "context/counted_allocator.hpp"
#include "cpu/chunked_rows.hpp"

namespace quern::cpu {

// The arguments of one update, compacted, kept by every item that refers to it.
using KeptBatch = std::shared_ptr<const std::vector<ColumnPtr>>;

struct Item {
  KeptBatch batch;
  int64_t row;
  int64_t place;
};
using Items = std::vector<Item, CountedAllocator<Item>>;

// Column `index` of the items' batches, one row an item, NULL for an absent one.
inline ColumnPtr gather_items(Memory& memory, const TypePtr& type, const std::vector<const Item*>& items,
                              size_t index) {
  std::unordered_map<const void*, int64_t> numbers;
  std::vector<Batch> chunks;
  std::vector<int64_t> ids;
  ids.reserve(items.size());
  for (const Item* item : items) {
    if (item == nullptr) {
      ids.push_back(-1);
      continue;
    }
    const auto [found, fresh] = numbers.try_emplace(item->batch.get(), static_cast<int64_t>(chunks.size()));
    if (fresh) {
      const ColumnPtr& column = (*item->batch)[index];
      chunks.push_back({column->length, {column}});
    }
    ids.push_back(row_id(found->second, item->row));
  }
  if (chunks.empty()) return make_null_column(type, static_cast<int64_t>(ids.size()));
  const auto rows = std::make_shared<const ChunkedRows>(std::move(chunks));
  return rows->gather_column(memory, 0, ids.data(), static_cast<int64_t>(ids.size()));
}

}  // namespace quern::cpu
