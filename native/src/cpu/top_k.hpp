// The first rows of an order without ordering all of them; ties keep input order.
#pragma once
#include "plan/pipeline.hpp"

namespace quern::cpu {

// Rows [offset, offset + limit) of the order.
std::shared_ptr<StoringSink> make_top_k(Context& context, std::shared_ptr<const plan::Plan> plan,
                                        const plan::TopK& top_k);

}  // namespace quern::cpu
