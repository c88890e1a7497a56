// What a join knows of its keys before the first input is read: rows of a scan that no key can equal are left out.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "context/context.hpp"
#include "cpu/group_key.hpp"
#include "parquet/scan.hpp"

namespace quern::cpu {

// The keys of one column of the second input: their bounds, a list of them while they are few, a bit for each value
// where values lie close together, else a bloom filter.
class JoinFilter {
 public:
  // Of the key column of every chunk, NULLs left out. `tests_rows`: rows are worth a look, not only bounds.
  JoinFilter(Context& context, const TypePtr& type, const std::vector<ColumnPtr>& keys, bool tests_rows);

  const TypePtr& type() const { return type_; }
  bool is_empty() const { return rows_ == 0; }
  // Whether a key lies in [least, greatest], or may; of whole numbers.
  bool any_between(int64_t least, int64_t greatest) const;
  // Whether some row of a column with such bounds may equal a key.
  bool may_match(const parquet::Bounds& bounds, int64_t rows) const;
  // The keys, ascending, where they are whole numbers and no more than a thousand; else nothing.
  const std::vector<int64_t>& sorted() const { return sorted_; }
  // The keys as one-row columns where they are few, else nothing.
  const std::vector<ColumnPtr>& values() const { return values_; }
  bool tests_rows() const { return !bits_.empty() || !bloom_.empty(); }

  // Keeps those of `rows` (ascending row numbers of `column`) that may equal a key; returns how many. `encoder` is of
  // layout(), one a thread.
  int64_t select(Memory& memory, const ColumnPtr& column, KeyEncoder& encoder, uint32_t* rows, int64_t count) const;
  const KeyLayout& layout() const { return layout_; }

 private:
  void learn_bounds(const std::vector<ColumnPtr>& keys);
  void list_values(Memory& memory, const std::vector<ColumnPtr>& keys);
  void set_bits(const std::vector<ColumnPtr>& keys);
  void fill_bloom(Context& context, const std::vector<ColumnPtr>& keys);

  TypePtr type_;
  KeyLayout layout_;
  int64_t rows_ = 0;
  bool ordered_ = false;  // whole numbers: bounds are known
  int64_t least_ = 0;
  int64_t greatest_ = 0;
  std::vector<int64_t> sorted_;    // up to a thousand keys
  std::vector<ColumnPtr> values_;  // few keys
  std::vector<uint64_t> bits_;     // by value - least_
  std::vector<uint64_t> bloom_;    // words, a power of two; 4 bits a key in one of them
  Reservation reserved_;
};

// Filters of one plan by their number there; absent until the join's second input is complete.
class JoinFilters {
 public:
  explicit JoinFilters(size_t count) : filters_(count) {}
  void set(int32_t number, std::shared_ptr<const JoinFilter> filter) {
    filters_[static_cast<size_t>(number)] = std::move(filter);
  }
  std::shared_ptr<const JoinFilter> get(int32_t number) const { return filters_[static_cast<size_t>(number)]; }

 private:
  std::vector<std::shared_ptr<const JoinFilter>> filters_;
};

}  // namespace quern::cpu
