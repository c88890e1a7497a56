// Kernels that give numbers to strings.
#pragma once
#include "cuda/device.hpp"
#include "cuda/fragments/string_table.cuh"

namespace quern::cuda {

// One look of rows into a table that may fill up. Numbers that are not yet known: a row that found the string of
// another row of the round has that row, with the highest bit set.
struct StringRound {
  ColumnView strings;
  int64_t rows;
  bool again;  // only the rows that were refused before
  StringTable table;
  uint64_t known;           // strings that have numbers: 1 … known
  uint64_t limit;           // no string is let in beyond so many; those whose threads run already are
  unsigned long long* let;  // strings that this round let in
  unsigned long long* refused;
  uint32_t* numbers;  // of each row; refused_string
  uint32_t* fresh;    // mask of the rows whose string is new
};

constexpr uint32_t refused_string = 0xffffffffU;

void look_up_strings(Device& device, const StringRound& round);
// The new strings, those of rows[0 … count), get the numbers known + 1 …; `kept` holds their bytes from now on.
void number_strings(Device& device, const StringRound& round, const ColumnView& kept, const uint32_t* rows,
                    int64_t count);
// Each row gets the number of the row that it found.
void resolve_strings(Device& device, uint32_t* numbers, int64_t rows);
// Puts the strings 1 … count into the zeroed slots of `table`.
void insert_strings(Device& device, const StringTable& table, int64_t count);

}  // namespace quern::cuda
