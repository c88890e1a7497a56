// Chains of plan nodes on a GPU, which end at an `exchange to_host`.
#pragma once
#include <vector>

#include "plan/plan.hpp"

namespace quern {

// Along the first inputs: from the scan, or the node that reads the exchange to_device, to the node that `to_host`
// reads. Throws where the nodes between are no chain.
std::vector<plan::NodeIndex> device_chain(const plan::Plan& plan, plan::NodeIndex to_host);

// Where the chain's rows come from: its scan, or the exchange to_device.
plan::NodeIndex device_source(const plan::Plan& plan, plan::NodeIndex to_host);

}  // namespace quern
