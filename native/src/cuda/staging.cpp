#include "cuda/staging.hpp"

#include <algorithm>
#include <cstring>

#include "cuda/check.hpp"

namespace quern::cuda {

Staging::Staging(cudaStream_t stream) : stream_(stream) {
  for (auto& piece : ring_) {
    check(cudaMallocHost(reinterpret_cast<void**>(&piece.data), piece_bytes), "cudaMallocHost");
    check(cudaEventCreateWithFlags(&piece.done, cudaEventDisableTiming), "cudaEventCreate");
  }
}

Staging::~Staging() {
  for (auto& piece : ring_) {
    cudaEventDestroy(piece.done);
    cudaFreeHost(piece.data);
  }
}

void Staging::to_device(void* target, const void* source, size_t bytes) {
  to_device_ += static_cast<int64_t>(bytes);
  for (size_t at = 0; at < bytes; at += piece_bytes) {
    const size_t count = std::min(piece_bytes, bytes - at);
    Piece& piece = ring_[next_++ % ring_.size()];
    check(cudaEventSynchronize(piece.done), "copy to the device");
    std::memcpy(piece.data, static_cast<const uint8_t*>(source) + at, count);
    check(cudaMemcpyAsync(static_cast<uint8_t*>(target) + at, piece.data, count, cudaMemcpyHostToDevice, stream_),
          "copy to the device");
    check(cudaEventRecord(piece.done, stream_), "copy to the device");
  }
}

void Staging::to_host(void* target, const void* source, size_t bytes) {
  to_host_ += static_cast<int64_t>(bytes);
  // While one piece is copied out of its pinned memory the next are under way.
  struct Flight {
    Piece* piece;
    size_t at, count;
  };
  std::array<Flight, 4> flights;
  size_t sent = 0, taken = 0;
  size_t at = 0;
  while (taken < sent || at < bytes) {
    if (at < bytes && sent - taken < flights.size()) {
      Piece& piece = ring_[next_++ % ring_.size()];
      const size_t count = std::min(piece_bytes, bytes - at);
      check(cudaEventSynchronize(piece.done), "copy to the host");
      check(
          cudaMemcpyAsync(piece.data, static_cast<const uint8_t*>(source) + at, count, cudaMemcpyDeviceToHost, stream_),
          "copy to the host");
      check(cudaEventRecord(piece.done, stream_), "copy to the host");
      flights[sent++ % flights.size()] = {&piece, at, count};
      at += count;
      continue;
    }
    const Flight& flight = flights[taken++ % flights.size()];
    check(cudaEventSynchronize(flight.piece->done), "copy to the host");
    std::memcpy(static_cast<uint8_t*>(target) + flight.at, flight.piece->data, flight.count);
  }
}

}  // namespace quern::cuda
