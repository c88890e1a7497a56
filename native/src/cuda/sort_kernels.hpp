// Kernels of a stable sort of row numbers.
#pragma once
#include "cuda/device.hpp"

namespace quern::cuda {

// How values become words whose unsigned order is theirs.
enum class OrderForm : int32_t {
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float32,
  float64,
  low_128,
  high_128,
  high_unsigned_128,
  interval_time,  // two words of a normalised interval
  interval_date
};

// rows[i] = i.
void number_rows(Device& device, int64_t count, uint32_t* rows);
// words[i] = word of row rows[i], complemented where `descending`; 0 for rows that are null.
void order_words(Device& device, OrderForm form, const void* values, const uint32_t* validity, bool descending,
                 const uint32_t* rows, int64_t count, uint64_t* words);
// words[i] = 1 for the rows that come last: those that are null, or with `nulls_first` the others.
void null_words(Device& device, const uint32_t* validity, bool nulls_first, const uint32_t* rows, int64_t count,
                uint64_t* words);
// Stable, by the lowest `bits` bits of the words (sort_pairs.cu).
void sort_pairs(Device& device, const uint64_t* words, const uint32_t* rows, int64_t count, int bits,
                uint64_t* sorted_words, uint32_t* sorted_rows);

}  // namespace quern::cuda
