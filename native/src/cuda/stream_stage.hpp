// Filters and a projection of a chain over one batch after the other.
#pragma once
#include <optional>
#include <vector>

#include "cuda/compiled.hpp"
#include "jit/pipeline_text.hpp"

namespace quern::cuda {

class StreamStage {
 public:
  StreamStage(Device& device, const Layout& layout, const plan::Plan& plan, const jit::Segment& segment);

  // Sets `failed` to the least row that failed.
  DeviceBatch process(const DeviceBatch& batch, uint64_t& failed);

 private:
  struct Kernel {
    std::optional<DeviceLiterals> literals;
    cudaKernel_t function = nullptr;
  };
  std::vector<DeviceColumnPtr> compute(const DeviceBatch& batch, const uint32_t* rows, int64_t count, uint64_t& failed);
  // Lists of the lengths that stand in the place of computed ones.
  void make_lists(const DeviceBatch& batch, const uint32_t* rows, int64_t count,
                  std::vector<DeviceColumnPtr>& computed);
  void run(const Kernel& kernel, const char* name, std::vector<void*> arguments, int64_t rows);

  Device& device_;
  Layout layout_;
  std::vector<jit::OutputPlace> places_;
  std::vector<TypePtr> computed_;
  Kernel mask_, project_, write_;
};

}  // namespace quern::cuda
