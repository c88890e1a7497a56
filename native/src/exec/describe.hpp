// What files hold, from their footers alone: one schema, rows, bounds.
#pragma once
#include <string>
#include <vector>

#include "cpu/file_cache.hpp"
#include "plan/pipeline.hpp"

namespace quern {

struct DescribeRequest {
  plan::FileFormat format = plan::FileFormat::parquet;
  std::vector<std::string> paths;
  parquet::ReadOptions options;
  bool union_by_name = false;
  bool skip_bad_files = false;
};

// JSON: {columns: [{name, type | null, reason | null, bounds: {min, max, exact, nullCount, mayHoldNan} | null}], rows,
// files: [{path, rows, rowGroups}], skipped: [{path, reason}]}. Values of bounds as in WireLiteral.
// Files that differ in types are widened where every value stays what it is; else an error names both files.
std::string describe_json(Context& context, cpu::FileCache& files, const DescribeRequest& request,
                          const Parallel& parallel);

}  // namespace quern
