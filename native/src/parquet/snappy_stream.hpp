// Snappy data of a large page, decompressed a window at a time, so that its values are still in the cache when they are
// read and the page is never held whole.
#pragma once
#include <functional>
#include <memory>

#include "context/memory.hpp"
#include "parquet/codec.hpp"
#include "parquet/value_stream.hpp"

namespace quern::parquet {

class SnappyStream : public ValueStream {
 public:
  // The compressed bytes from their start; called again when a copy reaches further back than the window.
  using Open = std::function<std::unique_ptr<PieceSource>()>;

  // Throws corrupt_file when the data does not declare `size` bytes.
  SnappyStream(Memory& memory, Open open, size_t size);

  size_t left() const override { return size_ - taken_; }
  Bytes look(size_t count) override;
  void skip(size_t count) override;

 private:
  void fill();
  bool decode_part();
  void start_element();
  void copy_back();
  bool has_input();
  uint8_t next_byte();
  void expand_whole();

  Memory& memory_;
  Open open_;
  std::unique_ptr<PieceSource> in_;
  Bytes piece_;            // of in_, what is not decoded yet
  size_t piece_size_ = 0;  // as in_ gave it
  size_t size_;
  size_t taken_ = 0;
  BufferPtr window_;            // the end of what has been decompressed
  size_t begin_ = 0, end_ = 0;  // of the window, what is not taken
  size_t produced_ = 0;
  // The element at hand: bytes to come, of the input or of what lies `offset_` bytes back.
  size_t literal_ = 0, copy_ = 0, offset_ = 0;
  BufferPtr whole_;  // all, once a copy reached back too far
};

}  // namespace quern::parquet
