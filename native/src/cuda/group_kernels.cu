#include "cuda/group_kernels.hpp"

namespace quern::cuda {

namespace {

constexpr int block_threads = 256;

struct SlotShape {
  int slot_words, key_words, mark_bits;
};

__device__ inline uint64_t hash_slot(const uint64_t* slot, const SlotShape& shape) {
  return hash_key(slot + 1, shape.key_words, marks_of(slot[0], shape.mark_bits));
}

// Shape: a thread a slot, grid-stride. Bytes: heads of all slots, words of taken ones read and written once. Keys are
// distinct: the first free slot is the group's, once its head is taken. Test: Run.GroupsOfEveryNumber.
__global__ void rehash_kernel(GroupSlots from, GroupTable to, SlotShape shape) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  unsigned made = 0;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < from.count; i += step) {
    const uint64_t* slot = from.slots + i * shape.slot_words;
    if (slot[0] == 0) continue;
    ++made;
    uint64_t at = first_slot(hash_slot(slot, shape), to.mask);
    while (atomicCAS(reinterpret_cast<unsigned long long*>(to.slots + at * shape.slot_words), 0ULL,
                     static_cast<unsigned long long>(slot[0])) != 0)
      at = (at + 1) & to.mask;
    for (int w = 1; w < shape.slot_words; ++w) to.slots[at * shape.slot_words + w] = slot[w];
  }
  made = __reduce_add_sync(0xffffffffu, made);
  if ((threadIdx.x & 31) == 0 && made != 0) atomicAdd(to.used, static_cast<unsigned long long>(made));
}

// Shape: a block 2,048 slots, one add to the count for all of them. Bytes: heads read, four written a group. Test:
// Run.GroupsOfEveryNumber.
constexpr int listed_a_thread = 8;
__global__ void list_kernel(GroupSlots from, int slot_words, uint32_t* numbers, uint64_t bound,
                            unsigned long long* count) {
  __shared__ unsigned sums[block_threads / 32];
  __shared__ unsigned long long base;
  constexpr int64_t tile = block_threads * listed_a_thread;
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  for (int64_t first = blockIdx.x * tile; first < from.count; first += gridDim.x * tile) {
    unsigned taken = 0;
    for (int u = 0; u < listed_a_thread; ++u) {
      const int64_t i = first + u * block_threads + threadIdx.x;
      if (i < from.count && from.slots[i * slot_words] != 0) taken |= 1U << u;
    }
    const auto mine = static_cast<unsigned>(__popc(taken));
    unsigned end = mine;
    for (int d = 1; d < 32; d *= 2) {
      const unsigned below = __shfl_up_sync(0xffffffffu, end, d);
      if (lane >= d) end += below;
    }
    if (lane == 31) sums[warp] = end;
    __syncthreads();
    if (threadIdx.x == 0) {
      unsigned all = 0;
      for (unsigned& sum : sums) {
        const unsigned here = sum;
        sum = all;
        all += here;
      }
      base = atomicAdd(count, static_cast<unsigned long long>(all));
    }
    __syncthreads();
    uint64_t place = base + sums[warp] + end - mine;
    for (int u = 0; u < listed_a_thread; ++u) {
      if ((taken >> u & 1) == 0) continue;
      if (place < bound) numbers[place] = static_cast<uint32_t>(first + u * block_threads + threadIdx.x);
      ++place;
    }
    __syncthreads();
  }
}

// Shape: tiles of part_tile(1) slots (group_parts.cuh). Bytes: keys read, 8 written a group. Test:
// Group.ManyGroupsInParts.
__global__ void __launch_bounds__(part_threads)
    partition_slots_kernel(GroupSlots from, SlotShape shape, GroupParts parts, GroupCounters* counters) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * part_tile(1);
  for (int64_t first = static_cast<int64_t>(blockIdx.x) * part_tile(1); first < from.count; first += step) {
    uint64_t records[part_rows_a_thread(1)][1];
    int part[part_rows_a_thread(1)];
    unsigned live = 0;
#pragma unroll
    for (int u = 0; u < part_rows_a_thread(1); ++u) {
      const int64_t i = first + u * part_threads + threadIdx.x;
      const uint64_t* slot = from.slots + i * shape.slot_words;
      if (i >= from.count || slot[0] == 0) continue;
      const uint64_t hash = hash_slot(slot, shape);
      records[u][0] = (hash & ~0xffffffffULL) | static_cast<uint32_t>(i);
      part[u] = first_part(hash, parts);
      live |= 1U << u;
    }
    scatter_tile<1>(records, part, live, parts.first, parts.first.used, parts.records, &counters->overflow);
  }
}

// Shape: tiles of part_tile(1) records of one part of the first pass. Bytes: 8 read, 8 written a record. Test:
// Group.ManyGroupsInParts.
__global__ void __launch_bounds__(part_threads) partition_records_kernel(GroupParts parts, GroupCounters* counters) {
  partition_again<1>(parts, counters, [](const uint64_t (&record)[1]) { return record[0]; });
}

SlotShape shape_of(const jit::GroupLayout& layout) { return {layout.slot_words(), layout.key_words, layout.mark_bits}; }

unsigned blocks_for(const Device& device, int64_t items, int64_t a_block, int64_t a_multiprocessor) {
  const int64_t wanted = (items + a_block - 1) / a_block, most = device.info.multiprocessors * a_multiprocessor;
  return static_cast<unsigned>(wanted < 1 ? 1 : wanted < most ? wanted : most);
}

}  // namespace

void rehash(Device& device, const jit::GroupLayout& layout, const GroupSlots& from, const GroupTable& to) {
  const unsigned blocks = blocks_for(device, from.count, block_threads, 8);
  rehash_kernel<<<blocks, block_threads, 0, device.stream.get()>>>(from, to, shape_of(layout));
  device.launched("rehash", blocks, block_threads);
}

void list_groups(Device& device, const jit::GroupLayout& layout, const GroupSlots& from, uint32_t* numbers,
                 int64_t bound, unsigned long long* count) {
  const unsigned blocks = blocks_for(device, from.count, block_threads * listed_a_thread, 8);
  list_kernel<<<blocks, block_threads, 0, device.stream.get()>>>(from, layout.slot_words(), numbers,
                                                                 static_cast<uint64_t>(bound), count);
  device.launched("list_groups", blocks, block_threads);
}

void partition_slots(Device& device, const jit::GroupLayout& layout, const GroupSlots& from, const GroupParts& parts,
                     GroupCounters* counters) {
  constexpr int tile = part_tile(1), bytes = part_shared_bytes(1);
  const unsigned blocks = blocks_for(device, from.count, tile, 3);
  partition_slots_kernel<<<blocks, part_threads, bytes, device.stream.get()>>>(from, shape_of(layout), parts, counters);
  device.launched("partition_slots", blocks, part_threads);
  const int64_t tiles = ((parts.first.capacity + tile - 1) / tile) << parts.first.bits;
  const unsigned again = blocks_for(device, tiles, 1, 3);
  partition_records_kernel<<<again, part_threads, bytes, device.stream.get()>>>(parts, counters);
  device.launched("partition_records", again, part_threads);
}

}  // namespace quern::cuda
