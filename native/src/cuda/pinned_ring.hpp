// Pinned memory through which host threads send bytes to the device: pieces that are allocated once (pinning is dear:
// 2 GB/s) and copied on a stream of their own, beside the kernels.
#pragma once
#include <cuda_runtime_api.h>

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace quern::cuda {

class PinnedRing {
 public:
  static constexpr int64_t piece_bytes = 4 << 20;
  static constexpr int pieces = 24;

  explicit PinnedRing(int32_t ordinal);
  ~PinnedRing();
  PinnedRing(const PinnedRing&) = delete;
  PinnedRing& operator=(const PinnedRing&) = delete;

  struct Piece {
    uint8_t* data = nullptr;
    cudaEvent_t done = nullptr;  // the copy out of it
  };
  // Waits until a piece is free.
  Piece take();
  // Gives a piece back at once, or behind the copy of its first `bytes` bytes.
  void give_back(Piece piece);
  void send(Piece piece, void* target, int64_t bytes);
  cudaStream_t stream() const { return stream_; }

 private:
  int32_t ordinal_;
  cudaStream_t stream_ = nullptr;
  std::mutex mutex_;
  std::condition_variable freed_;
  std::vector<Piece> all_;
  std::deque<Piece> free_;  // the one that was sent first at the front
};

}  // namespace quern::cuda
