// One GPU: its stream, memory, staging ring and compiled kernels. Everything runs in the order of the one stream.
#pragma once
#include <memory>
#include <mutex>
#include <string>

#include "cuda/check.hpp"
#include "cuda/device_memory.hpp"
#include "cuda/interface.hpp"
#include "cuda/pinned_ring.hpp"
#include "cuda/staging.hpp"

namespace quern::cuda {

class ColumnCache;
class KernelCache;

// Owns the stream: destroyed after everything that uses it.
class Stream {
 public:
  Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate"); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

class Device {
 public:
  Device(DeviceInfo info, int64_t memory_limit);
  ~Device();

  // Selects the device for the calling thread; first call of every entry.
  void use() const { check(cudaSetDevice(info.ordinal), "cudaSetDevice"); }
  // Called after every launch: counts it and remembers its shape, for the error of a fault that shows later.
  void launched(const char* kernel, int64_t blocks, int32_t threads);
  // Waits for the stream; a fault names the last kernel and its shape.
  void wait();
  // Copies to the host behind all that was launched; a fault is named as in wait().
  void read_back(void* target, const void* source, size_t bytes);
  // Made when it is first asked for. Any thread.
  PinnedRing& ring();

  const DeviceInfo info;
  Stream stream;
  DeviceMemory memory;
  Staging staging;
  std::unique_ptr<KernelCache> kernels;
  std::unique_ptr<ColumnCache> columns;
  std::mutex mutex;  // one chunk of one run at a time
  int64_t launches = 0;
  int64_t read_backs = 0;

 private:
  std::string last_;
  std::mutex ring_mutex_;
  std::unique_ptr<PinnedRing> ring_;
};

// The devices that the driver has; throws no_device when there is none.
int32_t device_count();
DeviceInfo describe_device(int32_t ordinal);

}  // namespace quern::cuda
