// What scans learn of the keys of a join on a GPU.
#pragma once
#include "cpu/join_filter.hpp"
#include "cuda/interface.hpp"

namespace quern {

// Sets the filters of a join, whose table is complete in `run`: by keys that are columns, of tables that are not large.
void set_device_filters(Context& context, const plan::Plan& plan, plan::NodeIndex join, cuda::Run& run,
                        cpu::JoinFilters& filters);

}  // namespace quern
