// The rows of a join's second input on their way to a chain of GPU nodes: all of them, before the chain's first row.
#pragma once
#include "cuda/interface.hpp"
#include "exec/metrics.hpp"
#include "plan/pipeline.hpp"

namespace quern {

// `exchanged` counts the rows: of the exchange to_device.
std::shared_ptr<Sink> make_device_build(Context& context, std::shared_ptr<cuda::Run> run, plan::NodeIndex join,
                                        NodeMetrics& exchanged);

}  // namespace quern
