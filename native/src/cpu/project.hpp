// Computes expressions over its input.
#pragma once
#include "plan/pipeline.hpp"

namespace quern::cpu {

std::unique_ptr<Step> make_project(Context& context, std::shared_ptr<const plan::Plan> plan,
                                   const plan::Project& project);

}  // namespace quern::cpu
