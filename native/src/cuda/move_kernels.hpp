// Kernels that only move data: on width, never on type. Launched in the device's stream; plain functions, so that only
// their .cu file needs nvcc.
#pragma once
#include <cstdint>

#include "cuda/device.hpp"
#include "ops/value.hpp"

namespace quern::cuda {

// Row numbers of 64 bits may be negative: no row, whose value is 0, whose bit is clear and whose range is empty.

// out[i] = in[rows[i]] for values of `width` bytes (1, 2, 4, 8, 16).
void gather_values(Device& device, int32_t width, const void* in, const uint32_t* rows, int64_t count, void* out);
void gather_values(Device& device, int32_t width, const void* in, const int64_t* rows, int64_t count, void* out);
// Bit i of `out` = bit rows[i] of `in` (nullptr = all set); adds the number of clear ones to *nulls.
void gather_bits(Device& device, const uint32_t* in, const uint32_t* rows, int64_t count, uint32_t* out,
                 uint64_t* nulls);
void gather_bits(Device& device, const uint32_t* in, const int64_t* rows, int64_t count, uint32_t* out,
                 uint64_t* nulls);

// Ranges of a column of lists or strings by row: range i starts at starts[i] and has lengths[i] elements.
void row_ranges(Device& device, const void* offsets, bool wide, const uint32_t* rows, int64_t count, int64_t* starts,
                int64_t* lengths);
// Of strings: starts[i] is the address of the bytes of view i, which is not looked at where it is NULL.
void view_ranges(Device& device, const StringView* views, const uint32_t* validity, int64_t count, int64_t* starts,
                 int64_t* lengths);
void row_ranges(Device& device, const void* offsets, bool wide, const int64_t* rows, int64_t count, int64_t* starts,
                int64_t* lengths);
// The same of ranges of rows: rows [starts[i], starts[i] + targets[i + 1] - targets[i]).
void inner_ranges(Device& device, const void* offsets, bool wide, const int64_t* starts, const int64_t* targets,
                  int64_t count, int64_t* inner_starts, int64_t* inner_lengths);
// Exclusive sum of lengths[0 … count), with the total at sums[count].
void sum_lengths(Device& device, const int64_t* lengths, int64_t count, int64_t* sums);
// Copies each range to out[targets[i] …), `width` bytes an element; `in` is nullptr where starts are addresses.
void copy_ranges(Device& device, int32_t width, const void* in, const int64_t* starts, const int64_t* targets,
                 int64_t count, int64_t total, void* out);
// The same for bits; `out` is zero before. Adds the number of clear ones to *nulls.
void copy_bit_ranges(Device& device, const uint32_t* in, const int64_t* starts, const int64_t* targets, int64_t count,
                     int64_t total, uint32_t* out, uint64_t* nulls);
// Offsets of the copied ranges: out[targets[i] + k] = in[starts[i] + k] - in[starts[i]] + inner_targets[i], and
// out[total] = inner_targets[count].
void copy_offset_ranges(Device& device, const void* in, bool in_wide, const int64_t* starts, const int64_t* targets,
                        const int64_t* inner_targets, int64_t count, int64_t total, void* out, bool out_wide);

// 64-bit offsets as 32-bit ones.
void narrow_offsets(Device& device, const int64_t* in, int64_t count, int32_t* out);
// out[at + i] = in[i] + base for 0 ≤ i ≤ count.
void append_offsets(Device& device, const void* in, bool in_wide, int64_t count, int64_t base, void* out, bool out_wide,
                    int64_t at);
// Bits [0, count) of `in` (nullptr = all set) to bits [at, at + count) of `out`, which are zero before.
void append_bits(Device& device, const uint32_t* in, int64_t count, uint32_t* out, int64_t at);

// Bits [first, first + count) of `in`; adds the number of clear ones to *nulls.
void slice_bits(Device& device, const uint32_t* in, int64_t first, int64_t count, uint32_t* out, uint64_t* nulls);

// Of each 32-bit word of a mask of `rows` bits the number of set bits.
void count_words(Device& device, const uint32_t* mask, int64_t rows, int64_t* counts);
// Writes the indices of set bits; sums[w] of them lie before word w.
void write_rows(Device& device, const uint32_t* mask, int64_t rows, const int64_t* sums, uint32_t* out);

}  // namespace quern::cuda
