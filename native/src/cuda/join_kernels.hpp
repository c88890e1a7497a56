// Kernels that make the table of a join, and the pairs of rows where several have one key.
#pragma once
#include <cstdint>

#include "cuda/device.hpp"
#include "cuda/fragments/join_table.cuh"

namespace quern::cuda {

// Keys of the rows of a join's second input.
struct JoinKeys {
  const uint64_t* words;  // `key_words` a row
  int32_t key_words;
  const uint32_t* mask;  // rows whose key has no NULL; the others are in no table
  int64_t rows;
};

// bounds[0] and [1]: the least and the greatest first word as signed numbers; INT64_MAX and INT64_MIN where no row is
// in the mask. The caller sets them so before.
void key_bounds(Device& device, const JoinKeys& keys, int64_t* bounds);

// Puts rows into the zeroed addresses of [first, first + range), or into zeroed slots. leaders[i] = the row that the
// table finds by the key of row i, rows + 1 for those in no table. Adds to *repeated the rows that are not their
// leader.
void insert_addresses(Device& device, const JoinKeys& keys, uint64_t first, uint32_t* addresses, uint64_t* leaders,
                      uint64_t* repeated);
void insert_slots(Device& device, const JoinKeys& keys, uint64_t mask, JoinSlot* slots, uint64_t* leaders,
                  uint64_t* repeated);

// Where the rows of each leader begin and end in sorted leaders, by leader.
void list_bounds(Device& device, const uint64_t* sorted_leaders, int64_t count, int64_t* starts, int64_t* ends);
// lengths[i] of the list of leader found[i].
void list_lengths(Device& device, const uint32_t* found, int64_t count, const int64_t* starts, const int64_t* ends,
                  int64_t* lengths);
// Pair i: row rows[k] of the first input with an element of the list of found[k], where targets[k] is the last of the
// sums of lengths up to i.
void write_pairs(Device& device, const int64_t* targets, int64_t count, int64_t pairs, const uint32_t* rows,
                 const uint32_t* found, const int64_t* starts, const uint32_t* lists, uint32_t* first,
                 uint32_t* second);

}  // namespace quern::cuda
