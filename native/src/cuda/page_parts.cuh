// Loops over entries of pages: a block takes every n-th entry of one page, so that neither many small nor a few large
// pages leave multiprocessors idle.
#pragma once
#include <algorithm>

#include "cuda/launch.cuh"

namespace quern::cuda {

struct PageParts {
  int64_t pages = 0;
  int64_t parts = 1;  // of each page
  __host__ __device__ int64_t count() const { return pages * parts; }
};

inline PageParts page_parts(int64_t pages, int64_t entries) {
  const int64_t mean = pages == 0 ? 0 : entries / pages;
  return {pages, std::clamp<int64_t>(mean / (block_threads * 8), 1, 256)};
}

// Calls work(page, first thread's item, stride) for the parts that fall to this block.
template <typename Work>
__device__ void each_part(const PageParts& parts, Work work) {
  for (int64_t part = blockIdx.x; part < parts.count(); part += gridDim.x) {
    work(part / parts.parts, part % parts.parts * blockDim.x + threadIdx.x, parts.parts * blockDim.x);
  }
}

}  // namespace quern::cuda
