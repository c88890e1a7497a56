// The text of VARIANT values, which is DuckDB's.
#include <algorithm>
#include <cstring>

#include "columnar/value_text.hpp"
#include "columnar/variant.hpp"
#include "common/error.hpp"

namespace quern {

namespace {

// What an element of an array is. Elements of one kind are shown as a list of that type, so quoted where needed; others
// stand as they are, as DuckDB has it.
enum class Kind : uint8_t {
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

Kind kind_of(std::string_view value) {
  const VariantBasic basic = variant_basic(value);
  if (basic == VariantBasic::object) return Kind::object;
  if (basic == VariantBasic::array) return Kind::array;
  switch (variant_leaf(value).type) {
    case VariantPrimitive::null:
      return Kind::null;
    case VariantPrimitive::text:
      return Kind::text;
    case VariantPrimitive::binary:
      return Kind::binary;
    case VariantPrimitive::date:
      return Kind::date;
    case VariantPrimitive::time:
      return Kind::time;
    case VariantPrimitive::timestamp_utc:
    case VariantPrimitive::timestamp_utc_ns:
      return Kind::timestamp_utc;
    case VariantPrimitive::timestamp:
      return Kind::timestamp;
    case VariantPrimitive::timestamp_ns:
      return Kind::timestamp_ns;
    default:
      return Kind::plain;
  }
}

bool are_of_one_kind(const std::vector<VariantField>& elements) {
  return std::all_of(elements.begin(), elements.end(),
                     [&](const VariantField& element) { return kind_of(element.value) == kind_of(elements[0].value); });
}

template <typename T>
T number(std::string_view payload) {
  T value;
  std::memcpy(&value, payload.data(), sizeof(T));
  return value;
}

uint128_t uuid(std::string_view payload) {
  uint128_t value = 0;
  for (const char c : payload) value = value << 8 | static_cast<uint8_t>(c);
  return value;
}

class ValueText {
 public:
  ValueText(const VariantMetadata& metadata, std::string& text) : metadata_(metadata), text_(text) {}

  // `inside`: as a part of an array or object, quoted where needed.
  void write(std::string_view value, bool inside) {
    if (text_.size() > max_variant_bytes)
      throw unsupported("VARIANT of more than " + std::to_string(max_variant_bytes >> 20) + " MiB of text");
    const VariantBasic basic = variant_basic(value);
    if (basic == VariantBasic::object)
      object(value);
    else if (basic == VariantBasic::array)
      array(value);
    else
      leaf(variant_leaf(value), inside);
  }

 private:
  void array(std::string_view value) {
    const std::vector<VariantField> elements = variant_contents(metadata_, value).fields;
    const bool quoted = are_of_one_kind(elements);
    text_ += '[';
    for (size_t i = 0; i < elements.size(); ++i) {
      if (i > 0) text_ += ", ";
      write(elements[i].value, quoted);
    }
    text_ += ']';
  }

  // An object whose one field has an empty name is shown as a tuple.
  void object(std::string_view value) {
    const std::vector<VariantField> fields = variant_contents(metadata_, value).fields;
    const bool is_tuple = fields.size() == 1 && fields[0].name.empty();
    text_ += is_tuple ? '(' : '{';
    for (size_t i = 0; i < fields.size(); ++i) {
      if (i > 0) text_ += ", ";
      if (!is_tuple) {
        append_quoted(fields[i].name, text_);
        text_ += ": ";
      }
      write(fields[i].value, true);
    }
    text_ += is_tuple ? ')' : '}';
  }

  void show(const DataType& type, const void* value, bool inside) {
    char text[128];
    append_leaf({text, static_cast<size_t>(write_value(type, value, text))}, inside, text_);
  }

  template <typename T>
  void fixed(const DataType& type, const VariantLeaf& leaf, bool inside) {
    const T value = number<T>(leaf.payload);
    show(type, &value, inside);
  }

  // As DuckDB has it, numbers of up to 18 digits are shown without a zero before the point.
  template <typename T>
  void decimal(const VariantLeaf& leaf, bool inside) {
    const int128_t value = number<T>(leaf.payload);
    const auto narrow = static_cast<int64_t>(value);
    const TypePtr type = make_decimal(sizeof(T) == 16 ? 38 : std::max(leaf.scale, 1), leaf.scale);
    const bool is_narrow = physical(*type) == Physical::int64;
    show(*type, is_narrow ? static_cast<const void*>(&narrow) : &value, inside);
  }

