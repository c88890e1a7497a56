// Copies between host and device through a ring of pinned pieces that is allocated once (pinning is dear: 2 GB/s).
#pragma once
#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace quern::cuda {

class Staging {
 public:
  explicit Staging(cudaStream_t stream);
  ~Staging();
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  // The source may change when this returns; the copy is ordered by the stream.
  void to_device(void* target, const void* source, size_t bytes);
  // Complete when this returns.
  void to_host(void* target, const void* source, size_t bytes);

  int64_t bytes_to_device() const { return to_device_; }
  int64_t bytes_to_host() const { return to_host_; }

 private:
  static constexpr size_t piece_bytes = 8 << 20;
  struct Piece {
    uint8_t* data = nullptr;
    cudaEvent_t done = nullptr;
  };
  cudaStream_t stream_;
  std::array<Piece, 4> ring_;
  size_t next_ = 0;
  int64_t to_device_ = 0, to_host_ = 0;
};

}  // namespace quern::cuda
