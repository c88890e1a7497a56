#include "parquet/write_schema.hpp"

#include "common/error.hpp"

namespace quern::parquet {

namespace {

// Bytes of the narrowest two's complement number that holds `precision` digits.
int32_t decimal_width(int precision) {
  int128_t largest = 1;
  for (int i = 0; i < precision; ++i) largest *= 10;
  largest -= 1;
  int32_t width = 1;
  while (width < 16 && (static_cast<int128_t>(1) << (8 * width - 1)) - 1 < largest) ++width;
  return width;
}

class Builder {
 public:
  WriteSchema take() { return std::move(schema_); }

  void root(size_t children) {
    SchemaElement element;
    element.name = "schema";
    element.child_count = static_cast<int32_t>(children);
    schema_.elements.push_back(std::move(element));
  }

  // `definition`, `repetition`: the levels of the parent.
  void field(const std::string& name, const TypePtr& type, Repetition repetition, int definition, int level) {
    path_.push_back(name);
    if (repetition == Repetition::optional) ++definition;
    if (definition > 255) throw unsupported("Parquet: columns nested deeper than 255 levels");
    switch (type->kind) {
      case TypeKind::structure:
        if (type->children.empty()) throw unsupported("Parquet: structs without fields");
        group(name, repetition, type->children.size());
        for (size_t i = 0; i < type->children.size(); ++i) {
          field(type->names[i], type->children[i], Repetition::optional, definition, level);
        }
        break;
      case TypeKind::list: {
        SchemaElement& list = group(name, repetition, 1);
        list.converted = Converted::list;
        list.logical.kind = LogicalKind::list;
        path_.push_back("list");
        group("list", Repetition::repeated, 1);
        field("element", type->children[0], Repetition::optional, definition + 1, level + 1);
        path_.pop_back();
        break;
      }
      case TypeKind::map: {
        SchemaElement& map = group(name, repetition, 1);
        map.converted = Converted::map;
        map.logical.kind = LogicalKind::map;
        path_.push_back("key_value");
        group("key_value", Repetition::repeated, 2);
        field("key", type->children[0], Repetition::required, definition + 1, level + 1);
        field("value", type->children[1], Repetition::optional, definition + 1, level + 1);
        path_.pop_back();
        break;
      }
      default:
        if (type->tag == TypeTag::variant)
          variant(name, repetition, definition, level);
        else
          leaf(name, type, repetition, definition, level);
    }
    path_.pop_back();
  }

 private:
  SchemaElement& add(const std::string& name, Repetition repetition) {
    SchemaElement element;
    element.name = name;
    element.repetition = repetition;
    schema_.elements.push_back(std::move(element));
    return schema_.elements.back();
  }

  SchemaElement& group(const std::string& name, Repetition repetition, size_t children) {
    SchemaElement& element = add(name, repetition);
    element.child_count = static_cast<int32_t>(children);
    return element;
  }

  // Not shredded. The order of the two parts is that of variant_columns(); bounds of the bytes would say nothing.
  void variant(const std::string& name, Repetition repetition, int definition, int level) {
    group(name, repetition, 2).logical.kind = LogicalKind::variant;
    for (const char* part : {"metadata", "value"}) {
      path_.push_back(part);
      leaf(part, make_type(TypeKind::binary), Repetition::required, definition, level);
      schema_.leaves.back().order = BoundOrder::none;
      path_.pop_back();
    }
  }

  void leaf(const std::string& name, const TypePtr& type, Repetition repetition, int definition, int level) {
    SchemaElement& element = add(name, repetition);
    WriteLeaf leaf;
    leaf.type = type;
    leaf.path = path_;
    leaf.max_definition = definition;
    leaf.max_repetition = level;
    annotate(element, leaf);
    element.type = leaf.physical;
    if (leaf.physical == PhysicalType::fixed) element.type_length = leaf.width;
    schema_.leaves.push_back(std::move(leaf));
  }

  static void store(WriteLeaf& leaf, PhysicalType physical, int32_t width, BoundOrder order) {
    leaf.physical = physical;
    leaf.width = width;
    leaf.order = order;
  }

  static void integer(SchemaElement& element, WriteLeaf& leaf, int bits, bool is_signed, Converted converted) {
    if (bits == 64)
      store(leaf, PhysicalType::int64, 8, is_signed ? BoundOrder::int64 : BoundOrder::uint64);
    else
      store(leaf, PhysicalType::int32, 4, is_signed ? BoundOrder::int32 : BoundOrder::uint32);
    element.converted = converted;
    element.logical.kind = LogicalKind::integer;
    element.logical.bit_width = bits;
    element.logical.is_signed = is_signed;
  }

  static void decimal(SchemaElement& element, WriteLeaf& leaf) {
    const DataType& type = *leaf.type;
    if (type.precision <= 9)
      store(leaf, PhysicalType::int32, 4, BoundOrder::int32);
    else if (type.precision <= 18)
      store(leaf, PhysicalType::int64, 8, BoundOrder::int64);
    else
      store(leaf, PhysicalType::fixed, decimal_width(type.precision), BoundOrder::signed_big_endian);
    element.converted = Converted::decimal;
    element.precision = type.precision;
    element.scale = type.scale;
    element.logical.kind = LogicalKind::decimal;
    element.logical.precision = type.precision;
    element.logical.scale = type.scale;
  }

