// Device memory that host threads fill.
#pragma once
#include <atomic>

#include "cuda/device.hpp"
#include "cuda/encoded.hpp"

namespace quern::cuda {

class DeviceUpload final : public Upload {
 public:
  // Allocated on the ring's stream; freed, as all buffers, in the order of the device's. Padded with upload_padding
  // bytes. `sent` counts bytes.
  DeviceUpload(Device& device, int64_t bytes, std::shared_ptr<std::atomic<int64_t>> sent);
  ~DeviceUpload() override;

  void write(int64_t at, int64_t count, const Fill& fill) override;
  // Lets the device's stream go on only when everything is there.
  void wait();
  const uint8_t* data() const { return buffer_->as<uint8_t>(); }

 private:
  Device& device_;
  PinnedRing& ring_;
  DeviceBufferPtr buffer_;
  bool waited_ = false;
  std::shared_ptr<std::atomic<int64_t>> sent_;
};

}  // namespace quern::cuda
