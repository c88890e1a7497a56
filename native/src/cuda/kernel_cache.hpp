// Compiled and loaded kernels of one device, by their text. Compiles several at once.
#pragma once
#include <cuda_runtime_api.h>

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "cuda/interface.hpp"
#include "jit/pipeline_text.hpp"

namespace quern::cuda {

class KernelCache {
 public:
  explicit KernelCache(const DeviceInfo& info) : major_(info.major), minor_(info.minor) {}
  ~KernelCache();
  KernelCache(const KernelCache&) = delete;
  KernelCache& operator=(const KernelCache&) = delete;

  // In the order of the texts. Those not yet known are compiled on a thread each.
  std::vector<cudaKernel_t> load(const std::vector<jit::KernelText>& texts);
  int64_t compile_ns() const { return compile_ns_; }

 private:
  struct Loaded {
    cudaLibrary_t library;
    cudaKernel_t kernel;
  };
  int32_t major_, minor_;
  std::mutex mutex_;
  std::map<std::string, Loaded> loaded_;
  int64_t compile_ns_ = 0;
};

}  // namespace quern::cuda
