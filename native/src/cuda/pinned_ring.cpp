#include "cuda/pinned_ring.hpp"

#include "cuda/check.hpp"

namespace quern::cuda {

PinnedRing::PinnedRing(int32_t ordinal) : ordinal_(ordinal) {
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
}

PinnedRing::~PinnedRing() {
  cudaStreamSynchronize(stream_);
  for (const auto& piece : all_) {
    cudaEventDestroy(piece.done);
    cudaFreeHost(piece.data);
  }
  cudaStreamDestroy(stream_);
}

PinnedRing::Piece PinnedRing::take() {
  check(cudaSetDevice(ordinal_), "cudaSetDevice");
  Piece piece;
  {
    std::unique_lock lock(mutex_);
    if (free_.empty() && all_.size() < pieces) {
      check(cudaMallocHost(reinterpret_cast<void**>(&piece.data), piece_bytes), "cudaMallocHost");
      check(cudaEventCreateWithFlags(&piece.done, cudaEventDisableTiming), "cudaEventCreate");
      all_.push_back(piece);
      return piece;
    }
    freed_.wait(lock, [&] { return !free_.empty(); });
    piece = free_.front();
    free_.pop_front();
  }
  check(cudaEventSynchronize(piece.done), "copy to the device");
  return piece;
}

void PinnedRing::give_back(Piece piece) {
  {
    const std::lock_guard lock(mutex_);
    free_.push_back(piece);
  }
  freed_.notify_one();
}

void PinnedRing::send(Piece piece, void* target, int64_t bytes) {
  // The order in which pieces are free again is that of the stream.
  {
    const std::lock_guard lock(mutex_);
    check(cudaMemcpyAsync(target, piece.data, static_cast<size_t>(bytes), cudaMemcpyHostToDevice, stream_),
          "copy to the device");
    check(cudaEventRecord(piece.done, stream_), "copy to the device");
    free_.push_back(piece);
  }
  freed_.notify_one();
}

}  // namespace quern::cuda
