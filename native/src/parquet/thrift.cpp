#include "parquet/thrift.hpp"

namespace quern::parquet {

namespace {

// Deepest nesting that skip() follows; the format itself nests 6 levels.
constexpr int max_skip_depth = 64;

const char* thrift_type_name(ThriftType type) {
  switch (type) {
    case ThriftType::stop:
      return "stop";
    case ThriftType::boolean_true:
    case ThriftType::boolean_false:
      return "bool";
    case ThriftType::int8:
      return "i8";
    case ThriftType::int16:
      return "i16";
    case ThriftType::int32:
      return "i32";
    case ThriftType::int64:
      return "i64";
    case ThriftType::floating:
      return "double";
    case ThriftType::binary:
      return "binary";
    case ThriftType::list:
      return "list";
    case ThriftType::set:
      return "set";
    case ThriftType::map:
      return "map";
    case ThriftType::structure:
      return "struct";
    case ThriftType::uuid:
      return "uuid";
  }
  return "unknown type";
}

bool is_known(ThriftType type) { return type >= ThriftType::boolean_true && type <= ThriftType::uuid; }

}  // namespace

void ThriftReader::fail(const std::string& what) const {
  throw corrupt_file("thrift @" + std::to_string(base_ + static_cast<int64_t>(position_)) + ": " + what);
}

void ThriftReader::run_out() {
  ran_out_ = true;
  fail("ends early");
}

uint64_t ThriftReader::long_varint() {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    uint8_t next = byte();
    uint64_t part = next & 0x7F;
    if (shift == 63 && part > 1) fail("varint exceeds 64 bits");
    value |= part << shift;
    if ((next & 0x80) == 0) return value;
  }
  fail("varint is longer than 10 bytes");
}

int32_t ThriftReader::narrow32(int64_t value) const {
  if (value < INT32_MIN || value > INT32_MAX) fail("i32 out of range: " + std::to_string(value));
  return static_cast<int32_t>(value);
}

void ThriftReader::fail_advance(uint64_t count) {
  ran_out_ = true;
  fail(std::to_string(count) + " bytes declared, " + std::to_string(left()) + " left");
}

void ThriftReader::expect(const Field& field, ThriftType type) const {
  if (field.type != type) {
    fail("field " + std::to_string(field.id) + " is " + thrift_type_name(field.type) + ", expected " +
         thrift_type_name(type));
  }
}

bool ThriftReader::next_field(int16_t& last, Field& field) {
  uint8_t header = byte();
  if (header == 0) return false;
  field.type = static_cast<ThriftType>(header & 0x0F);
  if (!is_known(field.type)) fail("unknown field type " + std::to_string(header & 0x0F));
  int delta = header >> 4;
  int64_t id = delta != 0 ? last + delta : zigzag();
  if (id < INT16_MIN || id > INT16_MAX) fail("field id out of range: " + std::to_string(id));
  field.id = static_cast<int16_t>(id);
  last = field.id;
  return true;
}

bool ThriftReader::boolean(const Field& field) {
  if (field.type == ThriftType::boolean_true) return true;
  if (field.type == ThriftType::boolean_false) return false;
  fail("field " + std::to_string(field.id) + " is " + thrift_type_name(field.type) + ", expected bool");
}

int8_t ThriftReader::int8(const Field& field) {
  expect(field, ThriftType::int8);
  return static_cast<int8_t>(byte());
}

int16_t ThriftReader::int16(const Field& field) {
  expect(field, ThriftType::int16);
  int64_t value = zigzag();
  if (value < INT16_MIN || value > INT16_MAX) fail("i16 out of range: " + std::to_string(value));
  return static_cast<int16_t>(value);
}

int32_t ThriftReader::int32(const Field& field) {
  expect(field, ThriftType::int32);
  return narrow32(zigzag());
}

int64_t ThriftReader::int64(const Field& field) {
  expect(field, ThriftType::int64);
  return zigzag();
}

std::string_view ThriftReader::binary_element() {
  uint64_t length = varint();
  size_t start = position_;
  advance(length);
  return {reinterpret_cast<const char*>(bytes_.data()) + start, static_cast<size_t>(length)};
}

std::string_view ThriftReader::binary(const Field& field) {
  expect(field, ThriftType::binary);
  return binary_element();
}

bool ThriftReader::boolean_element() {
  uint8_t value = byte();
  if (value > 2) fail("bool element is " + std::to_string(value));
  return value == 1;
}

