// Kernels that find the least of many words, a thread a word: which of them can be among the first of an order.
#pragma once
#include <cstdint>

#include "cuda/device.hpp"

namespace quern::cuda {

constexpr int32_t digit_bits = 11;
constexpr int32_t digit_values = 1 << digit_bits;

// words[i] = 0 for rows that are NULL where they come first, else all ones.
void bound_nulls(Device& device, const uint32_t* validity, bool nulls_first, int64_t count, uint64_t* words);
// Adds to counts[d], of digit_values, the words with (word >> shift) == (prefix + d), d < digit_values. The words are
// read once; a block counts in shared memory.
void count_digits(Device& device, const uint64_t* words, int64_t count, uint64_t prefix, int32_t shift,
                  uint64_t* counts);
// Bit i = words[i] <= bound.
void mask_at_most(Device& device, const uint64_t* words, int64_t count, uint64_t bound, uint32_t* mask);

}  // namespace quern::cuda
