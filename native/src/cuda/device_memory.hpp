// Memory of one device: a budget in bytes, and stream-ordered buffers that count against it.
#pragma once
#include <cuda_runtime_api.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace quern::cuda {

class DeviceMemory;

// Owned bytes on the device, 256-byte aligned, uninitialised. Freed in the order of the stream that allocated them.
class DeviceBuffer {
 public:
  DeviceBuffer(DeviceMemory& memory, void* data, size_t size) : memory_(memory), data_(data), size_(size) {}
  ~DeviceBuffer();
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  void* data() const { return data_; }
  template <typename T>
  T* as() const {
    return static_cast<T*>(data_);
  }
  size_t size() const { return size_; }

 private:
  DeviceMemory& memory_;
  void* data_;
  size_t size_;
};

using DeviceBufferPtr = std::shared_ptr<DeviceBuffer>;

// Budget and pool; freed memory stays in the driver's pool for the next buffer. One stream orders everything.
class DeviceMemory {
 public:
  // `limit` 0 = 80 % of what is free now.
  DeviceMemory(int32_t ordinal, cudaStream_t stream, int64_t limit);
  ~DeviceMemory();

  // At least one byte. Throws oom naming bytes asked, used and allowed.
  DeviceBufferPtr allocate(size_t bytes) { return allocate(bytes, stream_); }
  // Usable on `stream` at once, on the memory's own stream behind an event. Any thread.
  DeviceBufferPtr allocate(size_t bytes, cudaStream_t stream);
  DeviceBufferPtr allocate_zeroed(size_t bytes);

  // Asked for so many bytes before an allocation is refused.
  void set_reclaim(std::function<void(int64_t bytes)> reclaim) { reclaim_ = std::move(reclaim); }
  cudaStream_t stream() const { return stream_; }
  int64_t limit() const { return limit_; }
  int64_t used() const { return used_.load(std::memory_order_relaxed); }
  int64_t peak() const { return peak_.load(std::memory_order_relaxed); }
  void reset_peak() { peak_.store(used_.load()); }

 private:
  friend class DeviceBuffer;
  void release(void* data, size_t bytes);
  cudaStream_t stream_;
  cudaMemPool_t pool_ = nullptr;
  std::function<void(int64_t bytes)> reclaim_;
  int64_t limit_;
  std::atomic<int64_t> used_{0};
  std::atomic<int64_t> peak_{0};
};

}  // namespace quern::cuda
