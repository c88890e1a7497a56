// Rows that the state of an aggregate keeps, and reading them back in input order or in an order of their own: 8 bytes
// a row, and a reference to each batch that a row of it is kept from.
#pragma once
#include <memory>
#include <vector>

#include "columnar/column.hpp"
#include "context/counted_allocator.hpp"
#include "cpu/aggregate.hpp"
#include "cpu/chunked_rows.hpp"

namespace quern::cpu {

// The arguments of one update, compacted. Rows come later in the input the greater the sequence, then the row.
struct KeptArguments {
  std::vector<ColumnPtr> columns;
  int64_t sequence = 0;
};
using KeptArgumentsPtr = std::shared_ptr<const KeptArguments>;

// The first `count` arguments.
KeptArgumentsPtr keep_arguments(Memory& memory, const AggregateInput& input, size_t count);

class KeptRows {
 public:
  explicit KeptRows(Memory& memory)
      : ids_(CountedAllocator<int64_t>(memory)), batches_(CountedAllocator<KeptArgumentsPtr>(memory)) {}

  void add(const KeptArgumentsPtr& batch, int64_t row) {
    if (batches_.empty() || batches_.back() != batch) batches_.push_back(batch);
    ids_.push_back(row_id(static_cast<int64_t>(batches_.size()) - 1, row));
  }
  void append(const KeptRows& other);

  int64_t rows() const { return static_cast<int64_t>(ids_.size()); }
  // Batch number above, row below, as row_id() makes it.
  const auto& ids() const { return ids_; }
  const auto& batches() const { return batches_; }

 private:
  std::vector<int64_t, CountedAllocator<int64_t>> ids_;
  std::vector<KeptArgumentsPtr, CountedAllocator<KeptArgumentsPtr>> batches_;
};

// What some states keep: the rows of state i are entries[i] of `columns`.
struct ReadRows {
  std::vector<ListEntry> entries;
  std::vector<ColumnPtr> columns;
};

// Arguments [0, columns) of the rows, in input order; with `keys` in that order, whose values are the arguments from
// `key_at`.
ReadRows read_rows(Context& context, const std::vector<const KeptRows*>& states, size_t columns,
                   const std::vector<plan::SortKey>& keys, size_t key_at);

}  // namespace quern::cpu
