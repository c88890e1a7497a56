// Every call into the CUDA runtime is looked at here.
#pragma once
#include <cuda_runtime_api.h>

#include <string>

#include "common/error.hpp"

namespace quern::cuda {

// `what` names the call, or kernel and launch shape. Memory refused is `oom`, all else a fault of the device.
inline void check(cudaError_t status, const std::string& what) {
  if (status == cudaSuccess) return;
  const std::string text = what + ": " + cudaGetErrorString(status);
  if (status == cudaErrorMemoryAllocation)
    throw Error(ErrorSource::resource, ErrorCode::oom, "out of device memory: " + text);
  throw Error(ErrorSource::internal, ErrorCode::internal, "device fault: " + text);
}

}  // namespace quern::cuda