  void leaf(const VariantLeaf& leaf, bool inside) {
    switch (leaf.type) {
      case VariantPrimitive::null:
        text_ += "NULL";
        return;
      case VariantPrimitive::true_value:
        return append_leaf("true", inside, text_);
      case VariantPrimitive::false_value:
        return append_leaf("false", inside, text_);
      case VariantPrimitive::int8:
        return fixed<int8_t>(*make_type(TypeKind::int8), leaf, inside);
      case VariantPrimitive::int16:
        return fixed<int16_t>(*make_type(TypeKind::int16), leaf, inside);
      case VariantPrimitive::int32:
        return fixed<int32_t>(*make_type(TypeKind::int32), leaf, inside);
      case VariantPrimitive::int64:
        return fixed<int64_t>(*make_type(TypeKind::int64), leaf, inside);
      case VariantPrimitive::float32:
        return fixed<float>(*make_type(TypeKind::float32), leaf, inside);
      case VariantPrimitive::float64:
        return fixed<double>(*make_type(TypeKind::float64), leaf, inside);
      case VariantPrimitive::decimal4:
        return decimal<int32_t>(leaf, inside);
      case VariantPrimitive::decimal8:
        return decimal<int64_t>(leaf, inside);
      case VariantPrimitive::decimal16:
        return decimal<int128_t>(leaf, inside);
      case VariantPrimitive::date:
        return fixed<int32_t>(*make_type(TypeKind::date), leaf, inside);
      case VariantPrimitive::time:
        return fixed<int64_t>(*make_time(TimeUnit::us), leaf, inside);
      case VariantPrimitive::timestamp_utc:
        return fixed<int64_t>(*make_timestamp(TimeUnit::us, true), leaf, inside);
      case VariantPrimitive::timestamp:
        return fixed<int64_t>(*make_timestamp(TimeUnit::us, false), leaf, inside);
      case VariantPrimitive::timestamp_ns:
        return fixed<int64_t>(*make_timestamp(TimeUnit::ns, false), leaf, inside);
      case VariantPrimitive::timestamp_utc_ns: {
        const int64_t microseconds = number<int64_t>(leaf.payload) / 1000;
        return show(*make_timestamp(TimeUnit::us, true), &microseconds, inside);
      }
      case VariantPrimitive::uuid: {
        const uint128_t value = uuid(leaf.payload);
        return show(*make_type(TypeKind::uuid), &value, inside);
      }
      case VariantPrimitive::text:
        return append_leaf(leaf.payload, inside, text_);
      case VariantPrimitive::binary: {
        std::string shown;
        append_bytes(leaf.payload, shown);
        return append_leaf(shown, inside, text_);
      }
    }
  }

  const VariantMetadata& metadata_;
  std::string& text_;
};

// Rows of a flat column.
ColumnPtr rows_as_text(Memory& memory, const Column& column) {
  ColumnBuilder builder(memory, column.type, column.length, true);
  StringHeap heap(memory);
  const auto* from = column.values<StringView>();
  auto* to = builder.data<StringView>();
  std::string text;
  for (int64_t row = 0; row < column.length; ++row) {
    if (!column.is_valid(row)) {
      builder.set_null(row);
      continue;
    }
    text.clear();
    append_variant_text({from[row].data(), from[row].length}, text);
    to[row] = heap.append(text.data(), text.size());
  }
  builder.keep(heap.owners());
  return builder.finish();
}

// Of a column all of whose children are referenced.
ColumnPtr shown(Memory& memory, const ColumnPtr& column) {
  if (!holds_variant(*column->type)) return column;
  if (column->type->tag == TypeTag::variant) return rows_as_text(memory, *column);
  auto out = std::make_shared<Column>(*column);
  for (ColumnPtr& child : out->children) child = shown(memory, child);
  return out;
}

}  // namespace

void append_variant_text(std::string_view row, std::string& text) {
  const VariantParts parts = variant_parts(row);
  ValueText(parts.metadata, text).write(parts.value, false);
}

ColumnPtr variants_as_text(Memory& memory, const ColumnPtr& column) {
  return holds_variant(*column->type) ? shown(memory, compact(memory, column)) : column;
}

}  // namespace quern
