// CUDA C++ text to machine code, by NVRTC, which is opened when first needed. Needs neither a GPU nor a driver.
#pragma once
#include <string>

#include "jit/pipeline_text.hpp"

namespace quern::jit {

struct Cubin {
  std::string bytes;
  int64_t compile_ns = 0;  // 0: from the cache
};

// For compute capability major.minor. Thread-safe. Looks into the cache first and leaves the result there
// ($XDG_CACHE_HOME/quern/jit, else ~/.cache/quern/jit; without either nothing is kept). Throws no_device where NVRTC is
// missing, an internal error with the compiler's log where the text does not compile.
Cubin compile(const KernelText& text, int32_t major, int32_t minor);

// Why NVRTC cannot be used; empty when it can.
std::string nvrtc_missing();

}  // namespace quern::jit
