// VARIANT values are equal when their encoded bytes are: 1 and '1' differ, and so do integers of different widths. That
// is DuckDB's rule of grouping. Its operators have another, and its order is that of bytes: nothing else compares
// variants.
#pragma once
#include "plan/plan.hpp"

namespace quern::plan {

// Throws `unsupported` for a plan that compares or sorts by values that are VARIANT or hold one; grouping and null-safe
// joins are allowed.
void refuse_comparing_variants(const Plan& plan);

}  // namespace quern::plan
