#include "parquet/stored_stream.hpp"

#include <algorithm>

#include "common/error.hpp"

namespace quern::parquet {

namespace {

// Shorter reads go through the window of the chunk, which asks the system less often.
constexpr size_t direct_read = 4 << 10;

}  // namespace

Bytes StoredStream::look(size_t count) {
  const Bytes bytes = chunk_.available(static_cast<int64_t>(std::min(count, left_)));
  return bytes.first(std::min(bytes.size(), left_));
}

void StoredStream::take(size_t count) {
  if (count > left_) throw internal_error("read past the end of a page");
  left_ -= count;
}

void StoredStream::skip(size_t count) {
  take(count);
  chunk_.skip(static_cast<int64_t>(count));
}

void StoredStream::read(uint8_t* out, size_t count) {
  if (count < direct_read) return ValueStream::read(out, count);
  take(count);
  chunk_.read({out, count});
}

}  // namespace quern::parquet
