// Orders all rows; ties keep input order.
#pragma once
#include "plan/pipeline.hpp"

namespace quern::cpu {

std::shared_ptr<StoringSink> make_sort(Context& context, std::shared_ptr<const plan::Plan> plan,
                                       const std::vector<plan::SortKey>& keys);

}  // namespace quern::cpu
