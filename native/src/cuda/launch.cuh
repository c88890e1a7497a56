// Shape of the kernels that loop over items: blocks of 256 threads, as many as keep the device busy.
#pragma once
#include "cuda/device.hpp"

namespace quern::cuda {

constexpr int32_t block_threads = 256;
constexpr unsigned all_lanes = 0xffffffffu;

// Blocks for a loop over `items` with `per_block` items at a time, at most 16 a multiprocessor.
inline int64_t blocks_for(const Device& device, int64_t items, int64_t per_block) {
  const int64_t wanted = (items + per_block - 1) / per_block;
  const int64_t most = static_cast<int64_t>(device.info.multiprocessors) * 16;
  return wanted < 1 ? 1 : wanted < most ? wanted : most;
}

__device__ inline int64_t thread_index() { return static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; }
__device__ inline int64_t thread_count() { return static_cast<int64_t>(gridDim.x) * blockDim.x; }

}  // namespace quern::cuda

#ifndef QUERN_LAUNCH
#define QUERN_LAUNCH(kernel, items, per_block, ...)                                                \
  do {                                                                                             \
    const int64_t blocks = blocks_for(device, items, per_block);                                   \
    kernel<<<static_cast<unsigned>(blocks), block_threads, 0, device.stream.get()>>>(__VA_ARGS__); \
    device.launched(#kernel, blocks, block_threads);                                               \
  } while (false)
#endif