  // Seconds become milliseconds of timestamps; times below microseconds become those, as every reader gives them.
  static void moment(SchemaElement& element, WriteLeaf& leaf) {
    const DataType& type = *leaf.type;
    const bool is_time = type.kind == TypeKind::time;
    store(leaf, PhysicalType::int64, 8, BoundOrder::int64);
    TimeUnit unit = type.unit;
    if (is_time && (unit == TimeUnit::s || unit == TimeUnit::ms)) {
      leaf.factor = unit == TimeUnit::s ? 1000000 : 1000;
      unit = TimeUnit::us;
    } else if (unit == TimeUnit::s) {
      leaf.factor = 1000;
      unit = TimeUnit::ms;
    }
    element.logical.kind = is_time ? LogicalKind::time : LogicalKind::timestamp;
    element.logical.utc = type.zone;
    element.logical.unit = unit;
    // The converted types mean instants; only those keep their meaning for old readers.
    if (!is_time && type.zone && unit != TimeUnit::ns) {
      element.converted = unit == TimeUnit::ms ? Converted::timestamp_ms : Converted::timestamp_us;
    }
  }

  static void text(SchemaElement& element, WriteLeaf& leaf) {
    const bool is_json = leaf.type->tag == TypeTag::json;
    store(leaf, PhysicalType::byte_array, 0, BoundOrder::bytes);
    leaf.is_text = true;
    element.converted = is_json ? Converted::json : Converted::utf8;
    element.logical.kind = is_json ? LogicalKind::json : LogicalKind::string;
  }

  static void annotate(SchemaElement& element, WriteLeaf& leaf) {
    LogicalType& logical = element.logical;
    switch (leaf.type->kind) {
      case TypeKind::null:
        store(leaf, PhysicalType::int32, 4, BoundOrder::none);
        logical.kind = LogicalKind::null;
        break;
      case TypeKind::boolean:
        store(leaf, PhysicalType::boolean, 1, BoundOrder::boolean);
        break;
      case TypeKind::int8:
        integer(element, leaf, 8, true, Converted::int8);
        break;
      case TypeKind::int16:
        integer(element, leaf, 16, true, Converted::int16);
        break;
      case TypeKind::int32:
        store(leaf, PhysicalType::int32, 4, BoundOrder::int32);
        break;
      case TypeKind::int64:
        store(leaf, PhysicalType::int64, 8, BoundOrder::int64);
        break;
      case TypeKind::uint8:
        integer(element, leaf, 8, false, Converted::uint8);
        break;
      case TypeKind::uint16:
        integer(element, leaf, 16, false, Converted::uint16);
        break;
      case TypeKind::uint32:
        integer(element, leaf, 32, false, Converted::uint32);
        break;
      case TypeKind::uint64:
        integer(element, leaf, 64, false, Converted::uint64);
        break;
      case TypeKind::float16:
        store(leaf, PhysicalType::fixed, 2, BoundOrder::float16);
        logical.kind = LogicalKind::float16;
        break;
      // Parquet has no such type: two bare bytes, which the reader takes as bfloat16 on demand.
      case TypeKind::bfloat16:
        store(leaf, PhysicalType::fixed, 2, BoundOrder::none);
        break;
      case TypeKind::float32:
        store(leaf, PhysicalType::float32, 4, BoundOrder::float32);
        break;
      case TypeKind::float64:
        store(leaf, PhysicalType::float64, 8, BoundOrder::float64);
        break;
      case TypeKind::decimal:
        decimal(element, leaf);
        break;
      case TypeKind::date:
        store(leaf, PhysicalType::int32, 4, BoundOrder::int32);
        element.converted = Converted::date;
        logical.kind = LogicalKind::date;
        break;
      case TypeKind::time:
      case TypeKind::timestamp:
        moment(element, leaf);
        break;
      case TypeKind::interval:
        store(leaf, PhysicalType::fixed, 12, BoundOrder::none);
        element.converted = Converted::interval;
        break;
      case TypeKind::string:
        text(element, leaf);
        break;
      case TypeKind::binary: {
        const bool is_geometry = leaf.type->tag == TypeTag::geometry;
        store(leaf, PhysicalType::byte_array, 0, is_geometry ? BoundOrder::none : BoundOrder::bytes);
        if (is_geometry) logical.kind = LogicalKind::geometry;
        break;
      }
      case TypeKind::uuid:
        store(leaf, PhysicalType::fixed, 16, BoundOrder::bytes);
        logical.kind = LogicalKind::uuid;
        break;
      case TypeKind::list:
      case TypeKind::structure:
      case TypeKind::map:
        throw internal_error("a nested type is no leaf");
    }
  }

  WriteSchema schema_;
  std::vector<std::string> path_;
};

}  // namespace

WriteSchema make_write_schema(const std::vector<WriteField>& fields) {
  if (fields.empty()) throw unsupported("Parquet: files without columns");
  Builder builder;
  builder.root(fields.size());
  for (const WriteField& field : fields) builder.field(field.name, field.type, Repetition::optional, 0, 0);
  return builder.take();
}

}  // namespace quern::parquet
