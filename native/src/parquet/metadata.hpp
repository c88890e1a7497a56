// The Thrift structs of a Parquet file that this reader uses. Strings are views into the bytes they were parsed from.
// Source: Apache Parquet format, parquet.thrift.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "columnar/data_type.hpp"
#include "parquet/thrift.hpp"

namespace quern::parquet {

enum class PhysicalType : int32_t { boolean, int32, int64, int96, float32, float64, byte_array, fixed };
const char* physical_type_name(PhysicalType type);

enum class Repetition : int32_t { required, optional, repeated };

// Numbers of ConvertedType; -1 stands for none.
enum class Converted : int32_t {
  none = -1,
  utf8,
  map,
  map_key_value,
  list,
  enumeration,
  decimal,
  date,
  time_ms,
  time_us,
  timestamp_ms,
  timestamp_us,
  uint8,
  uint16,
  uint32,
  uint64,
  int8,
  int16,
  int32,
  int64,
  json,
  bson,
  interval
};

enum class LogicalKind : uint8_t {
  none,
  string,
  map,
  list,
  enumeration,
  decimal,
  date,
  time,
  timestamp,
  integer,
  null,
  json,
  bson,
  uuid,
  float16,
  variant,
  geometry,
  geography,
  other  // a kind that this reader does not know
};

struct LogicalType {
  LogicalKind kind = LogicalKind::none;
  int32_t precision = 0, scale = 0;  // decimal
  bool utc = false;                  // time, timestamp
  TimeUnit unit = TimeUnit::us;      // time, timestamp
  int32_t bit_width = 0;             // integer
  bool is_signed = false;            // integer
};

struct SchemaElement {
  std::optional<PhysicalType> type;  // none: a group
  int32_t type_length = 0;
  Repetition repetition = Repetition::required;
  std::string name;
  int32_t child_count = 0;
  Converted converted = Converted::none;
  int32_t scale = 0, precision = 0;
  std::optional<int32_t> field_id;
  LogicalType logical;
};

struct Statistics {
  std::optional<std::string_view> min, max;  // deprecated, signed byte order
  std::optional<std::string_view> min_value, max_value;
  std::optional<int64_t> null_count, distinct_count;
  std::optional<bool> min_exact, max_exact;
};

// Size statistics: numbers of levels by value.
struct SizeStatistics {
  std::optional<int64_t> unencoded_bytes;
  std::vector<int64_t> repetition_histogram, definition_histogram;
};

struct ColumnChunk {
  std::string_view file_path;
  bool encrypted = false;
  bool has_metadata = false;
  PhysicalType type = PhysicalType::boolean;
  std::vector<int32_t> encodings;
  std::vector<std::string_view> path;
  int32_t codec = 0;
  int64_t value_count = 0;  // level entries: nulls and empty lists count
  int64_t uncompressed_size = 0, compressed_size = 0;
  int64_t data_page_offset = 0;
  std::optional<int64_t> dictionary_page_offset;
  Statistics statistics;
  SizeStatistics sizes;
  std::optional<int64_t> bloom_offset, offset_index_offset, column_index_offset;
  int32_t bloom_length = 0, offset_index_length = 0, column_index_length = 0;
};

enum class PageType : int32_t { data = 0, index = 1, dictionary = 2, data_v2 = 3 };

enum class Encoding : int32_t {
  plain = 0,
  plain_dictionary = 2,
  rle = 3,
  bit_packed = 4,
  delta_binary_packed = 5,
  delta_length_byte_array = 6,
  delta_byte_array = 7,
  rle_dictionary = 8,
  byte_stream_split = 9
};
std::string encoding_name(int32_t encoding);

struct PageHeader {
  int32_t type = -1;
  int32_t uncompressed_size = 0, compressed_size = 0;
  bool has_body_header = false;  // the struct that belongs to `type`
  int32_t value_count = 0;
  int32_t encoding = 0;
  int32_t definition_encoding = 3, repetition_encoding = 3;  // v1
  int32_t null_count = 0, row_count = 0;                     // v2
  int32_t definition_length = 0, repetition_length = 0;      // v2
  bool is_compressed = true;                                 // v2
};

struct PageLocation {
  int64_t offset = 0;
  int32_t size = 0;  // header included
  int64_t first_row = 0;
};

struct ColumnIndex {
  std::vector<bool> null_pages;
  std::vector<std::string_view> min_values, max_values;
  std::vector<int64_t> null_counts;  // empty when absent
};

struct BloomHeader {
  int32_t byte_count = 0;
  bool known = false;  // split block, xxhash, uncompressed
};

SchemaElement read_schema_element(ThriftReader& reader);
ColumnChunk read_column_chunk(ThriftReader& reader);
PageHeader read_page_header(ThriftReader& reader);
std::vector<PageLocation> read_offset_index(ThriftReader& reader);
ColumnIndex read_column_index(ThriftReader& reader);
BloomHeader read_bloom_header(ThriftReader& reader);

}  // namespace quern::parquet
