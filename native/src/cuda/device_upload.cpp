#include "cuda/device_upload.hpp"

#include <algorithm>

#include "cuda/scan_kernels.hpp"

namespace quern::cuda {

DeviceUpload::DeviceUpload(Device& device, int64_t bytes, std::shared_ptr<std::atomic<int64_t>> sent)
    : device_(device), ring_(device.ring()), sent_(std::move(sent)) {
  device.use();
  buffer_ = device.memory.allocate(static_cast<size_t>(bytes + upload_padding), ring_.stream());
}

// The bytes may still be on their way when a query ends early.
DeviceUpload::~DeviceUpload() {
  if (!waited_ && cudaSetDevice(device_.info.ordinal) == cudaSuccess) cudaStreamSynchronize(ring_.stream());
}

void DeviceUpload::write(int64_t at, int64_t count, const Fill& fill) {
  for (int64_t done = 0; done < count;) {
    const int64_t part = std::min(count - done, PinnedRing::piece_bytes);
    const auto piece = ring_.take();
    try {
      fill(done, {piece.data, static_cast<size_t>(part)});
    } catch (...) {
      ring_.give_back(piece);
      throw;
    }
    ring_.send(piece, buffer_->as<uint8_t>() + at + done, part);
    done += part;
  }
  *sent_ += count;
}

void DeviceUpload::wait() {
  cudaEvent_t sent = nullptr;
  check(cudaEventCreateWithFlags(&sent, cudaEventDisableTiming), "cudaEventCreate");
  check(cudaEventRecord(sent, ring_.stream()), "copy to the device");
  check(cudaStreamWaitEvent(device_.stream.get(), sent, 0), "copy to the device");
  check(cudaEventDestroy(sent), "cudaEventDestroy");
  waited_ = true;
}

}  // namespace quern::cuda
