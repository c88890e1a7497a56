// Which rows of a row group a filter leaves to be read, by statistics, bloom filters and the page index.
#pragma once
#include <atomic>
#include <functional>
#include <mutex>
#include <optional>

#include "context/node_counters.hpp"
#include "cpu/join_filter.hpp"
#include "cpu/scan_file.hpp"
#include "cpu/scan_prune.hpp"

namespace quern::cpu {

// How many rows a filter by keys has seen and kept, over all threads: one that keeps nearly all is not worth its time,
// and looks at no further rows.
class KeyFilterUse {
 public:
  bool is_stopped() const { return stopped_.load(std::memory_order_relaxed); }
  // Returns true once: when these rows show that it does not pay.
  bool add(int64_t seen, int64_t kept) {
    // Dropped rows first: whoever sees the sum of rows sees what was dropped of them.
    dropped_.fetch_add(seen - kept, std::memory_order_relaxed);
    const int64_t rows = seen_.fetch_add(seen, std::memory_order_acq_rel) + seen;
    if (rows < sample_rows || dropped_.load(std::memory_order_relaxed) * least_share >= rows) return false;
    return !stopped_.exchange(true, std::memory_order_relaxed);
  }

 private:
  static constexpr int64_t sample_rows = 64 * 1024;
  static constexpr int64_t least_share = 20;  // one row in so many must go
  std::atomic<int64_t> seen_{0};
  std::atomic<int64_t> dropped_{0};
  std::atomic<bool> stopped_{false};
};

// A column whose values are compared with the keys of a join.
struct ScanKeyFilter {
  int32_t column = 0;
  std::shared_ptr<const JoinFilter> filter;
  std::shared_ptr<KeyFilterUse> use;
  bool is_row_number = false;
  // Keys are integers of more bits than the column's: compared by value, not by bytes.
  bool is_wider = false;
  // Keys that are row numbers say which rows: those are read, and no other is looked at.
  bool gives_rows() const { return is_row_number && !filter->sorted().empty(); }
  bool tests_rows() const { return filter->tests_rows() && !gives_rows(); }
};

// What is known of the keys that a scan's columns are compared with.
std::vector<ScanKeyFilter> key_filters(const plan::Scan& scan, const JoinFilters& filters);

// What a scan's filter looks at.
struct ScanFilter {
  const plan::Plan& plan;
  const plan::Scan& scan;
  const std::vector<ScanKeyFilter>& keys;
  NodeCounters& counters;
  const FileLayout& layout;
  int64_t first_row;  // of the group among the rows of all files
  // Constant columns by scan column (hive keys, file name): their value is known for every row. Null = not constant.
  const std::vector<ColumnPtr>& constants;
};

// Whether a row group may hold rows that pass, by what is known of it as a whole.
bool group_may_match(Context& context, const ScanFilter& filter, const parquet::File* file, int32_t group);

// Ranges of the group's rows that may hold rows that pass. Empty = none.
std::vector<parquet::RowRange> select_ranges(Context& context, const ScanFilter& filter, const parquet::File* file,
                                             int32_t group);

// What a filter leaves of one row group that several morsels read: its indexes are read once.
class GroupSelection {
 public:
  // What `select` gives; it is asked by the first caller.
  const std::vector<parquet::RowRange>& ranges(const std::function<std::vector<parquet::RowRange>()>& select) {
    std::lock_guard lock(mutex_);
    if (!ranges_) ranges_ = select();
    return *ranges_;
  }

 private:
  std::mutex mutex_;
  std::optional<std::vector<parquet::RowRange>> ranges_;
};

// The parts of `ranges` inside [start, end).
std::vector<parquet::RowRange> clip(const std::vector<parquet::RowRange>& ranges, int64_t start, int64_t end);

}  // namespace quern::cpu
