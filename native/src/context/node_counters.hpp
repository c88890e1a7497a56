// What operators tell about one plan node for EXPLAIN ANALYZE, beside rows and time.
#pragma once
#include <atomic>
#include <cstdint>
#include <string>

namespace quern {

struct NodeCounters {
  // Of a scan: what filters of joins left out.
  std::atomic<int64_t> filtered_row_groups{0};
  std::atomic<int64_t> filtered_pages{0};
  std::atomic<int64_t> filtered_rows{0};
  std::atomic<int64_t> stopped_filters{0};  // that kept nearly all rows, and look at row groups and pages only
  // Of a join: how its table finds rows. Set once, before the pipeline that reads it.
  std::string index;
};

}  // namespace quern
