#include "columnar/variant_builder.hpp"

#include <algorithm>

#include "common/error.hpp"
#include "ops/real.hpp"

namespace quern {

namespace {

// Bytes that hold `value`, 1 to 4.
size_t bytes_of(size_t value) { return value < 1U << 8 ? 1 : value < 1U << 16 ? 2 : value < 1U << 24 ? 3 : 4; }

void append_number(size_t value, size_t bytes, std::string& out) {
  for (size_t i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
}

char first_byte(VariantBasic basic, unsigned header) {
  return static_cast<char>(header << 2 | static_cast<unsigned>(basic));
}

template <typename T>
T value_at(const Column& column, int64_t row) {
  return column.values<T>()[row];
}

// Of a time or timestamp in the unit, as microseconds.
int64_t microseconds(int64_t value, TimeUnit unit) {
  int64_t out;
  if (__builtin_mul_overflow(value, 1000000 / units_per_second(unit), &out))
    throw unsupported("VARIANT of a moment that microseconds cannot hold");
  return out;
}

}  // namespace

void VariantBuilder::start() {
  value_.clear();
  names_.clear();
  name_ends_.clear();
  numbers_.clear();
  allowance_ = 0;
  depth_ = 0;
}

void VariantBuilder::charge(size_t bytes) {
  if (bytes > allowance_) throw corrupt_file("VARIANT values overlap");
  allowance_ -= bytes;
}

void VariantBuilder::copy(const VariantMetadata& metadata, std::string_view value) {
  const VariantBasic basic = variant_basic(value);
  if (basic == VariantBasic::object || basic == VariantBasic::array)
    return nested(metadata, value, basic == VariantBasic::object);
  const VariantLeaf leaf = variant_leaf(value);
  charge(leaf.size);
  // Short text has two forms: equal values shall be equal bytes.
  if (leaf.type == VariantPrimitive::text) return sized(leaf.type, leaf.payload);
  value_.append(value.substr(0, leaf.size));
}

void VariantBuilder::nested(const VariantMetadata& metadata, std::string_view value, bool is_object) {
  Open parts = open();
  const VariantContents contents = variant_contents(metadata, value);
  charge(contents.header_size);
  for (const VariantField& field : contents.fields) {
    if (is_object) name(parts, field.name);
    copy(metadata, field.value);
    part(parts);
  }
  is_object ? close_object(parts) : close_array(parts);
}

void VariantBuilder::primitive(VariantPrimitive type, const void* payload, size_t size) {
  value_ += first_byte(VariantBasic::primitive, static_cast<unsigned>(type));
  value_.append(static_cast<const char*>(payload), size);
}

// In the narrowest of the three forms that holds numbers of the precision.
void VariantBuilder::decimal(int128_t value, int precision, int scale) {
  const auto type = precision <= 9    ? VariantPrimitive::decimal4
                    : precision <= 18 ? VariantPrimitive::decimal8
                                      : VariantPrimitive::decimal16;
  const size_t size = precision <= 9 ? 4 : precision <= 18 ? 8 : 16;
  value_ += first_byte(VariantBasic::primitive, static_cast<unsigned>(type));
  value_ += static_cast<char>(scale);
  value_.append(reinterpret_cast<const char*>(&value), size);
}

void VariantBuilder::sized(VariantPrimitive type, std::string_view bytes) {
  constexpr size_t most_in_header = 63;
  if (type == VariantPrimitive::text && bytes.size() <= most_in_header) {
    value_ += first_byte(VariantBasic::short_text, static_cast<unsigned>(bytes.size()));
  } else {
    value_ += first_byte(VariantBasic::primitive, static_cast<unsigned>(type));
    append_number(bytes.size(), 4, value_);
  }
  value_ += bytes;
}

void VariantBuilder::leaf(const Column& column, int64_t row) {
  const DataType& type = *column.type;
  const auto fixed = [&]<typename To, typename From>(VariantPrimitive as) {
    const To value = value_at<From>(column, row);
    primitive(as, &value, sizeof(To));
  };
  if (type.kind == TypeKind::null || !column.is_valid(row)) return null();
  switch (type.kind) {
    case TypeKind::boolean:
      return primitive(
          value_at<uint8_t>(column, row) != 0 ? VariantPrimitive::true_value : VariantPrimitive::false_value, nullptr,
          0);
    case TypeKind::int8:
      return fixed.operator()<int8_t, int8_t>(VariantPrimitive::int8);
    case TypeKind::int16:
      return fixed.operator()<int16_t, int16_t>(VariantPrimitive::int16);
    case TypeKind::int32:
      return fixed.operator()<int32_t, int32_t>(VariantPrimitive::int32);
    case TypeKind::int64:
      return fixed.operator()<int64_t, int64_t>(VariantPrimitive::int64);
    // There are no numbers without sign: the next wider form.
    case TypeKind::uint8:
      return fixed.operator()<int16_t, uint8_t>(VariantPrimitive::int16);
    case TypeKind::uint16:
      return fixed.operator()<int32_t, uint16_t>(VariantPrimitive::int32);
    case TypeKind::uint32:
      return fixed.operator()<int64_t, uint32_t>(VariantPrimitive::int64);
    case TypeKind::uint64:
      return decimal(static_cast<int128_t>(value_at<uint64_t>(column, row)), 20, 0);
    case TypeKind::float16: {
      const float value = ops::half_to_float(value_at<uint16_t>(column, row));
      return primitive(VariantPrimitive::float32, &value, sizeof value);
    }
    case TypeKind::float32:
      return fixed.operator()<float, float>(VariantPrimitive::float32);
    case TypeKind::float64:
      return fixed.operator()<double, double>(VariantPrimitive::float64);
    case TypeKind::decimal:
      return decimal(
          physical(type) == Physical::int64 ? value_at<int64_t>(column, row) : value_at<int128_t>(column, row),
          type.precision, type.scale);
    case TypeKind::date:
      return fixed.operator()<int32_t, int32_t>(VariantPrimitive::date);
    case TypeKind::time:
    case TypeKind::timestamp: {
      const auto stored = value_at<int64_t>(column, row);
      const bool is_ns = type.unit == TimeUnit::ns;
      const int64_t value = is_ns ? stored : microseconds(stored, type.unit);
      const auto as = type.kind == TypeKind::time ? VariantPrimitive::time
                      : is_ns     ? type.zone ? VariantPrimitive::timestamp_utc_ns : VariantPrimitive::timestamp_ns
                      : type.zone ? VariantPrimitive::timestamp_utc
                                  : VariantPrimitive::timestamp;
      return primitive(as, &value, sizeof value);
    }
    case TypeKind::string:
    case TypeKind::binary: {
      const StringView& view = column.values<StringView>()[row];
      return sized(type.kind == TypeKind::string ? VariantPrimitive::text : VariantPrimitive::binary,
                   {view.data(), view.length});
    }
    case TypeKind::uuid: {
      auto bits = static_cast<uint128_t>(value_at<int128_t>(column, row));
      char bytes[16];
      for (int i = 15; i >= 0; --i, bits >>= 8) bytes[i] = static_cast<char>(bits);
      return primitive(VariantPrimitive::uuid, bytes, sizeof bytes);
    }
    default:
      throw internal_error("no VARIANT of " + type_name(type));
  }
}

bool fits_variant(const DataType& type) {
  switch (type.kind) {
    case TypeKind::bfloat16:
    case TypeKind::interval:
    case TypeKind::list:
    case TypeKind::structure:
    case TypeKind::map:
      return false;
    case TypeKind::time:
      return !type.zone && type.unit != TimeUnit::ns;
    default:
      return type.tag == TypeTag::none;
  }
}

VariantBuilder::Open VariantBuilder::open() {
  if (++depth_ > max_variant_depth)
    throw unsupported("VARIANT nested deeper than " + std::to_string(max_variant_depth) + " levels");
  return {value_.size(), {}, {}};
}

void VariantBuilder::name(Open& open, std::string_view name) {
  auto found = numbers_.find(name);
  if (found == numbers_.end()) {
    found = numbers_.emplace(name, static_cast<uint32_t>(numbers_.size())).first;
    names_ += name;
    name_ends_.push_back(names_.size());
  }
  open.names.push_back(found->second);
}

void VariantBuilder::close_array(const Open& open) { header(open, false); }
void VariantBuilder::close_object(const Open& open) { header(open, true); }

void VariantBuilder::header(const Open& open, bool is_object) {
  --depth_;
  const size_t bytes = value_.size() - open.begin;
  if (bytes + names_.size() > max_variant_bytes)
    throw unsupported("VARIANT of more than " + std::to_string(max_variant_bytes >> 20) + " MiB");
  const size_t count = open.ends.size();
  const size_t offset_width = bytes_of(bytes);
  const size_t id_width = bytes_of(numbers_.empty() ? 0 : numbers_.size() - 1);
  const bool is_large = count > 255;
  std::string header;
  header += is_object
                ? first_byte(VariantBasic::object,
                             static_cast<unsigned>((is_large ? 1U << 4 : 0) | (id_width - 1) << 2 | (offset_width - 1)))
                : first_byte(VariantBasic::array, static_cast<unsigned>((is_large ? 1U << 2 : 0) | (offset_width - 1)));
  append_number(count, is_large ? 4 : 1, header);
  for (const uint32_t name : open.names) append_number(name, id_width, header);
  append_number(0, offset_width, header);
  for (const size_t end : open.ends) append_number(end, offset_width, header);
  value_.insert(open.begin, header);
}

void VariantBuilder::take(std::string& row) {
  const size_t width = bytes_of(std::max(names_.size(), name_ends_.size()));
  row.clear();
  row += static_cast<char>((width - 1) << 6 | 1);
  append_number(name_ends_.size(), width, row);
  append_number(0, width, row);
  for (const size_t end : name_ends_) append_number(end, width, row);
  row += names_;
  row += value_;
}

ColumnPtr texts_as_variants(Memory& memory, const ColumnPtr& column) {
  const ColumnPtr texts = with_type(flatten(memory, column), make_type(TypeKind::string));
  ColumnBuilder out(memory, make_tagged(TypeTag::variant), texts->length, true);
  StringHeap heap(memory);
  VariantBuilder builder;
  std::string row;
  for (int64_t i = 0; i < texts->length; ++i) {
    if (!texts->is_valid(i)) {
      out.set_null(i);
      continue;
    }
    builder.start();
    builder.leaf(*texts, i);
    builder.take(row);
    out.data<StringView>()[i] = heap.append(row.data(), row.size());
  }
  out.keep(heap.owners());
  return out.finish();
}

}  // namespace quern
