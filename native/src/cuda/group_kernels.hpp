// Kernels over whole group tables, for any keys and aggregates: slots are words.
#pragma once
#include "cuda/device.hpp"
#include "cuda/fragments/group_table.cuh"

namespace quern::cuda {

// Puts every group of `from` into `to`, which is empty and larger.
void rehash(Device& device, const GroupTable& from, const GroupTable& to, int32_t slot_words, int32_t key_words);
// Bit i of the mask: slot i is taken.
void mark_groups(Device& device, const GroupTable& table, int32_t slot_words, uint32_t* mask);

}  // namespace quern::cuda
