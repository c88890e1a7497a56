#pragma once
#include "cuda/device.hpp"
#include "cuda/interface.hpp"

namespace quern::cuda {

// Runs a chain of nodes segment by segment (jit/pipeline_text.hpp).
std::unique_ptr<Run> make_run(Device& device, Context& context, std::shared_ptr<const plan::Plan> plan,
                              std::vector<plan::NodeIndex> chain);

}  // namespace quern::cuda
