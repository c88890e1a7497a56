// VARIANT: values that bring their types with them. A row of a VARIANT column holds the names of fields (metadata) and
// then the value, as Parquet encodes them; the metadata says where it ends. Only variant_builder.hpp makes such rows:
// what they hold was checked there, nesting included. All the same nothing here reads past the bytes it is given.
// Source: Apache Parquet format, VariantEncoding.md.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "columnar/column.hpp"

namespace quern {

// Deepest nesting of arrays and objects inside a value.
constexpr int max_variant_depth = 500;
// Bytes of one value, and of its text.
constexpr size_t max_variant_bytes = 256 << 20;

enum class VariantBasic : uint8_t { primitive, short_text, object, array };

enum class VariantPrimitive : uint8_t {
  null,
  true_value,
  false_value,
  int8,
  int16,
  int32,
  int64,
  float64,
  decimal4,
  decimal8,
  decimal16,
  date,
  timestamp_utc,
  timestamp,
  float32,
  binary,
  text,
  time,
  timestamp_utc_ns,
  timestamp_ns,
  uuid
};

// The names of fields that a value refers to by number.
class VariantMetadata {
 public:
  // More bytes may follow.
  explicit VariantMetadata(std::string_view bytes);
  std::string_view name(uint64_t id) const;
  uint64_t count() const { return count_; }
  // Bytes that the metadata takes.
  size_t size() const;

 private:
  std::string_view offsets_;
  std::string_view names_;  // and what follows
  size_t width_ = 1;        // bytes of an offset
  uint64_t count_ = 0;
};

// A row of a column in its parts.
struct VariantParts {
  VariantMetadata metadata;
  std::string_view metadata_bytes;
  std::string_view value;
};
VariantParts variant_parts(std::string_view row);

VariantBasic variant_basic(std::string_view value);
bool is_variant_null(std::string_view value);

// A value that is neither an object nor an array.
struct VariantLeaf {
  VariantPrimitive type = VariantPrimitive::null;
  int scale = 0;             // decimal
  std::string_view payload;  // the number, text or bytes; bytes of a decimal follow its scale
  size_t size = 0;           // bytes of the whole value
};
VariantLeaf variant_leaf(std::string_view value);

// A field of an object; an element of an array has no name.
struct VariantField {
  std::string_view name;
  std::string_view value;  // with whatever bytes follow it
};
struct VariantContents {
  std::vector<VariantField> fields;  // of an object: by name
  size_t header_size = 0;            // bytes before the values
};
VariantContents variant_contents(const VariantMetadata& metadata, std::string_view value);

// Appends the text of a row, as a cast to VARCHAR gives it.
void append_variant_text(std::string_view row, std::string& text);

// The rows as text, in a column of the same type: what results hold.
ColumnPtr variants_as_text(Memory& memory, const ColumnPtr& column);

}  // namespace quern
