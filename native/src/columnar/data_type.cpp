#include "columnar/data_type.hpp"

#include <algorithm>
#include <array>

#include "common/error.hpp"

namespace quern {

Physical physical(const DataType& type) {
  switch (type.kind) {
    case TypeKind::null:
      return Physical::none;
    case TypeKind::boolean:
      return Physical::boolean;
    case TypeKind::int8:
      return Physical::int8;
    case TypeKind::int16:
      return Physical::int16;
    case TypeKind::int32:
      return Physical::int32;
    case TypeKind::int64:
      return Physical::int64;
    case TypeKind::uint8:
      return Physical::uint8;
    case TypeKind::uint16:
      return Physical::uint16;
    case TypeKind::uint32:
      return Physical::uint32;
    case TypeKind::uint64:
      return Physical::uint64;
    case TypeKind::float16:
    case TypeKind::bfloat16:
      return Physical::half;
    case TypeKind::float32:
      return Physical::float32;
    case TypeKind::float64:
      return Physical::float64;
    case TypeKind::decimal:
      return type.precision <= 18 ? Physical::int64 : Physical::int128;
    case TypeKind::date:
      return Physical::int32;
    case TypeKind::time:
    case TypeKind::timestamp:
      return Physical::int64;
    case TypeKind::interval:
      return Physical::interval;
    case TypeKind::string:
    case TypeKind::binary:
      return Physical::string;
    case TypeKind::uuid:
      return Physical::int128;
    case TypeKind::list:
    case TypeKind::map:
      return Physical::list;
    case TypeKind::structure:
      return Physical::structure;
  }
  throw internal_error("unknown type kind " + std::to_string(static_cast<int>(type.kind)));
}

int32_t width(Physical kind) {
  switch (kind) {
    case Physical::none:
    case Physical::structure:
      return 0;
    case Physical::boolean:
    case Physical::int8:
    case Physical::uint8:
      return 1;
    case Physical::int16:
    case Physical::uint16:
    case Physical::half:
      return 2;
    case Physical::int32:
    case Physical::uint32:
    case Physical::float32:
      return 4;
    case Physical::int64:
    case Physical::uint64:
    case Physical::float64:
      return 8;
    case Physical::int128:
    case Physical::interval:
    case Physical::string:
    case Physical::list:
      return 16;
  }
  throw internal_error("unknown physical kind " + std::to_string(static_cast<int>(kind)));
}

int64_t units_per_second(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::s:
      return 1;
    case TimeUnit::ms:
      return 1000;
    case TimeUnit::us:
      return 1000000;
    case TimeUnit::ns:
      return 1000000000;
  }
  throw internal_error("unknown time unit " + std::to_string(static_cast<int>(unit)));
}

bool same_type(const DataType& a, const DataType& b) {
  if (&a == &b) return true;
  if (a.kind != b.kind || a.tag != b.tag || a.children.size() != b.children.size() || a.names != b.names) return false;
  if (a.kind == TypeKind::decimal && (a.precision != b.precision || a.scale != b.scale)) return false;
  if ((a.kind == TypeKind::time || a.kind == TypeKind::timestamp) && (a.unit != b.unit || a.zone != b.zone))
    return false;
  for (size_t i = 0; i < a.children.size(); ++i) {
    if (!same_type(*a.children[i], *b.children[i])) return false;
  }
  return true;
}

bool holds_variant(const DataType& type) {
  return type.tag == TypeTag::variant || std::any_of(type.children.begin(), type.children.end(),
                                                     [](const TypePtr& child) { return holds_variant(*child); });
}

namespace {

// As DuckDB and quoteIdentifier() in TypeScript: plain lower-case names stand bare.
std::string quoted(const std::string& name) {
  bool plain = !name.empty() && !(name[0] >= '0' && name[0] <= '9');
  for (char c : name) plain = plain && ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_');
  if (plain) return name;
  std::string out = "\"";
  for (char c : name) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

std::string unit_suffix(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::s:
      return "_S";
    case TimeUnit::ms:
      return "_MS";
    case TimeUnit::us:
      return "";
    case TimeUnit::ns:
      return "_NS";
  }
  return "";
}

}  // namespace

