// Groups by parts of the hash, for more groups than tables in the L2 cache hold: rows, by number, go to parts in two
// passes; then a block groups one part after the other in its shared memory. Compiled by nvcc and by NVRTC.
//
// A record is the upper half of a row's hash and, below it, its number; slots of groups that were made before take part
// with bit 31 of the number set. Bytes: keys read once, 8 written and read for the first pass, 4 for the second, then
// keys and arguments by row number.
#pragma once
#include "cuda/fragments/group_rows.cuh"

namespace quern::cuda {

constexpr uint32_t slot_record = 1U << 31;
constexpr int part_threads = 512;       // of a block in both passes
constexpr int part_rows_a_thread = 8;
constexpr int part_tile = part_threads * part_rows_a_thread;
constexpr int most_part_bits = 8;       // of a pass
constexpr int part_group_threads = 256; // of a block that groups parts
constexpr int part_shared_bytes = part_tile * 8;

// Places of one pass: 1 << bits parts of `capacity` records each, `used` of them taken.
struct PartPass {
  int bits;
  int64_t capacity;
  unsigned long long* used;
};

struct GroupParts {
  PartPass first;
  PartPass second;     // parts of all parts of the first
  uint64_t* records;   // of the first pass
  uint32_t* numbers;   // of the second
};

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

// Sends a tile's records to parts of `shift`'s bits of the hash; store(part, place, record) puts them down, runs of a part
// together. `used` counts of the parts at hand; a record past the capacity counts as overflow. All threads.
template <typename Store>
__device__ inline void scatter_tile(const uint64_t (&records)[part_rows_a_thread], unsigned live, int shift,
                                    const PartPass& pass, unsigned long long* used, unsigned long long* overflow,
                                    const Store& store) {
  extern __shared__ uint64_t staged[];
  __shared__ unsigned counts[1 << most_part_bits], starts[1 << most_part_bits], sums[(1 << most_part_bits) / 32];
  __shared__ unsigned long long bases[1 << most_part_bits];
  const int parts = 1 << pass.bits;
  const auto part_of = [&](uint64_t record) { return static_cast<int>(record >> shift) & (parts - 1); };
  const int thread = static_cast<int>(threadIdx.x);
  if (thread < parts) counts[thread] = 0;
  __syncthreads();
  unsigned rank[part_rows_a_thread];
#pragma unroll
  for (int u = 0; u < part_rows_a_thread; ++u)
    if ((live >> u & 1) != 0) rank[u] = atomicAdd(&counts[part_of(records[u])], 1U);
  __syncthreads();
  unsigned mine = 0, end = 0;
  if (thread < 1 << most_part_bits) {
    mine = end = thread < parts ? counts[thread] : 0;
    for (int d = 1; d < 32; d *= 2) {
      const unsigned below = __shfl_up_sync(0xffffffffu, end, d);
      if ((thread & 31) >= d) end += below;
    }
    if ((thread & 31) == 31) sums[thread >> 5] = end;
    if (mine != 0) bases[thread] = atomicAdd(&used[thread], static_cast<unsigned long long>(mine));
  }
  __syncthreads();
  if (thread < 1 << most_part_bits) {
    for (int w = 0; w < thread >> 5; ++w) end += sums[w];
    starts[thread] = end - mine;
  }
  __syncthreads();
#pragma unroll
  for (int u = 0; u < part_rows_a_thread; ++u)
    if ((live >> u & 1) != 0) staged[starts[part_of(records[u])] + rank[u]] = records[u];
  __syncthreads();
  const unsigned count = starts[parts - 1] + counts[parts - 1];
  for (unsigned j = thread; j < count; j += blockDim.x) {
    const uint64_t record = staged[j];
    const int part = part_of(record);
    const uint64_t place = bases[part] + (j - starts[part]);
    if (place < static_cast<uint64_t>(pass.capacity))
      store(part, static_cast<int64_t>(place), record);
    else
      atomicAdd(overflow, 1ULL);
  }
  __syncthreads();
}

__device__ inline void send_to_first(const uint64_t (&records)[part_rows_a_thread], unsigned live,
                                     const GroupParts& parts, GroupCounters* counters) {
  scatter_tile(records, live, 64 - parts.first.bits, parts.first, parts.first.used, &counters->overflow,
               [&](int part, int64_t place, uint64_t record) {
                 parts.records[part * parts.first.capacity + place] = record;
               });
}

// First pass: rows of the input.
template <typename Groups, typename Read>
__device__ inline void partition_rows(const Input& in, const GroupParts& parts, GroupCounters* counters,
                                      const Read& read) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * part_tile;
  for (int64_t first = static_cast<int64_t>(blockIdx.x) * part_tile; first < in.count; first += step) {
    uint64_t records[part_rows_a_thread];
    unsigned live = 0;
#pragma unroll
    for (int u = 0; u < part_rows_a_thread; ++u) {
      const int64_t i = first + u * part_threads + threadIdx.x;
      GroupKey<Groups::key_words> key;
      typename Groups::Row arguments;
      if (i >= in.count || !read(row_at(in, i), key, arguments)) continue;
      records[u] = (key.hash() & ~0xffffffffULL) | static_cast<uint32_t>(row_at(in, i));
      live |= 1U << u;
    }
    send_to_first(records, live, parts, counters);
  }
}

