// Numbers from start to stop, stop not included.
#pragma once
#include "plan/pipeline.hpp"

namespace quern::cpu {

std::unique_ptr<Source> make_range(Context& context, const plan::Range& range);

}  // namespace quern::cpu
