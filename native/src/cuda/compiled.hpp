// Launching compiled kernels over batches: views of columns and literals on the device, outputs, failures.
#pragma once
#include <cuda_runtime_api.h>

#include <vector>

#include "cuda/device_column.hpp"
#include "cuda/fragments/column.cuh"
#include "jit/pipeline_text.hpp"

namespace quern::cuda {

// Literals of one kernel, on the device as long as this lives.
class DeviceLiterals {
 public:
  DeviceLiterals(Device& device, const std::vector<ColumnPtr>& literals);
  const Literal* data() const { return values_->as<Literal>(); }

 private:
  DeviceBufferPtr values_;
  std::vector<DeviceBufferPtr> texts_;  // of lists, and of strings that do not stand inside their view
};

// Where kernels find a column.
ColumnView column_view(const DeviceColumn& column);
// Those of a batch; one that is empty where it has none.
std::vector<ColumnView> column_views(const DeviceBatch& batch);

constexpr uint64_t no_failure = ~0ULL;

// The arguments that every kernel begins with.
class DeviceInput {
 public:
  DeviceInput(Device& device, const DeviceBatch& batch, const DeviceLiterals& literals, const uint32_t* rows,
              int64_t count, int64_t first = 0);
  Input* get() { return &input_; }
  // Waits for the kernel. no_failure, or the least row that failed.
  uint64_t failure(Device& device) const;

 private:
  DeviceBufferPtr columns_, failure_;
  Input input_{};
};

// Columns that a kernel writes.
class DeviceOutputs {
 public:
  DeviceOutputs(Device& device, const std::vector<TypePtr>& types, int64_t rows);
  const OutputView* views() const { return views_->as<OutputView>(); }
  // Waits for the kernel.
  std::vector<DeviceColumnPtr> finish(Device& device);

 private:
  std::vector<std::shared_ptr<DeviceColumn>> columns_;
  DeviceBufferPtr views_, nulls_;
};

// `arguments` point at the kernel's parameters.
void launch(Device& device, const char* name, cudaKernel_t kernel, int64_t blocks, int32_t threads, size_t shared_bytes,
            std::vector<void*> arguments);
// Blocks of `threads` threads for `items`, as many as run at once at most.
int64_t resident_blocks(Device& device, cudaKernel_t kernel, int32_t threads, size_t shared_bytes, int64_t items);

}  // namespace quern::cuda
