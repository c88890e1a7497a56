// Hash tables of groups in device memory: open addressing over slots of 64-bit words. Compiled by nvcc and by NVRTC;
// includes only ops.
//
// A slot: one head word (0 = free, 1 = being written, else bit 1 set, marks of the key above it, bits of the hash above
// those; bit 0 = settled: all flags of the aggregates are set), the key's words, the aggregates' words, padding to an
// even number of words. All words of a free slot are zero. Head and first key word are read and written as one 16-byte
// access.
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
QUERN_HD inline uint64_t hash_key(const uint64_t* key, int words, uint32_t marks) {
  uint64_t hash = hash_seed + marks;
  for (int i = 0; i < words; ++i) hash = hash_word(hash, key[i]);
  return hash;
}
QUERN_HD inline uint64_t head_of(uint64_t hash, uint32_t marks, int mark_bits) {
  return (hash & ~((4ULL << mark_bits) - 1)) | static_cast<uint64_t>(marks) << 2 | 2;
}
QUERN_HD inline uint32_t marks_of(uint64_t head, int mark_bits) {
  return static_cast<uint32_t>(head) >> 2 & ((1U << mark_bits) - 1);
}
// Where the search for a key begins: bits of the hash that tables in shared memory do not take, so that what comes from
// one of their slots after the other does not come to one place.
QUERN_HD inline uint64_t first_slot(uint64_t hash, uint64_t mask) { return hash >> 16 & mask; }

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

template <int key_words>
struct GroupKey {
  uint64_t words[key_words];
  uint32_t marks;
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

// Who counts the slots that a kernel takes: groups beside one another would meet at the table's count.
//
// One by one; the limit is kept whatever runs beside. For tables that blocks are emptied into.
struct ExactUse {
  const GroupTable& table;
  bool full;  // it was before: the search is short, a group may be left that has a slot
  __device__ bool reserve() const {
    if (full || *static_cast<volatile unsigned long long*>(table.used) >= table.limit) return false;
    if (atomicAdd(table.used, 1ULL) < table.limit) return true;
    give_back();
    return false;
  }
  __device__ void give_back() const { atomicAdd(table.used, ~0ULL); }
  __device__ void taken() const {}
  __device__ bool gives_up(uint64_t probes) const { return full && probes >= 3; }
};

// By blocks, in portions of up to 128; all blocks' portions together are an eighth of the slots at most. The limit may
// be passed by as much, and by what threads do meanwhile.
struct BlockUse {
  const GroupTable& table;
  unsigned* made;  // in shared memory
  int* full;
  bool patient;  // searches to the end: the table has room for what comes
  unsigned portion;
  __device__ BlockUse(const GroupTable& of, unsigned* slots_made, int* is_full, bool to_the_end)
      : table(of), made(slots_made), full(is_full), patient(to_the_end) {
    const uint64_t share = (of.mask + 1) / 8 / gridDim.x;
    portion = share < 1 ? 1 : share > 128 ? 128 : static_cast<unsigned>(share);
  }
  // All threads; and at the end.
  __device__ void begin() const {
    if (threadIdx.x == 0) {
      *made = 0;
      *full = *table.used >= table.limit ? 1 : 0;
    }
    __syncthreads();
  }
  __device__ void end() const {
    __syncthreads();
    if (threadIdx.x == 0 && *made % portion != 0)
      atomicAdd(table.used, static_cast<unsigned long long>(*made % portion));
  }
  __device__ bool reserve() const { return *static_cast<volatile int*>(full) == 0; }
  __device__ void give_back() const {}
  __device__ void taken() const {
    if (atomicAdd(made, 1U) % portion != portion - 1) return;
    if (atomicAdd(table.used, static_cast<unsigned long long>(portion)) + portion >= table.limit)
      *static_cast<volatile int*>(full) = 1;
  }
  // A search that goes on and on: the table is past its limit, or soon will be.
  __device__ bool gives_up(uint64_t probes) const {
    if (patient || probes < 256) return false;
    *static_cast<volatile int*>(full) = 1;
    return true;
  }
};

// The slot of a key, made when there is room; nullptr when the table is full. `start` is what stands at `at`, the first
// slot to look at; then what stood in the slot.
template <typename Groups, typename Use>
__device__ inline uint64_t* find_group(const GroupTable& table, const Use& use, const GroupKey<Groups::key_words>& key,
                                       uint64_t hash, uint64_t at, SlotStart& start) {
  const uint64_t head = head_of(hash, key.marks, Groups::mark_bits);
  for (uint64_t probe = 0; probe <= table.mask; ++probe) {
    uint64_t* slot = table.slots + at * Groups::slot_words;
    if (start.head == 0) {
      if (!use.reserve()) return nullptr;
      start.head = atomicCAS(reinterpret_cast<unsigned long long*>(slot), 0ULL, 1ULL);
      if (start.head == 0) {
        for (int i = 1; i < Groups::key_words; ++i) slot[1 + i] = key.words[i];
        store_start<(Groups::key_words > 1)>(slot, {head, key.words[0]});
        use.taken();
        return slot;
      }
      use.give_back();
      start = load_start(slot);
    }
    while (start.head == 1) start = load_start(slot);
    if ((start.head & ~1ULL) == head && start.key == key.words[0]) {
      bool same = true;
      for (int i = 1; i < Groups::key_words; ++i) same &= load_word(slot + 1 + i) == key.words[i];
      if (same) return slot;
    }
    if (use.gives_up(probe)) return nullptr;
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
template <typename Groups, typename Use>
__device__ inline uint64_t* find_group(const GroupTable& table, const Use& use, const uint64_t* slot) {
  const auto key = key_of<Groups>(slot);
  const uint64_t hash = key.hash(), at = first_slot(hash, table.mask);
  SlotStart start = load_start(table.slots + at * Groups::slot_words);
  return find_group<Groups>(table, use, key, hash, at, start);
}

#endif

}  // namespace quern::cuda
