// Chains of plan nodes on a GPU, along first inputs. Each ends at an `exchange to_host` or at the second input of a
// join of another chain.
#pragma once
#include <vector>

#include "plan/plan.hpp"

namespace quern {

// From the scan, or the node that reads the exchange to_device, to `last`. Throws where the nodes between are no chain.
std::vector<plan::NodeIndex> device_chain(const plan::Plan& plan, plan::NodeIndex last);

// Where the chain's rows come from: its scan, or the exchange to_device.
plan::NodeIndex device_source(const plan::Plan& plan, const std::vector<plan::NodeIndex>& chain);

}  // namespace quern
