// Kernels that turn lists into rows: numbers of rows and elements, never values. A thread an item.
#pragma once
#include <cstdint>

#include "cuda/device.hpp"

namespace quern::cuda {

// longest[i] = the number of elements of row i, or the larger of it and longest[i] where `more`.
void longest_lists(Device& device, const void* offsets, bool wide, int64_t rows, bool more, int64_t* longest);
// counts[i] = max(longest[i], 1).
void count_at_least_one(Device& device, const int64_t* longest, int64_t rows, int64_t* counts);
// Rows of which row i gives targets[i + 1] - targets[i]: of those from `first` on, `count` of them, the row that each
// comes from and its place among that row's, from 0.
void expand_rows(Device& device, const int64_t* targets, int64_t rows, int64_t first, int64_t count, uint32_t* from,
                 int64_t* places);
// The element of a list column at each place; -1 where the row's list is shorter.
void element_numbers(Device& device, const void* offsets, bool wide, const uint32_t* from, const int64_t* places,
                     int64_t count, int64_t* numbers);
// places[i] + 1, and a clear bit with 0 where the row has no element; adds their number to *nulls.
void number_elements(Device& device, const int64_t* longest, const uint32_t* from, const int64_t* places, int64_t count,
                     int64_t* out, uint32_t* validity, uint64_t* nulls);

}  // namespace quern::cuda
