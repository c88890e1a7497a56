#include "cuda/top_kernels.hpp"

#include "cuda/launch.cuh"

namespace quern::cuda {

namespace {

__global__ void bound_nulls_kernel(const uint32_t* validity, uint64_t bound, int64_t count, uint64_t* words) {
  for (int64_t i = thread_index(); i < count; i += thread_count()) {
    if (((validity[i >> 5] >> (i & 31)) & 1) == 0) words[i] = bound;
  }
}

__global__ void count_digits_kernel(const uint64_t* words, int64_t count, uint64_t prefix, int32_t shift,
                                    unsigned long long* counts) {
  __shared__ unsigned own[digit_values];
  for (int i = threadIdx.x; i < digit_values; i += blockDim.x) own[i] = 0;
  __syncthreads();
  for (int64_t i = thread_index(); i < count; i += thread_count()) {
    const uint64_t digit = (words[i] >> shift) - prefix;
    if (digit < digit_values) atomicAdd(&own[digit], 1u);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < digit_values; i += blockDim.x) {
    if (own[i] != 0) atomicAdd(&counts[i], static_cast<unsigned long long>(own[i]));
  }
}

__global__ void mask_at_most_kernel(const uint64_t* words, int64_t count, uint64_t bound, uint32_t* mask) {
  const int64_t end = (count + 31) / 32 * 32;
  for (int64_t i = thread_index(); i < end; i += thread_count()) {
    const unsigned bits = __ballot_sync(all_lanes, i < count && words[i] <= bound);
    if ((threadIdx.x & 31) == 0) mask[i >> 5] = bits;
  }
}

}  // namespace

void bound_nulls(Device& device, const uint32_t* validity, bool nulls_first, int64_t count, uint64_t* words) {
  if (count == 0) return;
  QUERN_LAUNCH(bound_nulls_kernel, count, block_threads, validity, nulls_first ? 0 : ~0ULL, count, words);
}

void count_digits(Device& device, const uint64_t* words, int64_t count, uint64_t prefix, int32_t shift,
                  uint64_t* counts) {
  if (count == 0) return;
  QUERN_LAUNCH(count_digits_kernel, count, block_threads * 16, words, count, prefix, shift,
               reinterpret_cast<unsigned long long*>(counts));
}

void mask_at_most(Device& device, const uint64_t* words, int64_t count, uint64_t bound, uint32_t* mask) {
  if (count == 0) return;
  QUERN_LAUNCH(mask_at_most_kernel, (count + 31) / 32 * 32, block_threads, words, count, bound, mask);
}

}  // namespace quern::cuda
