// Which rows of a row group a filter leaves to be read, by statistics, bloom filters and the page index.
#pragma once
#include "cpu/scan_file.hpp"
#include "cpu/scan_prune.hpp"

namespace quern::cpu {

// What a scan's filter looks at.
struct ScanFilter {
  const plan::Plan& plan;
  const plan::Scan& scan;
  const FileLayout& layout;
  // Constant columns by scan column (hive keys, file name): their value is known for every row. Null = not constant.
  const std::vector<ColumnPtr>& constants;
};

// Ranges inside [start, end) of the group's rows that may hold rows that pass. Empty = none.
std::vector<parquet::RowRange> select_ranges(Context& context, const ScanFilter& filter, const parquet::File* file,
                                             int32_t group, int64_t start, int64_t end);

}  // namespace quern::cpu
