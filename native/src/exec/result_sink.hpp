// The last sink: result blocks into the queue.
#pragma once
#include "exec/result_queue.hpp"
#include "plan/pipeline.hpp"

namespace quern {

std::shared_ptr<Sink> make_result_sink(Context& context, ResultQueue& queue);

}  // namespace quern