std::string type_name(const DataType& type) {
  switch (type.kind) {
    case TypeKind::null:
      return "\"NULL\"";
    case TypeKind::boolean:
      return "BOOLEAN";
    case TypeKind::int8:
      return "TINYINT";
    case TypeKind::int16:
      return "SMALLINT";
    case TypeKind::int32:
      return "INTEGER";
    case TypeKind::int64:
      return "BIGINT";
    case TypeKind::uint8:
      return "UTINYINT";
    case TypeKind::uint16:
      return "USMALLINT";
    case TypeKind::uint32:
      return "UINTEGER";
    case TypeKind::uint64:
      return "UBIGINT";
    case TypeKind::float16:
      return "FLOAT16";
    case TypeKind::bfloat16:
      return "BFLOAT16";
    case TypeKind::float32:
      return "FLOAT";
    case TypeKind::float64:
      return "DOUBLE";
    case TypeKind::decimal:
      return "DECIMAL(" + std::to_string(type.precision) + "," + std::to_string(type.scale) + ")";
    case TypeKind::date:
      return "DATE";
    case TypeKind::time:
      return type.zone ? "TIME WITH TIME ZONE" : "TIME" + unit_suffix(type.unit);
    case TypeKind::timestamp:
      return type.zone ? "TIMESTAMP WITH TIME ZONE" : "TIMESTAMP" + unit_suffix(type.unit);
    case TypeKind::interval:
      return "INTERVAL";
    case TypeKind::string:
      return type.tag == TypeTag::json ? "JSON" : type.tag == TypeTag::variant ? "VARIANT" : "VARCHAR";
    case TypeKind::binary:
      return type.tag == TypeTag::geometry ? "GEOMETRY" : "BLOB";
    case TypeKind::uuid:
      return "UUID";
    case TypeKind::list:
      return type_name(*type.children[0]) + "[]";
    case TypeKind::map:
      return "MAP(" + type_name(*type.children[0]) + ", " + type_name(*type.children[1]) + ")";
    case TypeKind::structure: {
      std::string out = "STRUCT(";
      for (size_t i = 0; i < type.children.size(); ++i) {
        if (i > 0) out += ", ";
        if (!type.names[i].empty()) out += quoted(type.names[i]) + " ";
        out += type_name(*type.children[i]);
      }
      return out + ")";
    }
  }
  throw internal_error("unknown type kind " + std::to_string(static_cast<int>(type.kind)));
}

TypePtr make_type(TypeKind kind) {
  static const auto types = [] {
    std::array<TypePtr, static_cast<size_t>(TypeKind::map) + 1> all;
    for (size_t i = 0; i < all.size(); ++i) {
      auto type = std::make_shared<DataType>();
      type->kind = static_cast<TypeKind>(i);
      all[i] = type;
    }
    return all;
  }();
  return types[static_cast<size_t>(kind)];
}

TypePtr make_decimal(int precision, int scale) {
  auto type = std::make_shared<DataType>();
  type->kind = TypeKind::decimal;
  type->precision = static_cast<uint8_t>(precision);
  type->scale = static_cast<uint8_t>(scale);
  return type;
}

TypePtr make_tagged(TypeTag tag) {
  auto type = std::make_shared<DataType>();
  type->kind = tag == TypeTag::geometry ? TypeKind::binary : TypeKind::string;
  type->tag = tag;
  return type;
}

TypePtr make_time(TimeUnit unit, bool zone) {
  auto type = std::make_shared<DataType>();
  type->kind = TypeKind::time;
  type->unit = unit;
  type->zone = zone;
  return type;
}

TypePtr make_timestamp(TimeUnit unit, bool zone) {
  auto type = std::make_shared<DataType>();
  type->kind = TypeKind::timestamp;
  type->unit = unit;
  type->zone = zone;
  return type;
}

TypePtr make_list(TypePtr element) {
  auto type = std::make_shared<DataType>();
  type->kind = TypeKind::list;
  type->children.push_back(std::move(element));
  return type;
}

TypePtr make_structure(std::vector<std::string> names, std::vector<TypePtr> fields) {
  auto type = std::make_shared<DataType>();
  type->kind = TypeKind::structure;
  type->names = std::move(names);
  type->children = std::move(fields);
  return type;
}

TypePtr make_map(TypePtr key, TypePtr value) {
  auto type = std::make_shared<DataType>();
  type->kind = TypeKind::map;
  type->children = {std::move(key), std::move(value)};
  return type;
}

TypePtr map_entry_type(const DataType& map) { return make_structure({"key", "value"}, map.children); }

}  // namespace quern
