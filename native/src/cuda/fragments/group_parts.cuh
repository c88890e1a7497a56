// Groups by parts of the hash, for more groups than tables in the L2 cache hold: rows go to parts in two passes; then a
// block groups one part after the other in its shared memory. Compiled by nvcc and by NVRTC.
//
// A row travels as a record of 64-bit words (Groups::pack): its key, its arguments, and where some can be NULL a word
// of flags. Groups that were made before take part by the number of their slot, below the upper half of its hash.
// Bytes: columns read once, records written and read twice.
#pragma once
#include "cuda/fragments/group_rows.cuh"

namespace quern::cuda {

constexpr int part_threads = 512;        // of a block in both passes
constexpr int most_part_bits = 8;        // of a pass
constexpr int part_group_threads = 256;  // of a block that groups parts

// Records of `words` words that a thread sends at a time; bytes of shared memory for those of a block: words, and the
// number of each one's part.
QUERN_HD constexpr int part_rows_a_thread(int words) { return words <= 2 ? 8 : words <= 4 ? 4 : 2; }
QUERN_HD constexpr int part_tile(int words) { return part_threads * part_rows_a_thread(words); }
QUERN_HD constexpr int part_shared_bytes(int words) { return part_tile(words) * (8 * words + 1); }

// Places of one pass: 1 << bits parts of `capacity` records each, `used` of them taken.
struct PartPass {
  int bits;
  int64_t capacity;
  unsigned long long* used;
};

struct GroupParts {
  PartPass first;
  PartPass second;    // parts of all parts of the first
  uint64_t* records;  // of the first pass
  uint64_t* ordered;  // of the second; nullptr = there are none
};

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

__device__ inline int part_of(uint64_t hash, int shift, int bits) {
  return static_cast<int>(hash >> shift) & ((1 << bits) - 1);
}
__device__ inline int first_part(uint64_t hash, const GroupParts& parts) {
  return part_of(hash, 64 - parts.first.bits, parts.first.bits);
}
__device__ inline int second_part(uint64_t hash, const GroupParts& parts) {
  return part_of(hash, 64 - parts.first.bits - parts.second.bits, parts.second.bits);
}

// Sends a tile's records to their parts of a pass, of which `to` has the first one's place, `used` the count of each;
// runs of a part together. A record past the capacity counts as overflow. All threads.
template <int words>
__device__ inline void scatter_tile(const uint64_t (&records)[part_rows_a_thread(words)][words],
                                    const int (&part)[part_rows_a_thread(words)], unsigned live, const PartPass& pass,
                                    unsigned long long* used, uint64_t* to, unsigned long long* overflow) {
  constexpr int rows = part_rows_a_thread(words), unit = words % 2 == 0 ? 2 : 1, units = words / unit;
  extern __shared__ __align__(16) uint64_t memory[];
  auto* parts_of = reinterpret_cast<uint8_t*>(memory + part_tile(words) * words);
  __shared__ unsigned counts[1 << most_part_bits], starts[1 << most_part_bits], sums[(1 << most_part_bits) / 32];
  __shared__ unsigned long long bases[1 << most_part_bits];
  const int parts = 1 << pass.bits, thread = static_cast<int>(threadIdx.x);
  if (thread < parts) counts[thread] = 0;
  __syncthreads();
  unsigned rank[rows];
#pragma unroll
  for (int u = 0; u < rows; ++u)
    if ((live >> u & 1) != 0) rank[u] = atomicAdd(&counts[part[u]], 1U);
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
  for (int u = 0; u < rows; ++u) {
    if ((live >> u & 1) == 0) continue;
    const unsigned at = starts[part[u]] + rank[u];
#pragma unroll
    for (int w = 0; w < words; ++w) memory[at * words + w] = records[u][w];
    parts_of[at] = static_cast<uint8_t>(part[u]);
  }
  __syncthreads();
  const unsigned count = starts[parts - 1] + counts[parts - 1];
  for (unsigned i = thread; i < count * units; i += blockDim.x) {
    const unsigned j = i / units;
    const int at = parts_of[j];
    const uint64_t place = bases[at] + (j - starts[at]);
    if (place >= static_cast<uint64_t>(pass.capacity)) {
      if (i % units == 0) atomicAdd(overflow, 1ULL);
      continue;
    }
    uint64_t* target = to + (at * pass.capacity + static_cast<int64_t>(place)) * words + i % units * unit;
    if constexpr (unit == 2)
      *reinterpret_cast<ulonglong2*>(target) = *reinterpret_cast<const ulonglong2*>(memory + i * 2);
    else
      *target = memory[i];
  }
  __syncthreads();
}

// First pass: rows of the input.
template <typename Groups, typename Read>
__device__ inline void partition_rows(const Input& in, const GroupParts& parts, GroupCounters* counters,
                                      const Read& read) {
  constexpr int words = Groups::record_words, rows = part_rows_a_thread(words);
  const int64_t step = static_cast<int64_t>(gridDim.x) * part_tile(words);
  for (int64_t first = static_cast<int64_t>(blockIdx.x) * part_tile(words); first < in.count; first += step) {
    uint64_t records[rows][words];
    int part[rows];
    unsigned live = 0;
#pragma unroll
    for (int u = 0; u < rows; ++u) {
      const int64_t i = first + u * part_threads + threadIdx.x;
      GroupKey<Groups::key_words> key;
      typename Groups::Row arguments;
      if (i >= in.count || !read(row_at(in, i), key, arguments)) continue;
      Groups::pack(key, arguments, records[u]);
      part[u] = first_part(key.hash(), parts);
      live |= 1U << u;
    }
    scatter_tile<words>(records, part, live, parts.first, parts.first.used, parts.records, &counters->overflow);
  }
}

// Second pass: tiles of one part of the first. `hash_of(record)`.
template <int words, typename Hash>
__device__ inline void partition_again(const GroupParts& parts, GroupCounters* counters, const Hash& hash_of) {
  constexpr int rows = part_rows_a_thread(words), tile_rows = part_tile(words);
  const int tiles_a_part = static_cast<int>((parts.first.capacity + tile_rows - 1) / tile_rows);
  const int tiles = tiles_a_part << parts.first.bits;
  for (int tile = static_cast<int>(blockIdx.x); tile < tiles; tile += static_cast<int>(gridDim.x)) {
    const int outer = tile / tiles_a_part;
    const int64_t first = static_cast<int64_t>(tile % tiles_a_part) * tile_rows;
    const auto used = static_cast<int64_t>(parts.first.used[outer]);
    const int64_t count = used < parts.first.capacity ? used : parts.first.capacity;
    if (first >= count) continue;
    const uint64_t* from = parts.records + (outer * parts.first.capacity + first) * words;
    uint64_t records[rows][words];
    int part[rows];
    unsigned live = 0;
#pragma unroll
    for (int u = 0; u < rows; ++u) {
      const int i = u * part_threads + static_cast<int>(threadIdx.x);
      if (first + i >= count) continue;
      load_words<words>(from + static_cast<int64_t>(i) * words, records[u]);
      part[u] = second_part(hash_of(records[u]), parts);
      live |= 1U << u;
    }
    const int64_t before = static_cast<int64_t>(outer) << parts.second.bits;
    scatter_tile<words>(records, part, live, parts.second, parts.second.used + before,
                        parts.ordered + before * parts.second.capacity * words, &counters->overflow);
  }
}

// Records of part `part` after the second pass.
__device__ inline int records_of(const GroupParts& parts, int part) {
  if (parts.ordered == nullptr) return 0;
  return static_cast<int>(min(static_cast<int64_t>(parts.second.used[part]), parts.second.capacity));
}

// Groups part after part in the block's table, each part's to `out` as slots: counters->groups of them. `before` has
// those of `slots`. A part with more groups than fit, in the block or behind `capacity` slots, counts as overflow.
template <typename Groups>
__device__ inline void group_in_parts(const BlockTable& block, const GroupParts& parts, const GroupParts& before,
                                      const uint64_t* slots, uint64_t* out, uint64_t capacity,
                                      GroupCounters* counters) {
  __shared__ unsigned written;
  __shared__ unsigned long long base;
  constexpr int rows = Groups::rows_a_thread, words = Groups::record_words;
  const int count = 1 << (parts.first.bits + parts.second.bits);
  for (int part = static_cast<int>(blockIdx.x); part < count; part += static_cast<int>(gridDim.x)) {
    clear<Groups>(block);
    if (threadIdx.x == 0) written = 0;
    const int records = records_of(parts, part), earlier = records_of(before, part);
    const uint64_t* from = parts.ordered + part * parts.second.capacity * words;
    __syncthreads();
    for (int first = 0; first < records; first += blockDim.x * rows) {
      uint64_t record[rows][words];
#pragma unroll
      for (int u = 0; u < rows; ++u) {
        const int i = first + u * blockDim.x + threadIdx.x;
        if (i < records) load_words<words>(from + static_cast<int64_t>(i) * words, record[u]);
      }
#pragma unroll
      for (int u = 0; u < rows; ++u) {
        if (first + static_cast<int>(u * blockDim.x + threadIdx.x) >= records) continue;
        GroupKey<Groups::key_words> key;
        typename Groups::Row arguments;
        Groups::unpack(record[u], key, arguments);
        const int at = find_slot<Groups>(block, key, key.hash());
        if (at >= 0)
          Groups::update(words_of<Groups>(block, at), arguments);
        else
          atomicAdd(&counters->overflow, 1ULL);
      }
    }
    for (int i = static_cast<int>(threadIdx.x); i < earlier; i += static_cast<int>(blockDim.x)) {
      const auto number = static_cast<uint32_t>(before.ordered[part * before.second.capacity + i]);
      const uint64_t* slot = slots + static_cast<int64_t>(number) * Groups::slot_words;
      const auto key = key_of<Groups>(slot);
      const int at = find_slot<Groups>(block, key, key.hash());
      if (at >= 0)
        Groups::merge(words_of<Groups>(block, at), slot + 1 + Groups::key_words);
      else
        atomicAdd(&counters->overflow, 1ULL);
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
      for (int w = 0; w < Groups::slot_words; w += 2) *reinterpret_cast<ulonglong2*>(to + w) = {slot[w], slot[w + 1]};
    }
    __syncthreads();
  }
}

#endif

}  // namespace quern::cuda
