// Writes RLE / bit-packed hybrid sections: levels and dictionary indices.
#pragma once
#include "parquet/growing_buffer.hpp"

namespace quern::parquet {

// Bytes that grow at the end.
class ByteOutput {
 public:
  explicit ByteOutput(Memory& memory) : buffer_(memory) {}
  uint8_t* extend(size_t bytes) {
    uint8_t* start = buffer_.reserve(size_ + bytes) + size_;
    size_ += bytes;
    return start;
  }
  void append(const void* data, size_t bytes) {
    if (bytes > 0) std::memcpy(extend(bytes), data, bytes);
  }
  void clear() { size_ = 0; }
  void release() {
    buffer_.reset();
    size_ = 0;
  }
  size_t size() const { return size_; }
  uint8_t* data() { return buffer_.data(); }
  const uint8_t* data() const { return buffer_.data(); }

 private:
  GrowingBuffer buffer_;
  size_t size_ = 0;
};

class HybridEncoder {
 public:
  // `width` 1..32 bits.
  HybridEncoder(ByteOutput& out, int width) : out_(out), width_(width) {}

  void put(uint32_t value) { put_run(value, 1); }
  void put_run(uint32_t value, int64_t count) {
    if (value == value_ && run_ > 0) {
      run_ += count;
      return;
    }
    close_run();
    value_ = value;
    run_ = count;
  }
  void finish();

 private:
  // Literal groups of eight that one header may count in one byte.
  static constexpr int most_literals = 63 * 8;

  void close_run();
  void flush_literals();
  void varint(uint64_t value);

  ByteOutput& out_;
  int width_;
  uint32_t value_ = 0;
  int64_t run_ = 0;
  uint32_t literals_[most_literals];
  int literal_count_ = 0;
};

// Bits that hold numbers up to `largest`.
int bits_for(uint32_t largest);

}  // namespace quern::parquet
