#include "parquet/leaf_type.hpp"

namespace quern::parquet {

namespace {

LeafType unsupported_leaf(const SchemaElement& element, std::string reason) {
  LeafType leaf;
  leaf.physical = *element.type;
  leaf.reason = std::move(reason);
  return leaf;
}

LeafType with(const SchemaElement& element, TypePtr type, Conversion conversion, int64_t factor = 1) {
  LeafType leaf;
  leaf.physical = *element.type;
  leaf.type = std::move(type);
  leaf.conversion = conversion;
  leaf.factor = factor;
  switch (leaf.physical) {
    case PhysicalType::int32:
    case PhysicalType::float32:
      leaf.stored_width = 4;
      break;
    case PhysicalType::int64:
    case PhysicalType::float64:
      leaf.stored_width = 8;
      break;
    case PhysicalType::int96:
      leaf.stored_width = 12;
      break;
    case PhysicalType::fixed:
      leaf.stored_width = element.type_length;
      break;
    default:
      leaf.stored_width = 0;
  }
  return leaf;
}

LeafType bytes_leaf(const SchemaElement& element, TypeKind kind) {
  LeafType leaf = with(element, make_type(kind), Conversion::view);
  leaf.check_utf8 = kind == TypeKind::string;
  return leaf;
}

LeafType bare_leaf(const SchemaElement& element, bool binary_as_string) {
  switch (*element.type) {
    case PhysicalType::boolean:
      return with(element, make_type(TypeKind::boolean), Conversion::boolean);
    case PhysicalType::int32:
      return with(element, make_type(TypeKind::int32), Conversion::copy);
    case PhysicalType::int64:
      return with(element, make_type(TypeKind::int64), Conversion::copy);
    case PhysicalType::int96:
      return with(element, make_timestamp(TimeUnit::us, false), Conversion::int96_to_timestamp);
    case PhysicalType::float32:
      return with(element, make_type(TypeKind::float32), Conversion::copy);
    case PhysicalType::float64:
      return with(element, make_type(TypeKind::float64), Conversion::copy);
    case PhysicalType::byte_array:
      return bytes_leaf(element, binary_as_string ? TypeKind::string : TypeKind::binary);
    case PhysicalType::fixed:
      return bytes_leaf(element, TypeKind::binary);
  }
  return unsupported_leaf(element, "unknown physical type");
}

LeafType decimal_leaf(const SchemaElement& element, int32_t precision, int32_t scale) {
  if (precision < 1) return unsupported_leaf(element, "decimal precision " + std::to_string(precision));
  if (scale < 0 || scale > precision) {
    return unsupported_leaf(element, "decimal(" + std::to_string(precision) + "," + std::to_string(scale) + ")");
  }
  bool wide = precision > 38;
  TypePtr type = wide ? make_type(TypeKind::float64) : make_decimal(precision, scale);
  auto pick = [&](Conversion narrow, Conversion middle, Conversion floating) {
    LeafType leaf = with(element, type, wide ? floating : precision <= 18 ? narrow : middle);
    leaf.scale = scale;
    return leaf;
  };
  switch (*element.type) {
    case PhysicalType::int32:
      return pick(Conversion::int32_to_int64, Conversion::int32_to_int128, Conversion::int32_to_double);
    case PhysicalType::int64:
      return pick(Conversion::copy, Conversion::int64_to_int128, Conversion::int64_to_double);
    case PhysicalType::fixed:
    case PhysicalType::byte_array:
      return pick(Conversion::big_endian_to_int64, Conversion::big_endian_to_int128, Conversion::big_endian_to_double);
    default:
      return unsupported_leaf(element, std::string("decimal in ") + physical_type_name(*element.type));
  }
}

LeafType integer_leaf(const SchemaElement& element, int bits, bool is_signed) {
  bool narrow = *element.type == PhysicalType::int32;
  if (narrow && is_signed) {
    if (bits == 8) return with(element, make_type(TypeKind::int8), Conversion::int32_to_int8);
    if (bits == 16) return with(element, make_type(TypeKind::int16), Conversion::int32_to_int16);
    if (bits == 32) return with(element, make_type(TypeKind::int32), Conversion::copy);
  } else if (narrow) {
    if (bits == 8) return with(element, make_type(TypeKind::uint8), Conversion::int32_to_uint8);
    if (bits == 16) return with(element, make_type(TypeKind::uint16), Conversion::int32_to_uint16);
    if (bits == 32) return with(element, make_type(TypeKind::uint32), Conversion::copy);
  } else if (*element.type == PhysicalType::int64 && bits == 64) {
    return with(element, make_type(is_signed ? TypeKind::int64 : TypeKind::uint64), Conversion::copy);
  }
  return unsupported_leaf(element,
                          "integer of " + std::to_string(bits) + " bits in " + physical_type_name(*element.type));
}

LeafType time_leaf(const SchemaElement& element, TimeUnit unit, bool utc) {
  if (unit == TimeUnit::ms && *element.type == PhysicalType::int32) {
    if (utc) return with(element, make_time(TimeUnit::us, true), Conversion::int32_to_utc_time);
    return with(element, make_time(TimeUnit::us), Conversion::scale_int32, 1000);
  }
  if (unit != TimeUnit::ms && *element.type == PhysicalType::int64) {
    if (utc)
      return with(element, make_time(TimeUnit::us, true), Conversion::int64_to_utc_time,
                  unit == TimeUnit::us ? 1 : 1000);
    if (unit == TimeUnit::us) return with(element, make_time(TimeUnit::us), Conversion::copy);
    return with(element, make_time(TimeUnit::ns), Conversion::copy);
  }
  return unsupported_leaf(element, std::string("time in ") + physical_type_name(*element.type));
}

LeafType timestamp_leaf(const SchemaElement& element, TimeUnit unit, bool utc) {
  if (*element.type != PhysicalType::int64) {
    return unsupported_leaf(element, std::string("timestamp in ") + physical_type_name(*element.type));
  }
  switch (unit) {
    case TimeUnit::ms:
      return with(element, make_timestamp(TimeUnit::us, utc), Conversion::scale_int64, 1000);
    case TimeUnit::us:
      return with(element, make_timestamp(TimeUnit::us, utc), Conversion::copy);
    default:
      if (utc) return with(element, make_timestamp(TimeUnit::us, true), Conversion::divide_int64, 1000);
      return with(element, make_timestamp(TimeUnit::ns, false), Conversion::copy);
  }
}

bool is_bytes(const SchemaElement& element) {
  return *element.type == PhysicalType::byte_array || *element.type == PhysicalType::fixed;
}

LeafType text_leaf(const SchemaElement& element, TypeKind kind) {
  if (!is_bytes(element)) return unsupported_leaf(element, std::string("text in ") + physical_type_name(*element.type));
  return bytes_leaf(element, kind);
}

// JSON is not checked to be JSON; geometries are, when they are read (field_reader.cpp).
LeafType tagged_leaf(const SchemaElement& element, TypeTag tag) {
  LeafType leaf = text_leaf(element, tag == TypeTag::geometry ? TypeKind::binary : TypeKind::string);
  if (leaf.type) leaf.type = make_tagged(tag);
  return leaf;
}

LeafType date_leaf(const SchemaElement& element) {
  if (*element.type != PhysicalType::int32) {
    return unsupported_leaf(element, std::string("date in ") + physical_type_name(*element.type));
  }
  return with(element, make_type(TypeKind::date), Conversion::copy);
}

bool is_fixed(const SchemaElement& element, int32_t length) {
  return *element.type == PhysicalType::fixed && element.type_length == length;
}

LeafType converted_leaf(const SchemaElement& element, bool binary_as_string) {
  switch (element.converted) {
    case Converted::utf8:
    case Converted::enumeration:
      return text_leaf(element, TypeKind::string);
    case Converted::json:
      return tagged_leaf(element, TypeTag::json);
    case Converted::bson:
      return text_leaf(element, TypeKind::binary);
    case Converted::decimal:
      return decimal_leaf(element, element.precision, element.scale);
    case Converted::date:
      return date_leaf(element);
    case Converted::time_ms:
      return time_leaf(element, TimeUnit::ms, false);
    case Converted::time_us:
      return time_leaf(element, TimeUnit::us, false);
    // The specification says UTC; the SQL dialect reads these as plain timestamps.
    case Converted::timestamp_ms:
      return timestamp_leaf(element, TimeUnit::ms, false);
    case Converted::timestamp_us:
      return timestamp_leaf(element, TimeUnit::us, false);
    case Converted::uint8:
      return integer_leaf(element, 8, false);
    case Converted::uint16:
      return integer_leaf(element, 16, false);
    case Converted::uint32:
      return integer_leaf(element, 32, false);
    case Converted::uint64:
      return integer_leaf(element, 64, false);
    case Converted::int8:
      return integer_leaf(element, 8, true);
    case Converted::int16:
      return integer_leaf(element, 16, true);
    case Converted::int32:
      return integer_leaf(element, 32, true);
    case Converted::int64:
      return integer_leaf(element, 64, true);
    case Converted::interval:
      if (!is_fixed(element, 12)) return unsupported_leaf(element, "interval that is not FIXED_LEN_BYTE_ARRAY(12)");
      return with(element, make_type(TypeKind::interval), Conversion::interval);
    default:
      return bare_leaf(element, binary_as_string);
  }
}

}  // namespace

bool holds_16_bits(const SchemaElement& element) {
  if (!element.type) return false;
  if (is_fixed(element, 2)) return true;
  bool narrow = element.converted == Converted::int16 || element.converted == Converted::uint16 ||
                (element.logical.kind == LogicalKind::integer && element.logical.bit_width == 16);
  return narrow && *element.type == PhysicalType::int32;
}

LeafType leaf_type(const SchemaElement& element, bool binary_as_string, bool bfloat16) {
  if (*element.type == PhysicalType::fixed && element.type_length <= 0) {
    return unsupported_leaf(element, "FIXED_LEN_BYTE_ARRAY of length " + std::to_string(element.type_length));
  }
  if (bfloat16 && holds_16_bits(element)) {
    bool is_signed = element.converted == Converted::int16 ||
                     (element.logical.kind == LogicalKind::integer && element.logical.is_signed);
    Conversion bits = is_signed ? Conversion::int32_to_int16 : Conversion::int32_to_uint16;
    return with(element, make_type(TypeKind::bfloat16), is_fixed(element, 2) ? Conversion::copy : bits);
  }
  const LogicalType& logical = element.logical;
  switch (logical.kind) {
    case LogicalKind::string:
    case LogicalKind::enumeration:
      return text_leaf(element, TypeKind::string);
    case LogicalKind::json:
      return tagged_leaf(element, TypeTag::json);
    case LogicalKind::bson:
      return text_leaf(element, TypeKind::binary);
    case LogicalKind::geometry:
    case LogicalKind::geography:
      return tagged_leaf(element, TypeTag::geometry);
    case LogicalKind::decimal:
      return decimal_leaf(element, logical.precision, logical.scale);
    case LogicalKind::date:
      return date_leaf(element);
    case LogicalKind::time:
      return time_leaf(element, logical.unit, logical.utc);
    case LogicalKind::timestamp:
      return timestamp_leaf(element, logical.unit, logical.utc);
    case LogicalKind::integer:
      return integer_leaf(element, logical.bit_width, logical.is_signed);
    case LogicalKind::uuid:
      if (!is_fixed(element, 16)) return unsupported_leaf(element, "UUID that is not FIXED_LEN_BYTE_ARRAY(16)");
      return with(element, make_type(TypeKind::uuid), Conversion::uuid);
    case LogicalKind::float16:
      if (!is_fixed(element, 2)) return unsupported_leaf(element, "FLOAT16 that is not FIXED_LEN_BYTE_ARRAY(2)");
      return with(element, make_type(TypeKind::float16), Conversion::copy);
    case LogicalKind::other:
    case LogicalKind::null:
      return bare_leaf(element, binary_as_string);
    default:
      return converted_leaf(element, binary_as_string);
  }
}

}  // namespace quern::parquet
