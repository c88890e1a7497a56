#include "cuda/device.hpp"

#include "cuda/column_cache.hpp"
#include "cuda/kernel_cache.hpp"

namespace quern::cuda {

Device::Device(DeviceInfo device_info, int64_t memory_limit)
    : info(std::move(device_info)),
      memory(info.ordinal, stream.get(), memory_limit),
      staging(stream.get()),
      kernels(std::make_unique<KernelCache>(info)),
      columns(std::make_unique<ColumnCache>(memory.limit() / 2)) {
  memory.set_reclaim([this](int64_t bytes) { columns->release(bytes); });
}

Device::~Device() = default;

void Device::launched(const char* kernel, int64_t blocks, int32_t threads) {
  ++launches;
  last_ = std::string(kernel) + "<<<" + std::to_string(blocks) + ", " + std::to_string(threads) + ">>>";
  check(cudaGetLastError(), last_);
}

void Device::wait() {
  ++read_backs;
  check(cudaStreamSynchronize(stream.get()), last_.empty() ? "copy" : "up to kernel " + last_);
}

void Device::read_back(void* target, const void* source, size_t bytes) {
  try {
    staging.to_host(target, source, bytes);
    ++read_backs;
  } catch (const Error&) {
    wait();  // raises the fault with the name of the kernel
    throw;
  }
}

PinnedRing& Device::ring() {
  const std::lock_guard lock(ring_mutex_);
  if (!ring_) ring_ = std::make_unique<PinnedRing>(info.ordinal);
  return *ring_;
}

int32_t device_count() {
  int driver = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0)
    throw Error(ErrorSource::resource, ErrorCode::no_device, "no NVIDIA driver found");
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess)
    throw Error(ErrorSource::resource, ErrorCode::no_device, std::string("the driver: ") + cudaGetErrorString(status));
  if (count == 0) throw Error(ErrorSource::resource, ErrorCode::no_device, "the driver has no device");
  return count;
}

DeviceInfo describe_device(int32_t ordinal) {
  DeviceInfo info;
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, ordinal), "cudaGetDeviceProperties");
  info.ordinal = ordinal;
  info.name = properties.name;
  info.major = properties.major;
  info.minor = properties.minor;
  info.multiprocessors = properties.multiProcessorCount;
  info.memory_bytes = static_cast<int64_t>(properties.totalGlobalMem);
  check(cudaDriverGetVersion(&info.driver), "cudaDriverGetVersion");
  return info;
}

}  // namespace quern::cuda
