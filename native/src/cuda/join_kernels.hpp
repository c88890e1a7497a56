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
// lengths[i]: of the list of entry i, and `more` pairs with no row where it found one.
void list_lengths(Device& device, const JoinPairs& pairs, int64_t more, int64_t* lengths);
// Rows of both inputs of the pairs chosen[0 … count), or of the first `count` pairs.
void write_pairs(Device& device, const JoinPairs& pairs, const uint32_t* chosen, int64_t count, uint32_t* first,
                 uint32_t* second);
// Sets the bit of the last pair of each entry whose bit in `matched` is clear.
void choose_unmatched(Device& device, const JoinPairs& pairs, const uint32_t* matched, uint32_t* chosen);

// Sets the bits of those rows that are below `end`.
void mark_rows(Device& device, const uint32_t* rows, int64_t count, uint32_t end, uint32_t* marks);
// Bits of rows that have no mark, or, by `leaders`, whose leader has none.
void unmarked_rows(Device& device, const uint32_t* marks, const uint64_t* leaders, int64_t rows, uint32_t* mask);
// Whether row i has a match: a bit in `matched`, else found[i] < rows. Without one NULL everywhere with
// `unknown_without`, and with `unknown` where found[i] > rows: its key is NULL. Adds the NULLs to *nulls.
void match_values(Device& device, const uint32_t* found, const uint32_t* matched, int64_t count, uint32_t rows,
                  bool unknown, bool unknown_without, uint8_t* values, uint32_t* validity, unsigned long long* nulls);

}  // namespace quern::cuda
