#include "cuda/kernel_cache.hpp"

#include <future>

#include "cuda/check.hpp"
#include "jit/nvrtc.hpp"

namespace quern::cuda {

KernelCache::~KernelCache() {
  for (const auto& [text, loaded] : loaded_) cudaLibraryUnload(loaded.library);
}

std::vector<cudaKernel_t> KernelCache::load(const std::vector<jit::KernelText>& texts) {
  std::lock_guard lock(mutex_);
  std::map<std::string, std::future<jit::Cubin>> compiling;
  for (const auto& text : texts) {
    if (loaded_.contains(text.source) || compiling.contains(text.source)) continue;
    compiling[text.source] =
        std::async(std::launch::async, [this, &text] { return jit::compile(text, major_, minor_); });
  }
  std::vector<cudaKernel_t> out;
  for (const auto& text : texts) {
    if (const auto found = compiling.find(text.source); found != compiling.end()) {
      const jit::Cubin cubin = found->second.get();
      compiling.erase(found);
      compile_ns_ += cubin.compile_ns;
      Loaded loaded{};
      check(cudaLibraryLoadData(&loaded.library, cubin.bytes.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
            "load kernel " + text.name);
      check(cudaLibraryGetKernel(&loaded.kernel, loaded.library, text.name.c_str()), "find kernel " + text.name);
      loaded_[text.source] = loaded;
    }
    out.push_back(loaded_.at(text.source).kernel);
  }
  return out;
}

}  // namespace quern::cuda
