// Bytes that grow by doubling, counted against the budget; for outputs whose length is known only once they are
// decoded.
#pragma once
#include <algorithm>
#include <cstring>

#include "context/memory.hpp"

namespace quern::parquet {

class GrowingBuffer {
 public:
  explicit GrowingBuffer(Memory& memory) : memory_(&memory) {}

  // Room for `bytes` in all; what stood there stays.
  uint8_t* reserve(size_t bytes) {
    if (buffer_ && bytes <= buffer_->size()) return buffer_->data();
    size_t size = std::max(bytes, buffer_ ? buffer_->size() * 2 : bytes);
    BufferPtr next = memory_->allocate(size);
    if (buffer_) std::memcpy(next->data(), buffer_->data(), buffer_->size());
    buffer_ = std::move(next);
    return buffer_->data();
  }
  uint8_t* data() { return buffer_ ? buffer_->data() : nullptr; }
  const uint8_t* data() const { return buffer_ ? buffer_->data() : nullptr; }
  const BufferPtr& buffer() const { return buffer_; }
  void reset() { buffer_.reset(); }

 private:
  Memory* memory_;
  BufferPtr buffer_;
};

}  // namespace quern::parquet
