// What a piece of work cost the device.
#pragma once
#include <algorithm>
#include <chrono>

#include "cuda/device.hpp"
#include "cuda/kernel_cache.hpp"

namespace quern::cuda {

// Counters of the device before a piece of work; the difference afterwards is the run's.
struct RunCosts {
  explicit RunCosts(const Device& device)
      : launches(device.launches),
        read_backs(device.read_backs),
        to_device(device.staging.bytes_to_device()),
        to_host(device.staging.bytes_to_host()),
        compile_ns(device.kernels->compile_ns()),
        start(std::chrono::steady_clock::now()) {}
  void add_to(RunMetrics& metrics, const Device& device) const {
    metrics.launches += device.launches - launches;
    metrics.read_backs += device.read_backs - read_backs;
    metrics.bytes_to_device += device.staging.bytes_to_device() - to_device;
    metrics.bytes_to_host += device.staging.bytes_to_host() - to_host;
    metrics.compile_ns += device.kernels->compile_ns() - compile_ns;
    metrics.peak_bytes = std::max(metrics.peak_bytes, device.memory.peak());
    metrics.device_ns +=
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
  }
  int64_t launches, read_backs, to_device, to_host, compile_ns;
  std::chrono::steady_clock::time_point start;
};

}  // namespace quern::cuda
