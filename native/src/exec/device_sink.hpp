// The rows of a chain of nodes on a GPU: goes where a sink that stores rows goes, takes the rows of the chain's
// `exchange to_device` and gives those of its `exchange to_host`, none where its rows stay on the device.
#pragma once
#include "exec/device_run.hpp"
#include "plan/pipeline.hpp"

namespace quern {

std::shared_ptr<StoringSink> make_device_sink(Context& context, std::shared_ptr<const plan::Plan> plan, DeviceRun run,
                                              QueryMetrics& metrics);

}  // namespace quern
