#include "cuda/unnest_kernels.hpp"

#include "cuda/launch.cuh"

namespace quern::cuda {

namespace {

__device__ int64_t start_of(const void* offsets, bool wide, int64_t row) {
  return wide ? static_cast<const int64_t*>(offsets)[row] : static_cast<const int32_t*>(offsets)[row];
}

__global__ void longest_lists_kernel(const void* offsets, bool wide, int64_t rows, bool more, int64_t* longest) {
  for (int64_t row = thread_index(); row < rows; row += thread_count()) {
    const int64_t length = start_of(offsets, wide, row + 1) - start_of(offsets, wide, row);
    longest[row] = more && longest[row] > length ? longest[row] : length;
  }
}

__global__ void count_at_least_one_kernel(const int64_t* longest, int64_t rows, int64_t* counts) {
  for (int64_t row = thread_index(); row < rows; row += thread_count())
    counts[row] = longest[row] > 1 ? longest[row] : 1;
}

// The last row whose target is not above the position; rows that give nothing have the target of the next one.
__global__ void expand_rows_kernel(const int64_t* targets, int64_t rows, int64_t first, int64_t count, uint32_t* from,
                                   int64_t* places) {
  for (int64_t i = thread_index(); i < count; i += thread_count()) {
    const int64_t position = first + i;
    int64_t low = 0, high = rows;
    while (high - low > 1) {
      const int64_t middle = (low + high) / 2;
      if (targets[middle] <= position)
        low = middle;
      else
        high = middle;
    }
    from[i] = static_cast<uint32_t>(low);
    places[i] = position - targets[low];
  }
}

__global__ void element_numbers_kernel(const void* offsets, bool wide, const uint32_t* from, const int64_t* places,
                                       int64_t count, int64_t* numbers) {
  for (int64_t i = thread_index(); i < count; i += thread_count()) {
    const int64_t at = start_of(offsets, wide, from[i]) + places[i];
    numbers[i] = at < start_of(offsets, wide, static_cast<int64_t>(from[i]) + 1) ? at : -1;
  }
}

// A warp a word of the validity.
__global__ void number_elements_kernel(const int64_t* longest, const uint32_t* from, const int64_t* places,
                                       int64_t count, int64_t* out, uint32_t* validity, unsigned long long* nulls) {
  const int64_t end = (count + 31) / 32 * 32;
  for (int64_t i = thread_index(); i < end; i += thread_count()) {
    const bool valid = i >= count || longest[from[i]] > 0;
    if (i < count) out[i] = valid ? places[i] + 1 : 0;
    const unsigned bits = __ballot_sync(all_lanes, valid);
    if ((threadIdx.x & 31) != 0) continue;
    validity[i >> 5] = bits;
    if (bits != all_lanes) atomicAdd(nulls, static_cast<unsigned long long>(__popc(~bits)));
  }
}

}  // namespace

void longest_lists(Device& device, const void* offsets, bool wide, int64_t rows, bool more, int64_t* longest) {
  if (rows == 0) return;
  QUERN_LAUNCH(longest_lists_kernel, rows, block_threads, offsets, wide, rows, more, longest);
}

void count_at_least_one(Device& device, const int64_t* longest, int64_t rows, int64_t* counts) {
  if (rows == 0) return;
  QUERN_LAUNCH(count_at_least_one_kernel, rows, block_threads, longest, rows, counts);
}

void expand_rows(Device& device, const int64_t* targets, int64_t rows, int64_t first, int64_t count, uint32_t* from,
                 int64_t* places) {
  if (count == 0) return;
  QUERN_LAUNCH(expand_rows_kernel, count, block_threads, targets, rows, first, count, from, places);
}

void element_numbers(Device& device, const void* offsets, bool wide, const uint32_t* from, const int64_t* places,
                     int64_t count, int64_t* numbers) {
  if (count == 0) return;
  QUERN_LAUNCH(element_numbers_kernel, count, block_threads, offsets, wide, from, places, count, numbers);
}

void number_elements(Device& device, const int64_t* longest, const uint32_t* from, const int64_t* places, int64_t count,
                     int64_t* out, uint32_t* validity, uint64_t* nulls) {
  if (count == 0) return;
  QUERN_LAUNCH(number_elements_kernel, (count + 31) / 32 * 32, block_threads, longest, from, places, count, out,
               validity, reinterpret_cast<unsigned long long*>(nulls));
}

}  // namespace quern::cuda
