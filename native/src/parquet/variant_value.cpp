#include "parquet/variant_value.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "columnar/value_text.hpp"
#include "common/error.hpp"
#include "common/utf8.hpp"
#include "parquet/variant.hpp"

namespace quern::parquet {

namespace {

enum class Basic : uint8_t { primitive, short_text, object, array };

enum class Primitive : uint8_t {
  null,
  true_value,
  false_value,
  int8,
  int16,
  int32,
  int64,
  float64,
  decimal4,
  decimal8,
  decimal16,
  date,
  timestamp_utc,
  timestamp,
  float32,
  binary,
  text,
  time,
  timestamp_utc_ns,
  timestamp_ns,
  uuid
};

[[noreturn]] void fail(const std::string& what) { throw corrupt_file("VARIANT " + what); }

// `size` bytes at `at`, which are taken off the front of what follows.
std::string_view slice(std::string_view bytes, uint64_t at, uint64_t size, const char* what) {
  if (at > bytes.size() || size > bytes.size() - at) fail(std::string(what) + " ends too early");
  return bytes.substr(static_cast<size_t>(at), static_cast<size_t>(size));
}

// Little-endian number of all the bytes, at most 8.
uint64_t number(std::string_view bytes) {
  uint64_t value = 0;
  std::memcpy(&value, bytes.data(), bytes.size());
  return value;
}

template <typename T>
T fixed(std::string_view bytes) {
  T value;
  std::memcpy(&value, slice(bytes, 0, sizeof(T), "value").data(), sizeof(T));
  return value;
}

// The parts of an object or array.
struct Container {
  uint64_t count = 0;
  size_t id_width = 0, offset_width = 1;
  std::string_view ids, offsets;
  std::string_view values;
  size_t header_size = 0;

  uint64_t id(uint64_t i) const { return number(ids.substr(i * id_width, id_width)); }
  // From where the value begins to the end of all values.
  std::string_view value(uint64_t i) const {
    const uint64_t at = number(offsets.substr(i * offset_width, offset_width));
    if (at >= values.size())
      fail("value begins at byte " + std::to_string(at) + " of " + std::to_string(values.size()));
    return values.substr(static_cast<size_t>(at));
  }
};

Container container(std::string_view bytes) {
  const auto first = static_cast<uint8_t>(bytes[0]);
  const bool is_object = static_cast<Basic>(first & 3) == Basic::object;
  const unsigned header = first >> 2;
  Container out;
  out.offset_width = (header & 3) + 1;
  out.id_width = is_object ? (header >> 2 & 3) + 1 : 0;
  const size_t count_width = (header >> (is_object ? 4 : 2) & 1) != 0 ? 4 : 1;
  out.count = number(slice(bytes, 1, count_width, "count"));
  uint64_t at = 1 + count_width;
  out.ids = slice(bytes, at, out.count * out.id_width, "object");
  at += out.ids.size();
  out.offsets = slice(bytes, at, (out.count + 1) * out.offset_width, is_object ? "object" : "array");
  at += out.offsets.size();
  out.header_size = static_cast<size_t>(at);
  out.values = slice(bytes, at, number(out.offsets.substr(out.count * out.offset_width, out.offset_width)),
                     is_object ? "object" : "array");
  return out;
}

std::string_view checked_text(std::string_view text) {
  if (!valid_utf8(text.data(), text.size())) fail("text is not UTF-8");
  return text;
}

// One value and all in it.
class ValueText {
 public:
  ValueText(const VariantMetadata& metadata, size_t bytes, std::string& text)
      : metadata_(metadata), allowance_(bytes), text_(text) {}

  bool write(std::string_view bytes, bool inside, int depth) {
    if (bytes.empty()) fail("value is empty");
    const auto first = static_cast<uint8_t>(bytes[0]);
    const std::string_view rest = bytes.substr(1);
    switch (static_cast<Basic>(first & 3)) {
      case Basic::primitive:
        return primitive(first >> 2, rest, inside);
      case Basic::short_text: {
        const std::string_view text = slice(rest, 0, first >> 2, "text");
        charge(1 + text.size());
        leaf(checked_text(text), inside);
        return true;
      }
      case Basic::object:
        object(bytes, depth);
        return true;
      case Basic::array:
        array(bytes, depth);
        return true;
    }
    return false;
  }

 private:
  // Values do not overlap: without this, a few bytes could stand for any amount of text.
  void charge(size_t bytes) {
    if (bytes > allowance_) fail("values overlap");
    allowance_ -= bytes;
    if (text_.size() > max_variant_text)
      throw unsupported("VARIANT of more than " + std::to_string(max_variant_text >> 20) + " MiB of text");
  }

  void leaf(std::string_view text, bool inside) { append_leaf(text, inside, text_); }

  template <typename T>
  bool fixed_value(const DataType& type, std::string_view rest, bool inside) {
    const T value = fixed<T>(rest);
    charge(1 + sizeof(T));
    written(type, &value, inside);
    return true;
  }

