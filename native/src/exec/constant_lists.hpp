// Lists that are written in a statement as literals of the plan: kernels take constants, they do not make them.
#pragma once
#include <memory>

#include "context/context.hpp"
#include "plan/plan.hpp"

namespace quern {

// The plan with lists of constants, their casts and constant ranges evaluated, under the same numbers. One that fails
// to evaluate stays as it is: its error is raised where its rows are.
std::shared_ptr<const plan::Plan> with_constant_lists(Context& context, std::shared_ptr<const plan::Plan> plan);

}  // namespace quern
