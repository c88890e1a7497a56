// A join of a chain as kernels of its own: the table of its second input, and the rows of the first looked up in it.
#pragma once
#include <functional>
#include <memory>
#include <optional>

#include "cuda/compiled.hpp"
#include "cuda/join_table.hpp"
#include "jit/pipeline_text.hpp"

namespace quern::cuda {

// `segment` is the join's; `rows` are all of the second input.
std::shared_ptr<DeviceJoinTable> make_join_table(Device& device, const plan::Plan& plan, const jit::Segment& segment,
                                                 const Layout& layout, DeviceBatch rows);

// Tables that one kernel looks into, and counts of the rows that its fused nodes let through.
class DeviceJoins {
 public:
  // `rows`: of each table, with what kernels read behind its columns.
  DeviceJoins(Device& device, std::vector<std::shared_ptr<DeviceJoinTable>> tables, std::vector<DeviceBatch> rows,
              size_t counts);
  void bind(Input& input) const;
  std::vector<int64_t> counts(Device& device) const;

 private:
  std::vector<std::shared_ptr<DeviceJoinTable>> tables_;
  std::vector<DeviceBatch> rows_;
  std::vector<DeviceBufferPtr> columns_;
  DeviceBufferPtr views_, counts_;
  size_t count_;
};

class JoinStage {
 public:
  JoinStage(Device& device, const Layout& layout, const plan::Plan& plan, const jit::Segment& segment,
            std::shared_ptr<DeviceJoinTable> table);

  // Joined rows in pieces, in the order of the batch, rows of one key in the order of the table.
  void process(const DeviceBatch& batch, const std::function<void(const DeviceBatch&)>& next);

 private:
  // Rows of both inputs that belong together; second == nullptr: the join gives none.
  struct Pairs {
    const uint32_t* first;  // nullptr: all rows of the batch
    const uint32_t* second;
    int64_t count;
  };
  DeviceBatch joined(const DeviceBatch& batch, const Pairs& pairs);
  void expand(const DeviceBatch& batch, const uint32_t* rows, const uint32_t* found, int64_t count,
              const std::function<void(const DeviceBatch&)>& next);

  Device& device_;
  Layout layout_;
  const plan::Join& join_;
  std::shared_ptr<DeviceJoinTable> table_;
  cudaKernel_t kernel_;
  DeviceLiterals literals_;
  DeviceJoins joins_;
  std::vector<DeviceColumnPtr> second_;  // columns to gather from
};

}  // namespace quern::cuda
