// The CPU backend's one entry: runs a pipeline to its end.
#pragma once
#include "exec/metrics.hpp"
#include "exec/thread_pool.hpp"
#include "plan/pipeline.hpp"

namespace quern {

// Morsels are taken in ascending order by up to Settings::threads threads. The first error cancels the query and is
// thrown when every thread has ended.
void run(Pipeline& pipeline, Context& context, ThreadPool& pool, QueryMetrics& metrics);

}  // namespace quern
