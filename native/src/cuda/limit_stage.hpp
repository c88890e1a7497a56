// The first rows of a chain: takes batches in order and gives of each what is within the limit.
#pragma once
#include "cuda/device_column.hpp"
#include "plan/plan.hpp"

namespace quern::cuda {

class LimitStage {
 public:
  // `node`: a limit, or a scan with one.
  LimitStage(Device& device, const Layout& layout, const plan::Node& node);
  DeviceBatch process(const DeviceBatch& batch);
  // No later row can be within the limit.
  bool full() const { return seen_ >= end_; }

 private:
  Device& device_;
  const Layout& layout_;
  int64_t first_ = 0, end_ = INT64_MAX;  // rows of the input that go on
  int64_t seen_ = 0;
};

}  // namespace quern::cuda
