// Reads files as rows: Parquet and Arrow IPC.
#pragma once
#include "cpu/file_cache.hpp"
#include "plan/pipeline.hpp"

namespace quern::cpu {

// `node` must be a scan. Rows come in file and row order; each morsel gives at most the scan's limit.
std::unique_ptr<Source> make_scan(Context& context, FileCache& files, std::shared_ptr<const plan::Plan> plan,
                                  plan::NodeIndex node);

}  // namespace quern::cpu
