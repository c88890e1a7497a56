// The bytes of a page's values, front to back, without the page being held whole. Used by one thread.
#pragma once
#include <algorithm>
#include <cstring>

#include "common/error.hpp"
#include "parquet/codec.hpp"

namespace quern::parquet {

class ValueStream {
 public:
  virtual ~ValueStream() = default;
  virtual size_t left() const = 0;
  // The bytes at hand: at least `count` (up to longest_look) or all that are left. Valid until the next call.
  virtual Bytes look(size_t count) = 0;
  // The next `count` bytes, of which left() must have as many.
  virtual void skip(size_t count) = 0;
  virtual void read(uint8_t* out, size_t count) {
    if (count > left()) throw internal_error("read past the end of a page");
    while (count > 0) {
      const Bytes bytes = look(1);
      const size_t part = std::min(count, bytes.size());
      std::memcpy(out, bytes.data(), part);
      skip(part);
      out += part;
      count -= part;
    }
  }

  static constexpr size_t longest_look = 4 << 10;
};

}  // namespace quern::parquet