// Groups part after part in the block's table, each part's to `out` as slots: counters->groups of them. `slots` are those
// that records with bit 31 mean. A part with more groups than fit, in the block or behind `capacity` slots, counts as
// overflow.
template <typename Groups, typename Read>
__device__ inline void group_in_parts(const BlockTable& block, const GroupParts& parts, const uint64_t* slots,
                                      uint64_t* out, uint64_t capacity, GroupCounters* counters, const Read& read) {
  __shared__ unsigned written;
  __shared__ unsigned long long base;
  constexpr int rows = Groups::rows_a_thread;
  const int count = 1 << (parts.first.bits + parts.second.bits);
  for (int part = blockIdx.x; part < count; part += gridDim.x) {
    clear<Groups>(block);
    if (threadIdx.x == 0) written = 0;
    const auto records = static_cast<int>(min(static_cast<int64_t>(parts.second.used[part]), parts.second.capacity));
    const uint32_t* numbers = parts.numbers + part * parts.second.capacity;
    __syncthreads();
    for (int first = 0; first < records; first += blockDim.x * rows) {
      GroupKey<Groups::key_words> keys[rows];
      typename Groups::Row arguments[rows];
      uint32_t number[rows];
#pragma unroll
      for (int u = 0; u < rows; ++u) {
        const int i = first + u * blockDim.x + threadIdx.x;
        number[u] = i < records ? numbers[i] : slot_record;
      }
      unsigned live = 0;
#pragma unroll
      for (int u = 0; u < rows; ++u)
        if (number[u] < slot_record && read(static_cast<int64_t>(number[u]), keys[u], arguments[u])) live |= 1U << u;
#pragma unroll
      for (int u = 0; u < rows; ++u) {
        const int i = first + u * blockDim.x + threadIdx.x;
        if (i >= records) continue;
        int at = 0;
        if ((live >> u & 1) != 0) {
          at = find_slot<Groups>(block, keys[u], keys[u].hash());
          if (at >= 0) Groups::update(words_of<Groups>(block, at), arguments[u]);
        } else if (number[u] >= slot_record) {
          const uint64_t* slot = slots + static_cast<int64_t>(number[u] - slot_record) * Groups::slot_words;
          const auto key = key_of<Groups>(slot);
          at = find_slot<Groups>(block, key, key.hash());
          if (at >= 0) Groups::merge(words_of<Groups>(block, at), slot + 1 + Groups::key_words);
        }
        if (at < 0) atomicAdd(&counters->overflow, 1ULL);
      }
    }
    __syncthreads();
    if (threadIdx.x == 0) base = atomicAdd(&counters->groups, static_cast<unsigned long long>(*block.used));
    __syncthreads();
    const bool fits = base + *block.used <= capacity;
    if (threadIdx.x == 0 && !fits) atomicAdd(&counters->overflow, 1ULL);
    for (int at = threadIdx.x; fits && at < block.slots; at += blockDim.x) {
      if (block.tags[at] == 0) continue;
      uint64_t slot[Groups::slot_words];
      plain_slot<Groups>(block, at, slot);
      uint64_t* to = out + (base + atomicAdd(&written, 1U)) * Groups::slot_words;
#pragma unroll
      for (int w = 0; w < Groups::slot_words; w += 2)
        *reinterpret_cast<ulonglong2*>(to + w) = {slot[w], slot[w + 1]};
    }
    __syncthreads();
  }
}

#endif

}  // namespace quern::cuda
