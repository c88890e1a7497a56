// The one user of CUB's radix sort.
#include <cub/device/device_radix_sort.cuh>

#include "cuda/sort_kernels.hpp"

namespace quern::cuda {

void sort_pairs(Device& device, const uint64_t* words, const uint32_t* rows, int64_t count, int bits,
                uint64_t* sorted_words, uint32_t* sorted_rows) {
  if (count == 0) return;
  size_t bytes = 0;
  const auto sort = [&](void* scratch) {
    check(cub::DeviceRadixSort::SortPairs(scratch, bytes, words, sorted_words, rows, sorted_rows, count, 0, bits,
                                          device.stream.get()),
          "sort_pairs");
  };
  sort(nullptr);
  const auto scratch = device.memory.allocate(bytes);
  sort(scratch->data());
  device.launched("DeviceRadixSort::SortPairs", count, 1);
}

}  // namespace quern::cuda
