#include "parquet/write_thrift.hpp"

namespace quern::parquet {

void ThriftWriter::header(int16_t id, ThriftType type) {
  const int delta = id - last_;
  if (delta > 0 && delta < 16) {
    bytes_.push_back(static_cast<char>(delta << 4 | static_cast<int>(type)));
  } else {
    bytes_.push_back(static_cast<char>(type));
    zigzag(id);
  }
  last_ = id;
}

void ThriftWriter::list(int16_t id, ThriftType element, size_t count) {
  header(id, ThriftType::list);
  if (count < 15) {
    bytes_.push_back(static_cast<char>(count << 4 | static_cast<size_t>(element)));
  } else {
    bytes_.push_back(static_cast<char>(0xF0 | static_cast<int>(element)));
    varint(count);
  }
}

void ThriftWriter::varint(uint64_t value) {
  while (value >= 0x80) {
    bytes_.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  bytes_.push_back(static_cast<char>(value));
}

}  // namespace quern::parquet
