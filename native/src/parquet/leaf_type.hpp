// Which SQL type a leaf column has, and how its stored values become that type's values.
#pragma once
#include <string>

#include "columnar/data_type.hpp"
#include "parquet/metadata.hpp"

namespace quern::parquet {

// From the stored form of one value to the column's form (data_type.hpp, Physical).
enum class Conversion : uint8_t {
  copy,           // same bytes
  boolean,        // bits to bytes; the decoder does it
  int32_to_int8,  // range checked, as the next three
  int32_to_int16,
  int32_to_uint8,
  int32_to_uint16,
  int32_to_int64,
  int32_to_int128,
  int64_to_int128,
  scale_int32,        // × factor into int64
  scale_int64,        // × factor, overflow checked
  divide_int64,       // ÷ factor, towards zero as the SQL dialect has it
  int32_to_utc_time,  // milliseconds of a time with zone, wrapped into the day, into microseconds
  int64_to_utc_time,  // 1/factor of a microsecond likewise
  int96_to_timestamp,
  big_endian_to_int64,  // decimals; fixed or variable length
  big_endian_to_int128,
  big_endian_to_double,  // decimals wider than 38 digits; ÷ 10^scale
  int32_to_double,
  int64_to_double,
  uuid,
  interval,
  view  // bytes as string views
};

struct LeafType {
  TypePtr type;  // null when unsupported: `reason` says why
  std::string reason;
  PhysicalType physical = PhysicalType::boolean;
  int32_t stored_width = 0;  // bytes of a stored value; 0 for BYTE_ARRAY and BOOLEAN
  Conversion conversion = Conversion::copy;
  int64_t factor = 1;  // scale_*, divide_*, int64_to_utc_time
  int32_t scale = 0;   // *_to_double
  bool check_utf8 = false;
};

// `bfloat16`: the user says that 16-bit values are bfloat16.
LeafType leaf_type(const SchemaElement& element, bool binary_as_string, bool bfloat16);

// 2 for values that may be read as bfloat16, by the physical and logical type.
bool holds_16_bits(const SchemaElement& element);

}  // namespace quern::parquet
