// Values of a large page that is not compressed: long reads go from the file to where the values are wanted.
#pragma once
#include "parquet/chunk_stream.hpp"
#include "parquet/value_stream.hpp"

namespace quern::parquet {

class StoredStream : public ValueStream {
 public:
  // The next `count` bytes of the chunk.
  StoredStream(ChunkStream& chunk, size_t count) : chunk_(chunk), left_(count) {}

  size_t left() const override { return left_; }
  Bytes look(size_t count) override;
  void skip(size_t count) override;
  void read(uint8_t* out, size_t count) override;

 private:
  void take(size_t count);

  ChunkStream& chunk_;
  size_t left_;
};

}  // namespace quern::parquet