int64_t ThriftReader::list_header(ThriftType& element) {
  uint8_t header = byte();
  uint64_t count = header >> 4;
  if (count == 15) count = varint();
  element = static_cast<ThriftType>(header & 0x0F);
  if (count == 0) return 0;
  if (!is_known(element)) fail("unknown element type " + std::to_string(header & 0x0F));
  // Every element takes at least one byte.
  if (count > left()) {
    ran_out_ = true;
    fail("list of " + std::to_string(count) + " elements, " + std::to_string(left()) + " bytes left");
  }
  return static_cast<int64_t>(count);
}

int64_t ThriftReader::list(const Field& field, ThriftType element) {
  expect(field, ThriftType::list);
  ThriftType actual{};
  int64_t count = list_header(actual);
  bool both_bool = element == ThriftType::boolean_true && actual == ThriftType::boolean_false;
  if (count > 0 && actual != element && !both_bool) {
    fail("field " + std::to_string(field.id) + " lists " + thrift_type_name(actual) + ", expected " +
         thrift_type_name(element));
  }
  return count;
}

bool ThriftReader::skip_flat(ThriftType type, int64_t count) {
  switch (type) {
    case ThriftType::boolean_true:
    case ThriftType::boolean_false:
    case ThriftType::int8:
      advance(static_cast<uint64_t>(count));
      return true;
    case ThriftType::int16:
    case ThriftType::int32:
    case ThriftType::int64:
      for (; count > 0; --count) skip_varint();
      return true;
    case ThriftType::floating:
      advance(static_cast<uint64_t>(count) * 8);
      return true;
    case ThriftType::uuid:
      advance(static_cast<uint64_t>(count) * 16);
      return true;
    case ThriftType::binary:
      for (; count > 0; --count) advance(varint());
      return true;
    default:
      return false;
  }
}

// The innermost structs and lists of a footer are nearly all of it, so flat fields and elements are passed over in
// tight loops and only nested ones touch the level stack.
void ThriftReader::skip(ThriftType type) {
  // What is still to be skipped at each level: fields of a struct (until stop), or `count` elements of a container.
  struct Level {
    int64_t count;
    ThriftType first, second;  // element type; map: key, value alternate
    bool is_struct;
  };
  Level levels[max_skip_depth];
  int depth = 0;
  auto push = [&](ThriftType nested) {
    if (depth == max_skip_depth) fail("nesting exceeds " + std::to_string(max_skip_depth) + " levels");
    Level level{0, ThriftType::stop, ThriftType::stop, false};
    switch (nested) {
      case ThriftType::structure:
        level.is_struct = true;
        break;
      case ThriftType::list:
      case ThriftType::set:
        level.count = list_header(level.first);
        level.second = level.first;
        if (level.count == 0 || skip_flat(level.first, level.count)) return;
        break;
      case ThriftType::map: {
        uint64_t pairs = varint();
        if (pairs == 0) return;
        uint8_t types = byte();
        level.first = static_cast<ThriftType>(types >> 4);
        level.second = static_cast<ThriftType>(types & 0x0F);
        if (!is_known(level.first) || !is_known(level.second)) fail("unknown map type " + std::to_string(types));
        if (pairs > left()) {
          ran_out_ = true;
          fail("map of " + std::to_string(pairs) + " pairs, " + std::to_string(left()) + " bytes left");
        }
        level.count = static_cast<int64_t>(pairs) * 2;
        break;
      }
      default:
        fail("unknown type " + std::to_string(static_cast<int>(nested)));
    }
    levels[depth++] = level;
  };

  bool in_header = type == ThriftType::boolean_true || type == ThriftType::boolean_false;
  if (in_header || skip_flat(type, 1)) return;
  push(type);
  while (depth > 0) {
    Level& level = levels[depth - 1];
    if (level.is_struct) {
      while (true) {
        uint8_t header = byte();
        if (header == 0) {
          --depth;
          break;
        }
        if (header >> 4 == 0) skip_varint();  // the field id in its long form
        auto field = static_cast<ThriftType>(header & 0x0F);
        if (!is_known(field)) fail("unknown field type " + std::to_string(header & 0x0F));
        if (field <= ThriftType::boolean_false) continue;
        if (!skip_flat(field, 1)) {
          push(field);
          break;
        }
      }
    } else if (level.count == 0) {
      --depth;
    } else {
      ThriftType next = level.count % 2 == 0 ? level.first : level.second;
      --level.count;
      if (!skip_flat(next, 1)) push(next);
    }
  }
}

}  // namespace quern::parquet
