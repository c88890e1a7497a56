// Kernels over groups that stand as slots, for any keys and aggregates: slots are words.
#pragma once
#include "cuda/device.hpp"
#include "cuda/fragments/group_parts.cuh"
#include "jit/group_layout.hpp"

namespace quern::cuda {

// Slots, free ones among them.
struct GroupSlots {
  const uint64_t* slots = nullptr;
  int64_t count = 0;
};

// Puts the groups of `from` into `to`, which has room and none of them.
void rehash(Device& device, const jit::GroupLayout& layout, const GroupSlots& from, const GroupTable& to);
// Writes the numbers of taken slots, in no order, `bound` of them at most, and adds how many there are to *count.
void list_groups(Device& device, const jit::GroupLayout& layout, const GroupSlots& from, uint32_t* numbers,
                 int64_t bound, unsigned long long* count);
// Sends groups to their parts, in both passes: records of one word, the upper half of the hash and the slot's number.
void partition_slots(Device& device, const jit::GroupLayout& layout, const GroupSlots& from, const GroupParts& parts,
                     GroupCounters* counters);

}  // namespace quern::cuda
