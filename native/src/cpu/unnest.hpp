// Rows for the elements of lists.
#pragma once
#include "plan/pipeline.hpp"

namespace quern::cpu {

std::unique_ptr<Step> make_unnest(Context& context, std::shared_ptr<const plan::Plan> plan, const plan::Unnest& unnest);

}  // namespace quern::cpu
