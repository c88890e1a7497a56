// How the threads of a block get the rows of a tile (cuda/fragments/group_rows.cuh): each its own, or those that joins
// keep close together. Compiled by nvcc and by NVRTC.
#pragma once
#include "cuda/fragments/column.cuh"
#include "cuda/fragments/group_table.cuh"

namespace quern::cuda {

// A row of the input, and the rows that joins found for it.
template <int joins>
struct JoinedRow {
  uint32_t row;
  uint32_t others[joins];
};

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

__device__ inline int64_t row_at(const Input& in, int64_t i) { return in.rows == nullptr ? in.first + i : in.rows[i]; }

// `read(row, key, arguments)` gives whether the row takes part.
template <typename Groups, typename Read>
struct OwnRows {
  const Input& in;
  const Read& read;

  // Bit u: the thread has a row in keys[u]. `first` of the tile's rows; all threads of the block.
  __device__ unsigned take(int64_t first, GroupKey<Groups::key_words>* keys, typename Groups::Row* arguments) const {
    unsigned have = 0;
#pragma unroll
    for (int u = 0; u < Groups::rows_a_thread; ++u) {
      const int64_t i = first + u * static_cast<int64_t>(blockDim.x) + threadIdx.x;
      if (i < in.count && read(row_at(in, i), keys[u], arguments[u])) have |= 1U << u;
    }
    return have;
  }
};

// `probe(row, found)` gives whether joins keep the row; only then `load(found, key, arguments)` reads what groups need.
// The rows that are kept go through `list` in shared memory, a tile's at most, so that warps of the second part are
// full.
template <typename Groups, int joins, typename Probe, typename Load>
struct JoinedRows {
  const Input& in;
  JoinedRow<joins>* list;
  unsigned* kept;  // in shared memory
  const Probe& probe;
  const Load& load;

  __device__ unsigned take(int64_t first, GroupKey<Groups::key_words>* keys, typename Groups::Row* arguments) const {
    if (threadIdx.x == 0) *kept = 0;
    __syncthreads();
#pragma unroll
    for (int u = 0; u < Groups::rows_a_thread; ++u) {
      const int64_t i = first + u * static_cast<int64_t>(blockDim.x) + threadIdx.x;
      JoinedRow<joins> found;
      const bool keep = i < in.count && probe(row_at(in, i), found);
      const unsigned bits = __ballot_sync(0xffffffffu, keep), lane = threadIdx.x & 31;
      unsigned place = 0;
      if (lane == 0 && bits != 0) place = atomicAdd(kept, static_cast<unsigned>(__popc(bits)));
      place = __shfl_sync(0xffffffffu, place, 0);
      if (keep) list[place + __popc(bits & ((1U << lane) - 1))] = found;
    }
    __syncthreads();
    const unsigned rows = *kept;
    unsigned have = 0;
#pragma unroll
    for (int u = 0; u < Groups::rows_a_thread; ++u) {
      const unsigned at = u * blockDim.x + threadIdx.x;
      if (at < rows && load(list[at], keys[u], arguments[u])) have |= 1U << u;
    }
    return have;
  }
};

#endif

}  // namespace quern::cuda