  void written(const DataType& type, const void* value, bool inside) {
    char text[128];
    leaf({text, static_cast<size_t>(write_value(type, value, text))}, inside);
  }

  // Scale, then the unscaled number. As DuckDB has it, numbers of up to 18 digits are shown without a zero before the
  // point.
  template <typename T>
  bool decimal(std::string_view rest, bool inside) {
    const auto scale = static_cast<uint8_t>(slice(rest, 0, 1, "decimal")[0]);
    const int most = sizeof(T) == 4 ? 9 : sizeof(T) == 8 ? 18 : 38;
    if (scale > most) fail("decimal of scale " + std::to_string(scale));
    const int128_t value = fixed<T>(rest.substr(1));
    charge(2 + sizeof(T));
    DataType type;
    type.kind = TypeKind::decimal;
    type.precision = static_cast<uint8_t>(sizeof(T) == 16 ? 38 : std::max<int>(scale, 1));
    type.scale = scale;
    const auto narrow = static_cast<int64_t>(value);
    if (physical(type) == Physical::int64)
      written(type, &narrow, inside);
    else
      written(type, &value, inside);
    return true;
  }

  std::string_view sized(std::string_view rest) {
    const uint64_t size = fixed<uint32_t>(rest);
    const std::string_view bytes = slice(rest, 4, size, "value");
    charge(5 + bytes.size());
    return bytes;
  }

  bool nanoseconds_utc(std::string_view rest, bool inside) {
    const int64_t value = fixed<int64_t>(rest) / 1000;
    charge(9);
    written(*make_timestamp(TimeUnit::us, true), &value, inside);
    return true;
  }

  bool uuid(std::string_view rest, bool inside) {
    const std::string_view bytes = slice(rest, 0, 16, "value");
    charge(17);
    uint128_t value = 0;
    for (const char c : bytes) value = value << 8 | static_cast<uint8_t>(c);
    written(*make_type(TypeKind::uuid), &value, inside);
    return true;
  }

  bool primitive(unsigned id, std::string_view rest, bool inside) {
    switch (static_cast<Primitive>(id)) {
      case Primitive::null:
        charge(1);
        return false;
      case Primitive::true_value:
        charge(1);
        leaf("true", inside);
        return true;
      case Primitive::false_value:
        charge(1);
        leaf("false", inside);
        return true;
      case Primitive::int8:
        return fixed_value<int8_t>(*make_type(TypeKind::int8), rest, inside);
      case Primitive::int16:
        return fixed_value<int16_t>(*make_type(TypeKind::int16), rest, inside);
      case Primitive::int32:
        return fixed_value<int32_t>(*make_type(TypeKind::int32), rest, inside);
      case Primitive::int64:
        return fixed_value<int64_t>(*make_type(TypeKind::int64), rest, inside);
      case Primitive::float64:
        return fixed_value<double>(*make_type(TypeKind::float64), rest, inside);
      case Primitive::decimal4:
        return decimal<int32_t>(rest, inside);
      case Primitive::decimal8:
        return decimal<int64_t>(rest, inside);
      case Primitive::decimal16:
        return decimal<int128_t>(rest, inside);
      case Primitive::date:
        return fixed_value<int32_t>(*make_type(TypeKind::date), rest, inside);
      case Primitive::timestamp_utc:
        return fixed_value<int64_t>(*make_timestamp(TimeUnit::us, true), rest, inside);
      case Primitive::timestamp:
        return fixed_value<int64_t>(*make_timestamp(TimeUnit::us, false), rest, inside);
      case Primitive::float32:
        return fixed_value<float>(*make_type(TypeKind::float32), rest, inside);
      case Primitive::binary: {
        std::string shown;
        append_bytes(sized(rest), shown);
        leaf(shown, inside);
        return true;
      }
      case Primitive::text:
        leaf(checked_text(sized(rest)), inside);
        return true;
      case Primitive::time:
        return fixed_value<int64_t>(*make_time(TimeUnit::us), rest, inside);
      case Primitive::timestamp_utc_ns:
        return nanoseconds_utc(rest, inside);
      case Primitive::timestamp_ns:
        return fixed_value<int64_t>(*make_timestamp(TimeUnit::ns, false), rest, inside);
      case Primitive::uuid:
        return uuid(rest, inside);
    }
    fail("value of unknown type " + std::to_string(id));
  }

  void inner(std::string_view bytes, bool inside, int depth) {
    if (!write(bytes, inside, depth + 1)) text_ += "NULL";
  }

  void check_depth(int depth) {
    if (depth > max_variant_depth)
      throw unsupported("VARIANT nested deeper than " + std::to_string(max_variant_depth) + " levels");
  }

  void array(std::string_view bytes, int depth) {
    check_depth(depth);
    const Container parts = container(bytes);
    charge(parts.header_size);
    bool is_uniform = true;
    for (uint64_t i = 1; i < parts.count && is_uniform; ++i) {
      is_uniform = variant_kind(parts.value(i)) == variant_kind(parts.value(0));
    }
    text_ += '[';
    for (uint64_t i = 0; i < parts.count; ++i) {
      if (i > 0) text_ += ", ";
      inner(parts.value(i), is_uniform, depth);
    }
    text_ += ']';
  }

