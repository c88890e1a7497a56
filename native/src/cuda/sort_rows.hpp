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

}  // namespace quern::cuda
