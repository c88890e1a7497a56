// Hash tables of groups in device memory: open addressing over slots of 64-bit words. Compiled by nvcc and by NVRTC;
// includes only ops.
//
// A slot: one head word (0 = free, 1 = being written, else bit 1 set, marks of the key above it, bits of the hash above
// those), the key's words, the aggregates' words, padding to an even number of words. All words of a free slot are zero.
// Head and first key word are read and written as one 16-byte access.
#pragma once
#include "cuda/fragments/group_words.cuh"
#include "ops/hash.hpp"

namespace quern::cuda {

struct GroupTable {
  uint64_t* slots;
  uint64_t mask;             // slots - 1, a power of two less one
  unsigned long long* used;  // slots that are taken
  uint64_t limit;            // of used slots at which no new group is let in
};

// Marks: bits of a key that stand in the head, which keys are NULL among them.
QUERN_HD inline uint64_t hash_key(const uint64_t* key, int words, uint64_t marks) {
  uint64_t hash = hash_seed + marks;
  for (int i = 0; i < words; ++i) hash = hash_word(hash, key[i]);
  return hash;
}
QUERN_HD inline uint64_t head_of(uint64_t hash, uint64_t marks, int mark_bits) {
  return (hash & ~((4ULL << mark_bits) - 1)) | marks << 2 | 2;
}
QUERN_HD inline uint64_t marks_of(uint64_t head, int mark_bits) { return head >> 2 & ((1ULL << mark_bits) - 1); }
// Where the search for a key begins: bits of the hash that tables in shared memory do not take, so that what comes from
// one of their slots after the other does not come to one place.
QUERN_HD inline uint64_t first_slot(uint64_t hash, uint64_t mask) { return hash >> 16 & mask; }

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

template <int key_words>
struct GroupKey {
  uint64_t words[key_words];
  uint64_t marks;
  __device__ uint64_t hash() const { return hash_key(words, key_words, marks); }
};

// Head and first key word, as one. Relaxed: an acquire would empty the L1 cache at every probe.
struct SlotStart {
  uint64_t head, key;
};
__device__ inline SlotStart load_start(const uint64_t* slot) {
  SlotStart out;
  asm volatile("{ .reg .b128 both; ld.relaxed.gpu.b128 both, [%2]; mov.b128 {%0, %1}, both; }"
               : "=l"(out.head), "=l"(out.key)
               : "l"(slot)
               : "memory");
  return out;
}
// `behind`: after all that this thread wrote before.
template <bool behind>
__device__ inline void store_start(uint64_t* slot, SlotStart start) {
  if constexpr (behind) __threadfence();
  asm volatile("{ .reg .b128 both; mov.b128 both, {%1, %2}; st.relaxed.gpu.b128 [%0], both; }" ::"l"(slot),
               "l"(start.head), "l"(start.key)
               : "memory");
}
// A further word of a key whose start has been seen: past L1, and not begun before the branch that it hangs on.
__device__ inline uint64_t load_word(const uint64_t* word) {
  uint64_t out;
  asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(out) : "l"(word) : "memory");
  return out;
}

// Counts a new slot: one add for all lanes that are here together.
__device__ inline void count_slot(unsigned long long* used) {
  const unsigned lanes = __activemask();
  unsigned before;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(before));
  if ((lanes & before) == 0) atomicAdd(used, static_cast<unsigned long long>(__popc(lanes)));
}

// The slot of a key, made when there is room; nullptr when the table is full. `start` is what stands at `at`, the first
// slot to look at. `exact`: the limit is kept whatever runs beside; else it may be passed by as many slots as threads run.
template <typename Groups, bool exact>
__device__ inline uint64_t* find_group(const GroupTable& table, const GroupKey<Groups::key_words>& key, uint64_t hash,
                                       uint64_t at, SlotStart start) {
  const uint64_t head = head_of(hash, key.marks, Groups::mark_bits);
  for (uint64_t probe = 0; probe <= table.mask; ++probe) {
    uint64_t* slot = table.slots + at * Groups::slot_words;
    if (start.head == 0) {
      if (*static_cast<volatile unsigned long long*>(table.used) >= table.limit) return nullptr;
      if (exact && atomicAdd(table.used, 1ULL) >= table.limit) {
        atomicAdd(table.used, ~0ULL);
        return nullptr;
      }
      start.head = atomicCAS(reinterpret_cast<unsigned long long*>(slot), 0ULL, 1ULL);
      if (start.head == 0) {
        for (int i = 1; i < Groups::key_words; ++i) slot[1 + i] = key.words[i];
        store_start<(Groups::key_words > 1)>(slot, {head, key.words[0]});
        if (!exact) count_slot(table.used);
        return slot;
      }
      if (exact) atomicAdd(table.used, ~0ULL);
      start = load_start(slot);
    }
    while (start.head == 1) start = load_start(slot);
    if (start.head == head && start.key == key.words[0]) {
      bool same = true;
      for (int i = 1; i < Groups::key_words; ++i) same &= load_word(slot + 1 + i) == key.words[i];
      if (same) return slot;
    }
    at = (at + 1) & table.mask;
    start = load_start(table.slots + at * Groups::slot_words);
  }
  return nullptr;
}

template <typename Groups>
__device__ inline GroupKey<Groups::key_words> key_of(const uint64_t* slot) {
  GroupKey<Groups::key_words> key;
  for (int i = 0; i < Groups::key_words; ++i) key.words[i] = slot[1 + i];
  key.marks = marks_of(slot[0], Groups::mark_bits);
  return key;
}
// The slot for the key of another slot.
template <typename Groups, bool exact>
__device__ inline uint64_t* find_group(const GroupTable& table, const uint64_t* slot) {
  const auto key = key_of<Groups>(slot);
  const uint64_t hash = key.hash(), at = first_slot(hash, table.mask);
  return find_group<Groups, exact>(table, key, hash, at, load_start(table.slots + at * Groups::slot_words));
}

#endif

}  // namespace quern::cuda
