// Groups of one hash_group_by on the device. Rows go to a table in the block's shared memory while it has room for
// their groups, else to one in device memory; rows that find neither are kept by number, the table grows, and only they
// run again.
#pragma once
#include <optional>
#include <string>

#include "cuda/compiled.hpp"
#include "cuda/fragments/group_table.cuh"
#include "cuda/join_stage.hpp"
#include "jit/group_layout.hpp"

namespace quern::cuda {

class GroupBy {
 public:
  GroupBy(Device& device, const plan::Plan& plan, const jit::Segment& segment);

  // no_failure, or the least row for which an expression of the segment failed.
  uint64_t update(const DeviceBatch& batch);
  DeviceBatch finish();
  // Before the first update: what a fused segment joins, and how many nodes it counts.
  void look_into(const std::vector<std::shared_ptr<DeviceJoinTable>>& tables, size_t counts) {
    joins_.emplace(device_, tables, counts);
  }
  // Rows that each fused node let through.
  std::vector<int64_t> fused_counts() const { return joins_ ? joins_->counts(device_) : std::vector<int64_t>{}; }
  // Rows that passed the segment's filters.
  int64_t passed() const { return passed_; }
  // "shared", "global" or both, and how often the table grew.
  std::string tier() const;

 private:
  struct Table {
    DeviceBufferPtr slots, used;
    GroupTable view{};
  };
  // Rows [first, first + count).
  uint64_t update(const DeviceBatch& batch, int64_t first, int64_t count);
  Table make_table(uint64_t slots);
  void reserve(uint64_t groups);
  uint64_t used(const Table& table);

  Device& device_;
  jit::GroupLayout layout_;
  std::vector<TypePtr> output_;
  cudaKernel_t group_kernel_, finish_kernel_;
  DeviceLiterals literals_;
  std::optional<DeviceJoins> joins_;
  Table table_;
  int32_t shared_slots_ = 0;
  int64_t headroom_ = 0;  // groups that may come beside the limit: of rows in flight and of shared tables
  int64_t grown_ = 0;
  int64_t passed_ = 0;
  bool shared_pays_ = true;  // most rows find their group in the block's table
  bool without_keys_ = false;
};

}  // namespace quern::cuda
