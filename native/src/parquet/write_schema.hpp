// The Parquet schema that columns of SQL types are written under.
#pragma once
#include <string>
#include <vector>

#include "columnar/data_type.hpp"
#include "parquet/metadata.hpp"

namespace quern::parquet {

// How bounds of a leaf are compared; none = no bounds are written.
enum class BoundOrder : uint8_t {
  none,
  boolean,
  int32,
  int64,
  uint32,
  uint64,
  float16,
  float32,
  float64,
  signed_big_endian,
  bytes
};

// A leaf column as it is stored.
struct WriteLeaf {
  TypePtr type;
  std::vector<std::string> path;
  PhysicalType physical = PhysicalType::int32;
  int32_t width = 0;   // bytes of a stored value; 0: BYTE_ARRAY; 1 (one byte, packed to bits in pages): BOOLEAN
  int64_t factor = 1;  // stored = value × factor: times and timestamps of units that Parquet lacks
  BoundOrder order = BoundOrder::none;
  int max_definition = 0, max_repetition = 0;
  bool is_text = false;
};

struct WriteField {
  std::string name;
  TypePtr type;
};

struct WriteSchema {
  std::vector<SchemaElement> elements;  // depth first, the root is the first
  std::vector<WriteLeaf> leaves;
};

// All fields are optional. Throws unsupported for what Parquet cannot hold.
WriteSchema make_write_schema(const std::vector<WriteField>& fields);

}  // namespace quern::parquet
