// The encoding of one VARIANT value and its text. Nothing in the bytes is trusted.
// Source: Apache Parquet format, VariantEncoding.md.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "columnar/data_type.hpp"

namespace quern::parquet {

// The names of fields that a value refers to by number.
class VariantMetadata {
 public:
  explicit VariantMetadata(std::string_view bytes);
  std::string_view name(uint64_t id) const;

 private:
  std::string_view offsets_;
  std::string_view names_;
  size_t width_ = 1;  // bytes of an offset
  uint64_t count_ = 0;
};

// A field of an object.
struct VariantField {
  std::string_view name;
  std::string_view value;  // with whatever bytes follow it
};

// Fields by name. Throws corrupt_file unless `value` is an object.
std::vector<VariantField> variant_fields(const VariantMetadata& metadata, std::string_view value);

// Appends the text of the value, as a cast to VARCHAR gives it; `inside`: as a part of an array or object. False for
// variant null, of which nothing is appended.
bool write_variant(const VariantMetadata& metadata, std::string_view value, bool inside, std::string& text);

// What an element of an array is. Elements of one kind are shown as a list of that type, so quoted where needed; others
// stand as they are, as DuckDB has it.
enum class VariantKind : uint8_t {
  null,
  plain,
  text,
  binary,
  date,
  time,
  timestamp_utc,
  timestamp,
  timestamp_ns,
  object,
  array
};
VariantKind variant_kind(std::string_view value);
VariantKind variant_kind(const DataType& type);

// Brackets, names and commas of an object's text. An object whose one field has an empty name is shown as a tuple.
class ObjectText {
 public:
  ObjectText(std::string& text, bool is_tuple);
  void next(std::string_view name);
  void close();

 private:
  std::string& text_;
  bool is_tuple_;
  bool is_first_ = true;
};

}  // namespace quern::parquet
