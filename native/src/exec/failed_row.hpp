// A row that failed on a GPU: the CPU evaluates the same nodes over it and so finds the error to raise.
#pragma once
#include "cuda/interface.hpp"

namespace quern {

[[noreturn]] void raise_failed_row(Context& context, const std::shared_ptr<const plan::Plan>& plan,
                                   const std::vector<plan::NodeIndex>& chain, const cuda::RowFailure& failure);

}  // namespace quern
