// Keeps the rows for which every conjunct is true.
#pragma once
#include "plan/pipeline.hpp"

namespace quern::cpu {

std::unique_ptr<Step> make_filter(Context& context, std::shared_ptr<const plan::Plan> plan,
                                  std::vector<plan::ExprIndex> conjuncts);

}  // namespace quern::cpu
