// The bytes of one column chunk, read in order with few calls and little that is not wanted.
#pragma once
#include <memory>
#include <span>

#include "context/context.hpp"
#include "parquet/codec.hpp"
#include "parquet/file.hpp"

namespace quern::parquet {

// A window over the bytes of a chunk that moves forward (or jumps), filled with pread a bounded piece at a time.
class ChunkStream {
 public:
  ChunkStream(Context& context, const File& file, int64_t start, int64_t end);

  int64_t position() const { return position_; }
  int64_t left() const { return end_ - position_; }
  void seek(int64_t position);
  void skip(int64_t count) { seek(position_ + count); }
  // After a jump: how much is wanted here, so that no more is read.
  void expect(int64_t bytes) { ahead_ = bytes; }
  // The next `count` bytes (all must lie in the chunk), without moving. Valid as long as `owner` lives.
  Bytes peek(int64_t count, BufferPtr& owner);
  // Moves over the next out.size() bytes, all of the chunk, and puts them into `out`: what the window lacks comes
  // straight from the file.
  void read(std::span<uint8_t> out);
  // What is in the window already, at least `count` bytes where the chunk has them. Valid until the next call.
  Bytes available(int64_t count);

 private:
  void fill(int64_t count);
  Context& context_;
  std::shared_ptr<const FileHandle> handle_;
  int64_t start_, end_;
  int64_t position_;
  BufferPtr window_;
  int64_t window_start_ = 0, window_end_ = 0;
  int64_t ahead_;  // bytes to read at the next fill; grows while reading runs on
};

}  // namespace quern::parquet
