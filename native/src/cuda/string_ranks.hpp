// Strings as numbers that order as their bytes do.
#pragma once
#include "cuda/device_column.hpp"

namespace quern::cuda {

// The rank of each row's string among the distinct ones of the column: uint32_t, NULL where it is.
DeviceColumnPtr string_ranks(Device& device, const DeviceColumn& strings);

}  // namespace quern::cuda
