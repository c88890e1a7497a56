// The rows of several inputs, one input after another.
#pragma once
#include "plan/pipeline.hpp"

namespace quern::cpu {

// An input as far as it streams: a source and its steps.
struct UnionInput {
  std::unique_ptr<Source> source;
  plan::NodeIndex source_node = 0;
  std::vector<PlacedStep> steps;
};

// Counts rows of the inputs' nodes, which run inside this source: called with (node, rows), from any thread.
using CountRows = std::function<void(plan::NodeIndex, int64_t)>;

std::unique_ptr<Source> make_union_all(std::vector<UnionInput> inputs, CountRows count);

}  // namespace quern::cpu
