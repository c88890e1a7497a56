// SQL data types and how their values are stored. Twin of src/common/data_type.ts.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace quern {

enum class TypeKind : uint8_t {
  null,
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float16,
  bfloat16,
  float32,
  float64,
  decimal,    // unscaled int64 up to precision 18, else int128
  date,       // int32 days since 1970-01-01
  time,       // int64 of unit
  timestamp,  // int64 of unit since 1970-01-01
  interval,
  string,
  binary,
  uuid,  // int128 whose most significant byte is the first of the text
  list,
  structure,
  map  // physically list<struct<key, value>>
};

enum class TimeUnit : uint8_t { s, ms, us, ns };
int64_t units_per_second(TimeUnit unit);

// What text or bytes stand for, where that is a type of its own: json is a string, geometry is binary (WKB, see
// columnar/geometry.hpp), variant has the kind of a string and holds bytes (columnar/variant.hpp).
enum class TypeTag : uint8_t { none, json, geometry, variant };

struct DataType;
using TypePtr = std::shared_ptr<const DataType>;

struct DataType {
  TypeKind kind = TypeKind::null;
  uint8_t precision = 0;  // decimal, 1..38
  uint8_t scale = 0;      // decimal
  TimeUnit unit = TimeUnit::us;
  bool zone = false;               // timestamp: an instant; time: of UTC
  TypeTag tag = TypeTag::none;     // string, binary
  std::vector<TypePtr> children;   // list: element; map: key, value; structure: fields
  std::vector<std::string> names;  // structure
};

// How one row of a flat column is stored.
enum class Physical : uint8_t {
  none,     // null type: no data
  boolean,  // uint8_t, 0 or 1
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  half,  // uint16_t bits of float16 or bfloat16: the type tells
  float32,
  float64,
  int128,
  interval,   // Interval
  string,     // StringView
  list,       // ListEntry into children[0]
  structure,  // children only
};

Physical physical(const DataType& type);
// Bytes a row in `data`; 0 for none and structure.
int32_t width(Physical kind);
inline int32_t width(const DataType& type) { return width(physical(type)); }

inline bool is_integer(const DataType& type) { return type.kind >= TypeKind::int8 && type.kind <= TypeKind::uint64; }
inline bool is_float(const DataType& type) { return type.kind == TypeKind::float32 || type.kind == TypeKind::float64; }
// Tags count: JSON is another type than VARCHAR, and casts lead from one to the other.
bool same_type(const DataType& a, const DataType& b);
// Whether the type is VARIANT or holds one.
bool holds_variant(const DataType& type);
// SQL name, the same text as typeName() in TypeScript.
std::string type_name(const DataType& type);

TypePtr make_type(TypeKind kind);
TypePtr make_decimal(int precision, int scale);
TypePtr make_tagged(TypeTag tag);
TypePtr make_time(TimeUnit unit, bool zone = false);
TypePtr make_timestamp(TimeUnit unit, bool zone);
TypePtr make_list(TypePtr element);
TypePtr make_structure(std::vector<std::string> names, std::vector<TypePtr> fields);
TypePtr make_map(TypePtr key, TypePtr value);
// struct<key, value>: what the child column of a map column holds
TypePtr map_entry_type(const DataType& map);

}  // namespace quern
