// Cuts a plan into pipelines.
#pragma once
#include "cpu/file_cache.hpp"
#include "exec/metrics.hpp"
#include "exec/result_queue.hpp"
#include "plan/pipeline.hpp"

namespace quern {

// In an order in which they may run; the last one fills `result`. Throws no_device for nodes this build cannot run.
std::vector<Pipeline> cut(const std::shared_ptr<const plan::Plan>& plan, Context& context, cpu::FileCache& files,
                          QueryMetrics& metrics, ResultQueue& result);

}  // namespace quern
