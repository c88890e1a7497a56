// The one user of CUB's scan.
#include <cub/device/device_scan.cuh>

#include "cuda/move_kernels.hpp"

namespace quern::cuda {

void sum_lengths(Device& device, const int64_t* lengths, int64_t count, int64_t* sums) {
  check(cudaMemsetAsync(sums, 0, sizeof(int64_t), device.stream.get()), "cudaMemsetAsync");
  if (count == 0) return;
  // Inclusive sums one place further on are exclusive sums with the total at the end.
  size_t bytes = 0;
  check(cub::DeviceScan::InclusiveSum(nullptr, bytes, lengths, sums + 1, count, device.stream.get()), "sum_lengths");
  const auto scratch = device.memory.allocate(bytes);
  check(cub::DeviceScan::InclusiveSum(scratch->data(), bytes, lengths, sums + 1, count, device.stream.get()),
        "sum_lengths");
  device.launched("DeviceScan::InclusiveSum", count, 1);
}

}  // namespace quern::cuda
