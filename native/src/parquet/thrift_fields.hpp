// Thrift structs as lists of their fields: read_fields(reader, into<1>(object.a), by<2>([&](auto& reader, auto& field)
// {…})). Fields that are not named are skipped.
#pragma once
#include <initializer_list>
#include <optional>
#include <vector>

#include "parquet/thrift.hpp"

namespace quern::parquet {

// A value by the type that it is read into.
inline void read_value(ThriftReader& reader, const ThriftReader::Field& field, int32_t& value) {
  value = reader.int32(field);
}
inline void read_value(ThriftReader& reader, const ThriftReader::Field& field, int64_t& value) {
  value = reader.int64(field);
}
inline void read_value(ThriftReader& reader, const ThriftReader::Field& field, bool& value) {
  value = reader.boolean(field);
}
inline void read_value(ThriftReader& reader, const ThriftReader::Field& field, std::string_view& value) {
  value = reader.binary(field);
}
inline void read_value(ThriftReader& reader, const ThriftReader::Field& field, std::string& value) {
  value = reader.binary(field);
}
inline void read_value(ThriftReader& reader, const ThriftReader::Field& field, std::vector<int32_t>& values) {
  for (int64_t left = reader.list(field, ThriftType::int32); left > 0; --left) values.push_back(reader.int32_element());
}
inline void read_value(ThriftReader& reader, const ThriftReader::Field& field, std::vector<int64_t>& values) {
  values.clear();
  for (int64_t left = reader.list(field, ThriftType::int64); left > 0; --left) values.push_back(reader.int64_element());
}
inline void read_value(ThriftReader& reader, const ThriftReader::Field& field, std::vector<std::string_view>& values) {
  values.clear();
  for (int64_t left = reader.list(field, ThriftType::binary); left > 0; --left)
    values.push_back(reader.binary_element());
}
template <typename T>
void read_value(ThriftReader& reader, const ThriftReader::Field& field, std::optional<T>& value) {
  read_value(reader, field, value.emplace());
}

template <int16_t Id, typename Read>
struct NamedField {
  static constexpr int16_t id = Id;
  Read read;
};

// Field `Id`, read by `read(reader, field)`.
template <int16_t Id, typename Read>
NamedField<Id, Read> by(Read read) {
  static_assert(Id > 0 && Id < 32);
  return {std::move(read)};
}

// Field `Id`, stored in `value`.
template <int16_t Id, typename T>
auto into(T& value) {
  return by<Id>([&value](ThriftReader& reader, const ThriftReader::Field& field) { read_value(reader, field, value); });
}

// Numbers of the named fields that were there.
class SeenFields {
 public:
  void add(int16_t id) { bits_ |= 1U << id; }
  bool all(std::initializer_list<int16_t> ids) const {
    for (const int16_t id : ids) {
      if ((bits_ >> id & 1U) == 0) return false;
    }
    return true;
  }

 private:
  uint32_t bits_ = 0;
};

// The struct at the cursor.
template <typename... Fields>
SeenFields read_fields(ThriftReader& reader, const Fields&... fields) {
  SeenFields seen;
  reader.structure([&](const ThriftReader::Field& field) {
    const auto read = [&](const auto& named) {
      if (field.id != named.id) return false;
      named.read(reader, field);
      seen.add(named.id);
      return true;
    };
    if (!(read(fields) || ...)) reader.skip(field);
  });
  return seen;
}

// The struct that is the value of `field`.
template <typename... Fields>
SeenFields read_structure(ThriftReader& reader, const ThriftReader::Field& field, const Fields&... fields) {
  reader.expect_structure(field);
  return read_fields(reader, fields...);
}

}  // namespace quern::parquet