  void object(std::string_view bytes, int depth) {
    check_depth(depth);
    charge(container(bytes).header_size);
    const std::vector<VariantField> fields = variant_fields(metadata_, bytes);
    ObjectText out(text_, fields.size() == 1 && fields[0].name.empty());
    for (const VariantField& field : fields) {
      out.next(field.name);
      inner(field.value, true, depth);
    }
    out.close();
  }

  const VariantMetadata& metadata_;
  size_t allowance_;
  std::string& text_;
};

}  // namespace

VariantMetadata::VariantMetadata(std::string_view bytes) {
  const auto first = static_cast<uint8_t>(slice(bytes, 0, 1, "metadata")[0]);
  if ((first & 15) != 1) fail("metadata of version " + std::to_string(first & 15));
  width_ = static_cast<size_t>(first >> 6) + 1;
  count_ = number(slice(bytes, 1, width_, "metadata"));
  offsets_ = slice(bytes, 1 + width_, (count_ + 1) * width_, "metadata");
  names_ = bytes.substr(1 + width_ + offsets_.size());
}

std::string_view VariantMetadata::name(uint64_t id) const {
  if (id >= count_) fail("field name " + std::to_string(id) + " of " + std::to_string(count_));
  const uint64_t start = number(offsets_.substr(id * width_, width_));
  const uint64_t end = number(offsets_.substr((id + 1) * width_, width_));
  if (end < start) fail("field name of negative length");
  return checked_text(slice(names_, start, end - start, "field name"));
}

std::vector<VariantField> variant_fields(const VariantMetadata& metadata, std::string_view value) {
  if (value.empty() || static_cast<Basic>(static_cast<uint8_t>(value[0]) & 3) != Basic::object) {
    fail("value beside a typed_value that is an object is none");
  }
  const Container parts = container(value);
  std::vector<VariantField> fields;
  fields.reserve(static_cast<size_t>(parts.count));
  for (uint64_t i = 0; i < parts.count; ++i) fields.push_back({metadata.name(parts.id(i)), parts.value(i)});
  const auto by_name = [](const VariantField& a, const VariantField& b) { return a.name < b.name; };
  if (!std::is_sorted(fields.begin(), fields.end(), by_name)) std::sort(fields.begin(), fields.end(), by_name);
  return fields;
}

bool write_variant(const VariantMetadata& metadata, std::string_view value, bool inside, std::string& text) {
  return ValueText(metadata, value.size(), text).write(value, inside, 1);
}

VariantKind variant_kind(std::string_view value) {
  if (value.empty()) fail("value is empty");
  const auto first = static_cast<uint8_t>(value[0]);
  switch (static_cast<Basic>(first & 3)) {
    case Basic::short_text:
      return VariantKind::text;
    case Basic::object:
      return VariantKind::object;
    case Basic::array:
      return VariantKind::array;
    case Basic::primitive:
      break;
  }
  switch (static_cast<Primitive>(first >> 2)) {
    case Primitive::null:
      return VariantKind::null;
    case Primitive::text:
      return VariantKind::text;
    case Primitive::binary:
      return VariantKind::binary;
    case Primitive::date:
      return VariantKind::date;
    case Primitive::time:
      return VariantKind::time;
    case Primitive::timestamp_utc:
    case Primitive::timestamp_utc_ns:
      return VariantKind::timestamp_utc;
    case Primitive::timestamp:
      return VariantKind::timestamp;
    case Primitive::timestamp_ns:
      return VariantKind::timestamp_ns;
    default:
      return VariantKind::plain;
  }
}

VariantKind variant_kind(const DataType& type) {
  switch (type.kind) {
    case TypeKind::string:
      return VariantKind::text;
    case TypeKind::binary:
      return VariantKind::binary;
    case TypeKind::date:
      return VariantKind::date;
    case TypeKind::time:
      return VariantKind::time;
    case TypeKind::timestamp:
      if (type.zone) return VariantKind::timestamp_utc;
      return type.unit == TimeUnit::ns ? VariantKind::timestamp_ns : VariantKind::timestamp;
    case TypeKind::list:
      return VariantKind::array;
    case TypeKind::structure:
      return VariantKind::object;
    default:
      return VariantKind::plain;
  }
}

ObjectText::ObjectText(std::string& text, bool is_tuple) : text_(text), is_tuple_(is_tuple) {
  text_ += is_tuple ? '(' : '{';
}

void ObjectText::next(std::string_view name) {
  if (!is_first_) text_ += ", ";
  is_first_ = false;
  if (is_tuple_) return;
  append_quoted(name, text_);
  text_ += ": ";
}

void ObjectText::close() { text_ += is_tuple_ ? ')' : '}'; }

}  // namespace quern::parquet
