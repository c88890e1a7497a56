// Rows of the second input of a join, or of another input than the first of a union, on their way to a chain of GPU
// nodes: all of them, before the chain's first row.
#pragma once
#include "exec/device_filters.hpp"
#include "exec/metrics.hpp"
#include "plan/pipeline.hpp"

namespace quern {

// `exchanged` counts the rows: of the exchange to_device.
std::shared_ptr<Sink> make_device_build(Context& context, std::shared_ptr<const plan::Plan> plan, plan::NodeIndex node,
                                        size_t input, std::shared_ptr<cuda::Run> run,
                                        std::shared_ptr<cpu::JoinFilters> filters, NodeMetrics& exchanged);

}  // namespace quern
