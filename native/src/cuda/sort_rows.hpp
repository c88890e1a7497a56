// Orders rows by columns of fixed width or strings: a stable radix sort by one key after the other, the last one first.
// Ties keep the order of the rows.
#pragma once
#include <vector>

#include "cuda/device_column.hpp"

namespace quern::cuda {

struct SortColumn {
  DeviceColumnPtr column;
  bool descending = false;
  bool nulls_first = false;
};

// Row numbers in order; uint32_t. `rows` < 2^31.
DeviceBufferPtr sort_rows(Device& device, const std::vector<SortColumn>& keys, int64_t rows);

// Rows, ascending, among which the first `wanted` of the order are, all rows that tie with them included: those whose
// first key's leading 64 bits are small enough. Such bits are read up to seven times, other columns not at all.
RowIds first_rows(Device& device, const SortColumn& key, int64_t rows, int64_t wanted);

}  // namespace quern::cuda
