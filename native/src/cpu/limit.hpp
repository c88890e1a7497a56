// The first rows of the input, in input order, on any number of threads.
#pragma once
#include "cpu/table.hpp"

namespace quern::cpu {

// Rows [offset, offset + limit) of the input; no limit = all after offset.
std::shared_ptr<StoringSink> make_limit(Context& context, const plan::Limit& limit);

}  // namespace quern::cpu
