// VARIANT values are held as their text, in which 1 and '1' look the same: nothing may compare them.
#pragma once
#include "plan/plan.hpp"

namespace quern::plan {

// Throws `unsupported` for a plan that compares, groups or sorts by values that are VARIANT or hold one.
void refuse_comparing_variants(const Plan& plan);

}  // namespace quern::plan
