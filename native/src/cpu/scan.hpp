// Reads files as rows: Parquet and Arrow IPC.
#pragma once
#include "context/node_counters.hpp"
#include "cpu/file_cache.hpp"
#include "cpu/join_filter.hpp"
#include "plan/pipeline.hpp"

namespace quern::cpu {

// `node` must be a scan. Rows come in file and row order; each morsel gives at most the scan's limit. Filters that are
// there when the scan is prepared leave rows out; `counters` are of the node.
std::unique_ptr<Source> make_scan(Context& context, FileCache& files, std::shared_ptr<const plan::Plan> plan,
                                  plan::NodeIndex node, std::shared_ptr<JoinFilters> filters, NodeCounters& counters);

}  // namespace quern::cpu
