// Bytes of a file or of a stream that was read to its end, by position.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "context/memory.hpp"

namespace quern::arrow {

class ByteSource {
 public:
  // "-" and "/dev/stdin" read standard input. Regular files stay on disk; anything else is read into memory.
  ByteSource(Memory& memory, const std::string& path);
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  int64_t size() const { return size_; }
  // Fills `out` with bytes [offset, offset + length), which the caller has checked against size(). Thread-safe.
  void read(int64_t offset, int64_t length, uint8_t* out) const;

 private:
  void read_to_end(Memory& memory);

  std::string path_;
  int descriptor_ = -1;
  bool owned_ = false;
  int64_t size_ = 0;
  std::vector<BufferPtr> chunks_;  // of chunk_size bytes, when not on disk
};

}  // namespace quern::arrow
