// Looking into masks with ranks.
#pragma once
#include "cuda/scan_kernels.hpp"

namespace quern::cuda {

__device__ inline bool is_set(const RankedMask& mask, int64_t i) {
  return mask.words == nullptr || ((mask.words[i >> 5] >> (i & 31)) & 1) != 0;
}
// Set bits before i.
__device__ inline int64_t rank_of(const RankedMask& mask, int64_t i) {
  if (mask.words == nullptr) return i;
  const int inside = static_cast<int>(i & 31);
  const int64_t before = mask.sums[i >> 5];
  return inside == 0 ? before : before + __popc(mask.words[i >> 5] & ((1u << inside) - 1));
}

}  // namespace quern::cuda
