// Which columns a join keeps of its inputs, by place.
#pragma once
#include <cstdint>
#include <vector>

#include "plan/plan.hpp"

namespace quern::cpu {

struct JoinColumns {
  int32_t probe_count = 0;          // columns of the first input
  std::vector<int32_t> payload;     // columns of the second input that output or residual read, ascending
  std::vector<int32_t> payload_at;  // by column of the second input: place in `payload`, -1 = not kept
  std::vector<int32_t> residual;    // columns of both inputs that the residual reads, ascending

  JoinColumns(const plan::Plan& plan, plan::NodeIndex node);
};

}  // namespace quern::cpu
