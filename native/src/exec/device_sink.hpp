// The rows of a chain of nodes on a GPU: goes where a sink that stores rows goes, takes the rows of the chain's
// `exchange to_device` and gives those of its `exchange to_host`.
#pragma once
#include "exec/metrics.hpp"
#include "plan/pipeline.hpp"

namespace quern {

// `to_host`: the exchange at the end of the chain, which `run` runs.
std::shared_ptr<StoringSink> make_device_sink(Context& context, std::shared_ptr<const plan::Plan> plan,
                                              plan::NodeIndex to_host, QueryMetrics& metrics,
                                              std::shared_ptr<cuda::Run> run);

}  // namespace quern
