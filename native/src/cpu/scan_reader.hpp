// Reads the rows of one morsel of a scan: filter columns first, the others only for rows that pass.
#pragma once
#include "context/node_counters.hpp"
#include "cpu/scan_select.hpp"
#include "cpu/shared_group.hpp"
#include "plan/pipeline.hpp"

namespace quern::cpu {

// One scan, as its readers see it.
struct ScanSetup {
  Context& context;
  FileCache& files;
  std::shared_ptr<const plan::Plan> plan;
  const plan::Scan& scan;  // of the plan
  NodeCounters& counters;
  std::vector<ScanKeyFilter> keys;
  std::vector<int32_t> filter_columns;  // columns that the filter or a test of rows by keys refers to, ascending
};

// Rows [start, end) of one group; `group_start` is the group's first row in the file.
struct ScanMorsel {
  int32_t file = 0;
  int32_t group = 0;
  int64_t start = 0;
  int64_t end = 0;
  int64_t group_start = 0;
  int64_t window = 0;  // of a shared group
};

// A group that is read in several morsels.
struct DividedGroup {
  GroupSelection selection;
  // Where threads read it together: the morsels are its windows. Null = each morsel has streams of its own.
  std::unique_ptr<SharedGroup> shared;
};

// `divided`: null when the morsel is the whole group.
std::unique_ptr<Reader> make_scan_reader(const ScanSetup& setup, const FileLayout& layout, const ScanMorsel& morsel,
                                         std::shared_ptr<DividedGroup> divided = nullptr);

}  // namespace quern::cpu
