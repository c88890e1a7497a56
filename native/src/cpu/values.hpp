// Rows of literal expressions.
#pragma once
#include "plan/pipeline.hpp"

namespace quern::cpu {

std::unique_ptr<Source> make_values(Context& context, std::shared_ptr<const plan::Plan> plan, const plan::Node& node);

}  // namespace quern::cpu
