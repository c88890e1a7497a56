#include "cuda/group_kernels.hpp"

namespace quern::cuda {

namespace {

constexpr int32_t block_threads = 256;

// Keys are distinct: the first free slot is the group's, once its head is taken.
__global__ void rehash_kernel(GroupTable from, GroupTable to, int slot_words, int key_words) {
  const uint64_t slots = from.mask + 1, step = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t i = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < slots; i += step) {
    const uint64_t* slot = from.slots + i * slot_words;
    if (slot[0] == 0) continue;
    uint64_t at = hash_words(slot + 1, key_words) >> 2 & to.mask;
    while (atomicCAS(reinterpret_cast<unsigned long long*>(to.slots + at * slot_words), 0ULL,
                     static_cast<unsigned long long>(slot[0])) != 0)
      at = (at + 1) & to.mask;
    for (int w = 1; w < slot_words; ++w) to.slots[at * slot_words + w] = slot[w];
  }
}

__global__ void mark_groups_kernel(GroupTable table, int slot_words, uint32_t* mask) {
  const int64_t slots = static_cast<int64_t>(table.mask) + 1, step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  const int64_t end = (slots + 31) / 32 * 32;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < end; i += step) {
    const unsigned bits = __ballot_sync(0xffffffffu, i < slots && table.slots[i * slot_words] != 0);
    if ((threadIdx.x & 31) == 0) mask[i >> 5] = bits;
  }
}

int64_t blocks_for(const Device& device, uint64_t slots) {
  const int64_t wanted = static_cast<int64_t>((slots + block_threads - 1) / block_threads);
  const int64_t most = static_cast<int64_t>(device.info.multiprocessors) * 8;
  return wanted < most ? wanted : most;
}

}  // namespace

void rehash(Device& device, const GroupTable& from, const GroupTable& to, int32_t slot_words, int32_t key_words) {
  const int64_t blocks = blocks_for(device, from.mask + 1);
  rehash_kernel<<<static_cast<unsigned>(blocks), block_threads, 0, device.stream.get()>>>(from, to, slot_words,
                                                                                          key_words);
  device.launched("rehash", blocks, block_threads);
}

void mark_groups(Device& device, const GroupTable& table, int32_t slot_words, uint32_t* mask) {
  const int64_t blocks = blocks_for(device, table.mask + 1);
  mark_groups_kernel<<<static_cast<unsigned>(blocks), block_threads, 0, device.stream.get()>>>(table, slot_words, mask);
  device.launched("mark_groups", blocks, block_threads);
}

}  // namespace quern::cuda
