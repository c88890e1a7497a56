// Sort and top-k at the end of a segment: takes batches, gives their rows in order.
#pragma once
#include "cuda/sort_rows.hpp"
#include "plan/plan.hpp"

namespace quern::cuda {

class SortStage {
 public:
  // `node`: a sort or top-k whose keys are columns.
  SortStage(Device& device, const Layout& layout, const plan::Plan& plan, plan::NodeIndex node);
  void update(const DeviceBatch& batch);
  // No columns where there are no rows.
  DeviceBatch finish();

 private:
  // Rows [offset, offset + count) in order, fewer where there are fewer.
  DeviceBatch ordered(const DeviceBatch& batch, int64_t offset, int64_t count) const;
  // Numbers of the first `wanted` rows of `rows` in order, and maybe of more.
  DeviceBufferPtr first_order(const std::vector<SortColumn>& keys, int64_t rows, int64_t wanted) const;
  DeviceBatch joined();

  Device& device_;
  const Layout& layout_;
  const std::vector<plan::SortKey>* keys_;
  std::vector<int32_t> columns_;  // of the keys
  int64_t offset_ = 0;
  int64_t limit_ = INT64_MAX;
  std::vector<DeviceBatch> batches_;
  int64_t rows_ = 0;
};

}  // namespace quern::cuda
