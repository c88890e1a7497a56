// Arrow types to SQL types, as DuckDB maps them where it does.
#include "arrow/metadata.hpp"

namespace quern::arrow {
namespace {

struct Unsupported {
  std::string reason;
};

TypePtr integer_type(const Field& field) {
  switch (field.bits) {
    case 8:
      return make_type(field.is_signed ? TypeKind::int8 : TypeKind::uint8);
    case 16:
      return make_type(field.is_signed ? TypeKind::int16 : TypeKind::uint16);
    case 32:
      return make_type(field.is_signed ? TypeKind::int32 : TypeKind::uint32);
    case 64:
      return make_type(field.is_signed ? TypeKind::int64 : TypeKind::uint64);
    default:
      throw Unsupported{"integers of " + std::to_string(field.bits) + " bits"};
  }
}

TypePtr decimal_type(const Field& field) {
  const std::string name = "decimal" + std::to_string(field.bits) + "(" + std::to_string(field.precision) + "," +
                           std::to_string(field.scale) + ")";
  if (field.bits != 32 && field.bits != 64 && field.bits != 128 && field.bits != 256) throw Unsupported{name};
  if (field.precision < 1 || field.precision > 38 || field.scale < 0 || field.scale > field.precision) {
    throw Unsupported{name};
  }
  return make_decimal(field.precision, field.scale);
}

TimeUnit unit_of(const Field& field) {
  if (field.unit < 0 || field.unit > 3) throw Unsupported{"time unit " + std::to_string(field.unit)};
  return static_cast<TimeUnit>(field.unit);
}

TypePtr time_type(const Field& field) {
  const TimeUnit unit = unit_of(field);
  const int bits = unit == TimeUnit::s || unit == TimeUnit::ms ? 32 : 64;
  if (field.bits != bits) throw Unsupported{"time of " + std::to_string(field.bits) + " bits"};
  if (field.extension == "quern.timetz" && unit == TimeUnit::us) return make_time(TimeUnit::us, true);
  return make_time(unit == TimeUnit::ns ? TimeUnit::ns : TimeUnit::us);
}

// Text and bytes that stand for something else say so by the name of an extension type.
TypePtr text_type(const Field& field) {
  if (field.extension == "arrow.json") return make_tagged(TypeTag::json);
  if (field.extension == "quern.variant") return make_tagged(TypeTag::variant);
  return make_type(TypeKind::string);
}

TypePtr bytes_type(const Field& field) {
  if (field.extension == "geoarrow.wkb") return make_tagged(TypeTag::geometry);
  return make_type(TypeKind::binary);
}

TypePtr fixed_bytes_type(const Field& field) {
  if (field.fixed_size == 16 && field.extension == "arrow.uuid") return make_type(TypeKind::uuid);
  if (field.fixed_size == 2 && field.extension == "quern.bfloat16") return make_type(TypeKind::bfloat16);
  return make_type(TypeKind::binary);
}

TypePtr type_of(const Field& field) {
  for (const Field& child : field.children) {
    if (!child.type && field.kind != Kind::union_of) throw Unsupported{child.reason};
  }
  switch (field.kind) {
    case Kind::null:
      return make_type(TypeKind::null);
    case Kind::boolean:
      return make_type(TypeKind::boolean);
    case Kind::integer:
      return integer_type(field);
    case Kind::floating:
      switch (field.bits) {
        case 16:
          return make_type(TypeKind::float16);
        case 32:
          return make_type(TypeKind::float32);
        case 64:
          return make_type(TypeKind::float64);
        default:
          throw Unsupported{"floats of " + std::to_string(field.bits) + " bits"};
      }
    case Kind::decimal:
      return decimal_type(field);
    case Kind::date:
      return make_type(TypeKind::date);
    case Kind::time:
      return time_type(field);
    case Kind::timestamp:
      return make_timestamp(field.zone ? TimeUnit::us : unit_of(field), field.zone);
    case Kind::duration:
      unit_of(field);
      return make_type(TypeKind::interval);
    case Kind::interval:
      if (field.unit < 0 || field.unit > 2) throw Unsupported{"interval unit " + std::to_string(field.unit)};
      return make_type(TypeKind::interval);
    case Kind::utf8:
    case Kind::large_utf8:
    case Kind::utf8_view:
      return text_type(field);
    case Kind::binary:
    case Kind::large_binary:
    case Kind::binary_view:
      return bytes_type(field);
    case Kind::fixed_binary:
      return fixed_bytes_type(field);
    case Kind::list:
    case Kind::large_list:
    case Kind::list_view:
    case Kind::large_list_view:
    case Kind::fixed_list:
      return make_list(field.children[0].type);
    case Kind::map:
      return make_map(field.children[0].type->children[0], field.children[0].type->children[1]);
    case Kind::structure: {
      if (field.children.empty()) throw Unsupported{"struct without fields"};
      std::vector<std::string> names;
      std::vector<TypePtr> types;
      for (const Field& child : field.children) {
        names.push_back(child.name);
        types.push_back(child.type);
      }
      return make_structure(std::move(names), std::move(types));
    }
    case Kind::run_ends: {
      const Field& ends = field.children[0];
      if (ends.is_dictionary || ends.kind != Kind::integer || !ends.is_signed || ends.bits == 8) {
        throw Unsupported{"run ends that are not int16, int32 or int64"};
      }
      return field.children[1].type;
    }
    case Kind::union_of:
      throw Unsupported{"union"};
  }
  throw Unsupported{"type number " + std::to_string(static_cast<int>(field.kind))};
}

}  // namespace

void set_type(Field& field) {
  try {
    field.type = type_of(field);
  } catch (const Unsupported& unsupported) {
    field.reason = unsupported.reason.starts_with("Arrow ") ? unsupported.reason : "Arrow " + unsupported.reason;
  }
}

}  // namespace quern::arrow
