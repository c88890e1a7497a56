#include "cuda/device_memory.hpp"

#include <algorithm>
#include <string>

#include "cuda/check.hpp"

namespace quern::cuda {

DeviceBuffer::~DeviceBuffer() { memory_.release(data_, size_); }

DeviceMemory::DeviceMemory(int32_t ordinal, cudaStream_t stream, int64_t limit) : stream_(stream), limit_(limit) {
  if (limit_ == 0) {
    size_t available = 0, total = 0;
    check(cudaMemGetInfo(&available, &total), "cudaMemGetInfo");
    limit_ = static_cast<int64_t>(available / 10 * 8);
  }
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = ordinal;
  check(cudaMemPoolCreate(&pool_, &properties), "cudaMemPoolCreate");
  uint64_t keep = UINT64_MAX;  // nothing goes back to the driver while the engine lives
  check(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep), "cudaMemPoolSetAttribute");
}

DeviceMemory::~DeviceMemory() { cudaMemPoolDestroy(pool_); }

DeviceBufferPtr DeviceMemory::allocate(size_t bytes, cudaStream_t stream) {
  bytes = std::max<size_t>((bytes + 255) / 256 * 256, 256);
  const auto amount = static_cast<int64_t>(bytes);
  int64_t used = used_.fetch_add(amount) + amount;
  if (used > limit_ && reclaim_) {
    reclaim_(used - limit_);
    used = used_.load();
  }
  void* data = nullptr;
  cudaError_t status = cudaErrorMemoryAllocation;
  if (used <= limit_) status = cudaMallocFromPoolAsync(&data, bytes, pool_, stream);
  if (status != cudaSuccess) {
    used_ -= amount;
    cudaGetLastError();  // a refusal is no fault that later calls should see
    throw Error(ErrorSource::resource, ErrorCode::oom,
                "out of device memory: asked for " + std::to_string(bytes) + " bytes, " +
                    std::to_string(used - amount) + " in use of " + std::to_string(limit_) + " allowed")
        .with_hint("use --device cpu");
  }
  int64_t peak = peak_.load();
  while (used > peak && !peak_.compare_exchange_weak(peak, used)) {
  }
  return std::make_shared<DeviceBuffer>(*this, data, bytes);
}

DeviceBufferPtr DeviceMemory::allocate_zeroed(size_t bytes) {
  auto buffer = allocate(bytes);
  check(cudaMemsetAsync(buffer->data(), 0, buffer->size(), stream_), "cudaMemsetAsync");
  return buffer;
}

void DeviceMemory::release(void* data, size_t bytes) {
  cudaFreeAsync(data, stream_);  // after a device fault this fails as everything does; the fault has been raised
  used_ -= static_cast<int64_t>(bytes);
}

}  // namespace quern::cuda
