// Times of device work between two events of the stream: what the host does in between counts.
#pragma once
#include <algorithm>
#include <functional>
#include <vector>

#include "cuda/check.hpp"
#include "cuda/device.hpp"

namespace quern::bench {

struct Times {
  double median, fast, slow;  // ms; 10th and 90th percentile
};

// `prepare` stands before the clock of each sample.
inline Times time_of(
    cuda::Device& device, const std::function<void()>& work, int warm_up = 3, int samples = 15,
    const std::function<void()>& prepare = [] {}) {
  for (int i = 0; i < warm_up; ++i) {
    prepare();
    work();
  }
  cudaEvent_t start, stop;
  cuda::check(cudaEventCreate(&start), "event");
  cuda::check(cudaEventCreate(&stop), "event");
  std::vector<float> ms(static_cast<size_t>(samples));
  for (auto& sample : ms) {
    prepare();
    cuda::check(cudaStreamSynchronize(device.stream.get()), "stream");
    cuda::check(cudaEventRecord(start, device.stream.get()), "event");
    work();
    cuda::check(cudaEventRecord(stop, device.stream.get()), "event");
    cuda::check(cudaEventSynchronize(stop), "event");
    cuda::check(cudaEventElapsedTime(&sample, start, stop), "event");
  }
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  std::sort(ms.begin(), ms.end());
  const size_t last = ms.size() - 1;
  return {ms[ms.size() / 2], ms[last / 10], ms[last - last / 10]};
}

}  // namespace quern::bench
