// Writer of the Thrift compact protocol into a string.
// Source: Apache Thrift, thrift-compact-protocol.md.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "parquet/thrift.hpp"

namespace quern::parquet {

class ThriftWriter {
 public:
  const std::string& bytes() const { return bytes_; }

  // Fields of the struct at hand, in ascending order of their numbers.
  void boolean(int16_t id, bool value) { header(id, value ? ThriftType::boolean_true : ThriftType::boolean_false); }
  void int8(int16_t id, int8_t value) {
    header(id, ThriftType::int8);
    bytes_.push_back(static_cast<char>(value));
  }
  void int32(int16_t id, int32_t value) {
    header(id, ThriftType::int32);
    zigzag(value);
  }
  void int64(int16_t id, int64_t value) {
    header(id, ThriftType::int64);
    zigzag(value);
  }
  void binary(int16_t id, std::string_view value) {
    header(id, ThriftType::binary);
    binary_element(value);
  }
  // `body` writes the fields of the struct.
  template <typename Body>
  void structure(int16_t id, Body body) {
    header(id, ThriftType::structure);
    structure_element(body);
  }
  // Header of a list field; `count` elements follow.
  void list(int16_t id, ThriftType element, size_t count);

  // Elements of lists, and the outermost struct.
  template <typename Body>
  void structure_element(Body body) {
    const int16_t outer = last_;
    last_ = 0;
    body();
    bytes_.push_back(0);
    last_ = outer;
  }
  void boolean_element(bool value) { bytes_.push_back(value ? 1 : 2); }
  void integer_element(int64_t value) { zigzag(value); }
  void binary_element(std::string_view value) {
    varint(value.size());
    bytes_.append(value);
  }

 private:
  void header(int16_t id, ThriftType type);
  void varint(uint64_t value);
  void zigzag(int64_t value) { varint(static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63)); }

  std::string bytes_;
  int16_t last_ = 0;
};

}  // namespace quern::parquet
