// hash_group_by: groups rows by keys and aggregates them; without aggregates it is DISTINCT, without keys one group.
#pragma once
#include <memory>

#include "context/context.hpp"
#include "plan/pipeline.hpp"
#include "plan/plan.hpp"

namespace quern::cpu {

// `node` must be a hash_group_by. Its source gives keys then aggregates, in no promised order.
std::shared_ptr<StoringSink> make_hash_group_by(Context& context, std::shared_ptr<const plan::Plan> plan,
                                                plan::NodeIndex node);

}  // namespace quern::cpu
