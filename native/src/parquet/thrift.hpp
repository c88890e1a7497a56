// Reader of the Thrift compact protocol over a span of untrusted bytes. Nothing is reserved by a declared size;
// skipping uses no C stack. Errors are corrupt_file with the byte offset. Source: Apache Thrift,
// thrift-compact-protocol.md.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "common/error.hpp"
#include "parquet/encoding.hpp"

namespace quern::parquet {

// Type numbers as they stand in field headers and list headers.
enum class ThriftType : uint8_t {
  stop = 0,
  boolean_true = 1,
  boolean_false = 2,
  int8 = 3,
  int16 = 4,
  int32 = 5,
  int64 = 6,
  floating = 7,
  binary = 8,
  list = 9,
  set = 10,
  map = 11,
  structure = 12,
  uuid = 13
};

class ThriftReader {
 public:
  // `base` is the file offset of the first byte, for messages.
  explicit ThriftReader(Bytes bytes, int64_t base = 0, size_t position = 0)
      : bytes_(bytes), position_(position), base_(base) {}

  size_t position() const { return position_; }
  size_t left() const { return bytes_.size() - position_; }
  // True when an error came from the end of the bytes: a longer span may parse.
  bool ran_out() const { return ran_out_; }

  struct Field {
    int16_t id;
    ThriftType type;
  };

  // Calls on_field(Field) for each field of the struct at the cursor; on_field consumes the value (or calls skip).
  template <typename OnField>
  void structure(OnField on_field) {
    int16_t last = 0;
    Field field{};
    while (next_field(last, field)) on_field(field);
  }

  // Header of a struct field; false at the stop byte.
  bool next_field(int16_t& last, Field& field);

  // Values of a field of the given type; another type than the schema's is an error.
  bool boolean(const Field& field);
  int8_t int8(const Field& field);
  int16_t int16(const Field& field);
  int32_t int32(const Field& field);
  int64_t int64(const Field& field);
  std::string_view binary(const Field& field);
  void expect_structure(const Field& field) { expect(field, ThriftType::structure); }

  // Header of a list field whose elements must have type `element` (booleans: either number). Gives the element count,
  // which never exceeds the bytes left.
  int64_t list(const Field& field, ThriftType element);
  // Elements of such lists.
  bool boolean_element();
  int32_t int32_element() { return narrow32(zigzag()); }
  int64_t int64_element() { return zigzag(); }
  std::string_view binary_element();

  void skip(const Field& field) { skip(field.type); }
  void skip(ThriftType type);

  [[noreturn]] void fail(const std::string& what) const;

 private:
  uint8_t byte() {
    if (position_ >= bytes_.size()) run_out();
    return bytes_[position_++];
  }
  uint64_t varint() {
    if (position_ < bytes_.size() && bytes_[position_] < 0x80) return bytes_[position_++];
    return long_varint();
  }
  uint64_t long_varint();
  void skip_varint() {
    // Ten bytes hold any value; what they hold does not matter here.
    for (int i = 0; i < 10; ++i) {
      if (byte() < 0x80) return;
    }
    fail("varint is longer than 10 bytes");
  }
  // Passes over `count` values that are not containers; false when `type` is one.
  bool skip_flat(ThriftType type, int64_t count);
  [[noreturn]] void run_out();
  [[noreturn]] void fail_advance(uint64_t count);
  int64_t zigzag() {
    uint64_t value = varint();
    return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
  }
  int32_t narrow32(int64_t value) const;
  void expect(const Field& field, ThriftType type) const;
  void advance(uint64_t count) {
    if (count > left()) fail_advance(count);
    position_ += count;
  }
  // Size and element type of a list or set.
  int64_t list_header(ThriftType& element);

  Bytes bytes_;
  size_t position_ = 0;
  int64_t base_ = 0;
  mutable bool ran_out_ = false;
};

}  // namespace quern::parquet
