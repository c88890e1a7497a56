#include "columnar/variant.hpp"

#include <algorithm>
#include <cstring>

#include "common/error.hpp"
#include "common/utf8.hpp"

namespace quern {

namespace {

[[noreturn]] void fail(const std::string& what) { throw corrupt_file("VARIANT " + what); }

// `size` bytes from byte `at` on.
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

std::string_view checked_text(std::string_view text) {
  if (!valid_utf8(text.data(), text.size())) fail("text is not UTF-8");
  return text;
}

uint8_t first_byte(std::string_view value) {
  if (value.empty()) fail("value is empty");
  return static_cast<uint8_t>(value[0]);
}

// Bytes of a value of fixed size; -1: its size stands before it.
int fixed_size(VariantPrimitive type) {
  switch (type) {
    case VariantPrimitive::null:
    case VariantPrimitive::true_value:
    case VariantPrimitive::false_value:
      return 0;
    case VariantPrimitive::int8:
      return 1;
    case VariantPrimitive::int16:
      return 2;
    case VariantPrimitive::int32:
    case VariantPrimitive::date:
    case VariantPrimitive::float32:
    case VariantPrimitive::decimal4:
      return 4;
    case VariantPrimitive::int64:
    case VariantPrimitive::float64:
    case VariantPrimitive::decimal8:
    case VariantPrimitive::timestamp_utc:
    case VariantPrimitive::timestamp:
    case VariantPrimitive::time:
    case VariantPrimitive::timestamp_utc_ns:
    case VariantPrimitive::timestamp_ns:
      return 8;
    case VariantPrimitive::decimal16:
    case VariantPrimitive::uuid:
      return 16;
    case VariantPrimitive::binary:
    case VariantPrimitive::text:
      return -1;
  }
  fail("value of unknown type " + std::to_string(static_cast<int>(type)));
}

// Most digits after the point; 0: no decimal.
int most_scale(VariantPrimitive type) {
  switch (type) {
    case VariantPrimitive::decimal4:
      return 9;
    case VariantPrimitive::decimal8:
      return 18;
    case VariantPrimitive::decimal16:
      return 38;
    default:
      return 0;
  }
}

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

size_t VariantMetadata::size() const {
  const uint64_t bytes = number(offsets_.substr(count_ * width_, width_));
  return 1 + width_ + offsets_.size() + slice(names_, 0, bytes, "metadata").size();
}

VariantParts variant_parts(std::string_view row) {
  const VariantMetadata metadata(row);
  const size_t size = metadata.size();
  return {metadata, row.substr(0, size), row.substr(size)};
}

VariantBasic variant_basic(std::string_view value) { return static_cast<VariantBasic>(first_byte(value) & 3); }

bool is_variant_null(std::string_view value) { return first_byte(value) == 0; }

VariantLeaf variant_leaf(std::string_view value) {
  const uint8_t first = first_byte(value);
  const std::string_view rest = value.substr(1);
  VariantLeaf leaf;
  if (static_cast<VariantBasic>(first & 3) == VariantBasic::short_text) {
    leaf.type = VariantPrimitive::text;
    leaf.payload = checked_text(slice(rest, 0, first >> 2, "text"));
    leaf.size = 1 + leaf.payload.size();
    return leaf;
  }
  leaf.type = static_cast<VariantPrimitive>(first >> 2);
  const int size = fixed_size(leaf.type);
  if (size < 0) {
    leaf.payload = slice(rest, 4, number(slice(rest, 0, 4, "value")), "value");
    if (leaf.type == VariantPrimitive::text) checked_text(leaf.payload);
    leaf.size = 5 + leaf.payload.size();
    return leaf;
  }
  const int most = most_scale(leaf.type);
  if (most > 0) {
    leaf.scale = static_cast<uint8_t>(slice(rest, 0, 1, "decimal")[0]);
    if (leaf.scale > most) fail("decimal of scale " + std::to_string(leaf.scale));
  }
  leaf.payload = slice(rest, most > 0 ? 1 : 0, static_cast<uint64_t>(size), "value");
  leaf.size = (most > 0 ? 2 : 1) + leaf.payload.size();
  return leaf;
}

VariantContents variant_contents(const VariantMetadata& metadata, std::string_view value) {
  const uint8_t first = first_byte(value);
  const bool is_object = static_cast<VariantBasic>(first & 3) == VariantBasic::object;
  const char* what = is_object ? "object" : "array";
  const unsigned header = first >> 2;
  const size_t offset_width = (header & 3) + 1;
  const size_t id_width = is_object ? (header >> 2 & 3) + 1 : 0;
  const size_t count_width = (header >> (is_object ? 4 : 2) & 1) != 0 ? 4 : 1;
  const uint64_t count = number(slice(value, 1, count_width, "count"));
  const std::string_view ids = slice(value, 1 + count_width, count * id_width, what);
  const std::string_view offsets = slice(value, 1 + count_width + ids.size(), (count + 1) * offset_width, what);
  VariantContents out;
  out.header_size = 1 + count_width + ids.size() + offsets.size();
  const auto offset = [&](uint64_t i) { return number(offsets.substr(i * offset_width, offset_width)); };
  const std::string_view values = slice(value, out.header_size, offset(count), what);
  out.fields.reserve(static_cast<size_t>(count));
  for (uint64_t i = 0; i < count; ++i) {
    if (offset(i) >= values.size())
      fail("value begins at byte " + std::to_string(offset(i)) + " of " + std::to_string(values.size()));
    VariantField field;
    if (is_object) field.name = metadata.name(number(ids.substr(i * id_width, id_width)));
    field.value = values.substr(static_cast<size_t>(offset(i)));
    out.fields.push_back(field);
  }
  const auto by_name = [](const VariantField& a, const VariantField& b) { return a.name < b.name; };
  if (is_object && !std::is_sorted(out.fields.begin(), out.fields.end(), by_name))
    std::sort(out.fields.begin(), out.fields.end(), by_name);
  return out;
}

}  // namespace quern
