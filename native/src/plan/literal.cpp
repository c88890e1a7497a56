#include "plan/literal.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "common/error.hpp"
#include "common/json_text.hpp"

namespace quern::plan {

namespace {

using Items = std::vector<const LiteralText*>;

[[noreturn]] void no_value(const DataType& type, const std::string& text) {
  throw internal_error("literal is no " + type_name(type) + ": " + text.substr(0, 80));
}

template <typename T>
T parse_integer(const DataType& type, const std::string& text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) no_value(type, text);
  return value;
}

int128_t parse_int128(const DataType& type, const std::string& text) {
  const bool negative = !text.empty() && text[0] == '-';
  const size_t first = negative ? 1 : 0;
  if (text.size() == first) no_value(type, text);
  uint128_t magnitude = 0;
  const uint128_t limit = (static_cast<uint128_t>(1) << 127) - (negative ? 0 : 1);
  for (size_t i = first; i < text.size(); ++i) {
    if (text[i] < '0' || text[i] > '9') no_value(type, text);
    const auto digit = static_cast<uint128_t>(text[i] - '0');
    if (magnitude > (limit - digit) / 10) no_value(type, text);
    magnitude = magnitude * 10 + digit;
  }
  return static_cast<int128_t>(negative ? 0 - magnitude : magnitude);
}

template <typename T>
T parse_float(const DataType& type, const std::string& text) {
  if (text == "nan") return std::numeric_limits<T>::quiet_NaN();
  if (text == "inf") return std::numeric_limits<T>::infinity();
  if (text == "-inf") return -std::numeric_limits<T>::infinity();
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) no_value(type, text);
  return value;
}

// Nearest half of either kind; ties to even.
uint16_t to_half(const DataType& type, const std::string& text) {
  const auto value = parse_float<float>(type, text);
  if (type.kind == TypeKind::float16) return std::bit_cast<uint16_t>(static_cast<_Float16>(value));
  const auto bits = std::bit_cast<uint32_t>(value);
  if (std::isnan(value)) return static_cast<uint16_t>(bits >> 16 | 0x40);
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

int hex_digit(const DataType& type, const std::string& text, char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  no_value(type, text);
}

std::string parse_hex(const DataType& type, const std::string& text) {
  if (text.size() % 2 != 0) no_value(type, text);
  std::string bytes(text.size() / 2, '\0');
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<char>(hex_digit(type, text, text[2 * i]) << 4 | hex_digit(type, text, text[2 * i + 1]));
  }
  return bytes;
}

int128_t parse_uuid(const DataType& type, const std::string& text) {
  const std::string bytes = parse_hex(type, text);
  if (bytes.size() != 16) no_value(type, text);
  uint128_t value = 0;
  for (char byte : bytes) value = value << 8 | static_cast<uint8_t>(byte);
  return static_cast<int128_t>(value);
}

Interval parse_interval(const DataType& type, const std::string& text) {
  const size_t first = text.find(',');
  const size_t second = first == std::string::npos ? first : text.find(',', first + 1);
  if (second == std::string::npos) no_value(type, text);
  return {parse_integer<int32_t>(type, text.substr(0, first)),
          parse_integer<int32_t>(type, text.substr(first + 1, second - first - 1)),
          parse_integer<int64_t>(type, text.substr(second + 1))};
}

const std::string& text_of(const DataType& type, const LiteralText& literal) {
  if (literal.kind != LiteralText::Kind::text)
    no_value(type, literal.kind == LiteralText::Kind::array ? "an array" : "a boolean");
  return literal.text;
}

const std::vector<LiteralText>& items_of(const DataType& type, const LiteralText& literal) {
  if (literal.kind != LiteralText::Kind::array) no_value(type, literal.text);
  return literal.items;
}

ColumnPtr build(Memory& memory, const TypePtr& type, const Items& items);

ColumnPtr build_list(Memory& memory, const TypePtr& type, const Items& items) {
  const auto rows = static_cast<int64_t>(items.size());
  ColumnBuilder builder(memory, type, rows, true);
  Items elements;
  for (int64_t row = 0; row < rows; ++row) {
    if (items[row]->kind == LiteralText::Kind::null) {
      builder.set_null(row);
      continue;
    }
    const auto& list = items_of(*type, *items[row]);
    builder.data<ListEntry>()[row] = {static_cast<int64_t>(elements.size()), static_cast<int64_t>(list.size())};
    for (const auto& element : list) elements.push_back(&element);
  }
  builder.add_child(build(memory, type->kind == TypeKind::map ? map_entry_type(*type) : type->children[0], elements));
  return builder.finish();
}

ColumnPtr build_structure(Memory& memory, const TypePtr& type, const Items& items) {
  static const LiteralText null_literal;
  const auto rows = static_cast<int64_t>(items.size());
  ColumnBuilder builder(memory, type, rows);
  std::vector<Items> fields(type->children.size());
  for (int64_t row = 0; row < rows; ++row) {
    const bool null = items[row]->kind == LiteralText::Kind::null;
    if (null) builder.set_null(row);
    if (!null && items_of(*type, *items[row]).size() != fields.size()) no_value(*type, "an array of another length");
    for (size_t field = 0; field < fields.size(); ++field)
      fields[field].push_back(null ? &null_literal : &items[row]->items[field]);
  }
  for (size_t field = 0; field < fields.size(); ++field)
    builder.add_child(build(memory, type->children[field], fields[field]));
  return builder.finish();
}

ColumnPtr build_strings(Memory& memory, const TypePtr& type, const Items& items) {
  const auto rows = static_cast<int64_t>(items.size());
  ColumnBuilder builder(memory, type, rows, true);
  StringHeap heap(memory);
  for (int64_t row = 0; row < rows; ++row) {
    if (items[row]->kind == LiteralText::Kind::null) {
      builder.set_null(row);
      continue;
    }
    const auto& text = text_of(*type, *items[row]);
    const std::string bytes = type->kind == TypeKind::binary ? parse_hex(*type, text) : text;
    builder.data<StringView>()[row] = heap.append(bytes.data(), bytes.size());
  }
  builder.keep(heap.owners());
  return builder.finish();
}

template <typename T, typename Parse>
ColumnPtr build_fixed(Memory& memory, const TypePtr& type, const Items& items, Parse&& parse) {
  const auto rows = static_cast<int64_t>(items.size());
  ColumnBuilder builder(memory, type, rows, true);
  for (int64_t row = 0; row < rows; ++row) {
    if (items[row]->kind == LiteralText::Kind::null)
      builder.set_null(row);
    else
      builder.data<T>()[row] = parse(*items[row]);
  }
  return builder.finish();
}

template <typename T>
ColumnPtr build_integers(Memory& memory, const TypePtr& type, const Items& items) {
  return build_fixed<T>(memory, type, items,
                        [&](const LiteralText& literal) { return parse_integer<T>(*type, text_of(*type, literal)); });
}

ColumnPtr build_int128(Memory& memory, const TypePtr& type, const Items& items) {
  return build_fixed<int128_t>(memory, type, items, [&](const LiteralText& literal) {
    const auto& text = text_of(*type, literal);
    return type->kind == TypeKind::uuid ? parse_uuid(*type, text) : parse_int128(*type, text);
  });
}

ColumnPtr build(Memory& memory, const TypePtr& type, const Items& items) {
  const auto rows = static_cast<int64_t>(items.size());
  switch (physical(*type)) {
    case Physical::none:
      for (const auto* item : items) {
        if (item->kind != LiteralText::Kind::null) no_value(*type, item->text);
      }
      return make_null_column(type, rows);
    case Physical::boolean:
      return build_fixed<uint8_t>(memory, type, items, [&](const LiteralText& literal) -> uint8_t {
        if (literal.kind != LiteralText::Kind::boolean) no_value(*type, literal.text);
        return literal.value ? 1 : 0;
      });
    case Physical::int8:
      return build_integers<int8_t>(memory, type, items);
    case Physical::int16:
      return build_integers<int16_t>(memory, type, items);
    case Physical::int32:
      return build_integers<int32_t>(memory, type, items);
    case Physical::int64:
      return build_integers<int64_t>(memory, type, items);
    case Physical::uint8:
      return build_integers<uint8_t>(memory, type, items);
    case Physical::uint16:
      return build_integers<uint16_t>(memory, type, items);
    case Physical::uint32:
      return build_integers<uint32_t>(memory, type, items);
    case Physical::uint64:
      return build_integers<uint64_t>(memory, type, items);
    case Physical::half:
      return build_fixed<uint16_t>(memory, type, items,
                                   [&](const LiteralText& l) { return to_half(*type, text_of(*type, l)); });
    case Physical::float32:
      return build_fixed<float>(memory, type, items,
                                [&](const LiteralText& l) { return parse_float<float>(*type, text_of(*type, l)); });
    case Physical::float64:
      return build_fixed<double>(memory, type, items,
                                 [&](const LiteralText& l) { return parse_float<double>(*type, text_of(*type, l)); });
    case Physical::int128:
      return build_int128(memory, type, items);
    case Physical::interval:
      return build_fixed<Interval>(memory, type, items,
                                   [&](const LiteralText& l) { return parse_interval(*type, text_of(*type, l)); });
    case Physical::string:
      return build_strings(memory, type, items);
    case Physical::list:
      return build_list(memory, type, items);
    case Physical::structure:
      return build_structure(memory, type, items);
  }
  throw internal_error("unknown storage of " + type_name(*type));
}

}  // namespace

ColumnPtr literal_column(Memory& memory, const TypePtr& type, const LiteralText& literal) {
  return make_constant(build(memory, type, {&literal}), 0, 1);
}

namespace {

std::string hex(const char* data, size_t size) {
  static const char* digits = "0123456789abcdef";
  std::string out;
  for (size_t i = 0; i < size; ++i) {
    out += digits[static_cast<uint8_t>(data[i]) >> 4];
    out += digits[data[i] & 15];
  }
  return out;
}

std::string int128_text(int128_t value) {
  if (value == 0) return "0";
  uint128_t magnitude = value < 0 ? 0 - static_cast<uint128_t>(value) : static_cast<uint128_t>(value);
  std::string digits;
  for (; magnitude != 0; magnitude /= 10)
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(magnitude % 10)));
  return value < 0 ? "-" + digits : digits;
}

std::string uuid_text(int128_t value) {
  std::string bytes(16, '\0');
  auto bits = static_cast<uint128_t>(value);
  for (int i = 15; i >= 0; --i, bits >>= 8) bytes[i] = static_cast<char>(static_cast<uint8_t>(bits));
  return hex(bytes.data(), bytes.size());
}

template <typename T>
std::string float_text(T value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  if (value == 0) return std::signbit(value) ? "-0.0" : "0.0";
  char text[64];
  const auto [end, error] = std::to_chars(text, text + sizeof(text), value);
  return std::string(text, end);
}

float half_value(const DataType& type, uint16_t bits) {
  if (type.kind == TypeKind::float16) return static_cast<float>(std::bit_cast<_Float16>(bits));
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

std::string list_json(const Column& column, int64_t row) {
  const auto entry = column.values<ListEntry>()[row];
  std::string out = "[";
  for (int64_t i = 0; i < entry.length; ++i)
    out += (i > 0 ? "," : "") + literal_json(*column.children[0], entry.start + i);
  return out + "]";
}

std::string structure_json(const Column& column, int64_t row) {
  std::string out = "[";
  for (size_t i = 0; i < column.children.size(); ++i)
    out += (i > 0 ? "," : "") + literal_json(*column.children[i], row);
  return out + "]";
}

std::string value_text(const Column& column, int64_t row) {
  switch (physical(*column.type)) {
    case Physical::int8:
      return std::to_string(column.values<int8_t>()[row]);
    case Physical::int16:
      return std::to_string(column.values<int16_t>()[row]);
    case Physical::int32:
      return std::to_string(column.values<int32_t>()[row]);
    case Physical::int64:
      return std::to_string(column.values<int64_t>()[row]);
    case Physical::uint8:
      return std::to_string(column.values<uint8_t>()[row]);
    case Physical::uint16:
      return std::to_string(column.values<uint16_t>()[row]);
    case Physical::uint32:
      return std::to_string(column.values<uint32_t>()[row]);
    case Physical::uint64:
      return std::to_string(column.values<uint64_t>()[row]);
    case Physical::half:
      return float_text(half_value(*column.type, column.values<uint16_t>()[row]));
    case Physical::float32:
      return float_text(column.values<float>()[row]);
    case Physical::float64:
      return float_text(column.values<double>()[row]);
    case Physical::int128: {
      const auto value = column.values<int128_t>()[row];
      return column.type->kind == TypeKind::uuid ? uuid_text(value) : int128_text(value);
    }
    case Physical::interval: {
      const auto value = column.values<Interval>()[row];
      return std::to_string(value.months) + "," + std::to_string(value.days) + "," + std::to_string(value.micros);
    }
    case Physical::string: {
      const auto& view = column.values<StringView>()[row];
      return column.type->kind == TypeKind::binary ? hex(view.data(), view.length)
                                                   : std::string(view.data(), view.length);
    }
    default:
      throw internal_error("no text of " + type_name(*column.type));
  }
}

}  // namespace

std::string literal_json(const Column& column, int64_t row) {
  if (column.form == Form::dictionary) {
    return column.is_valid(row) ? literal_json(*column.children[0], column.values<uint32_t>()[row]) : "null";
  }
  const int64_t at = column.form == Form::constant ? 0 : row;
  if (column.type->kind == TypeKind::null || !column.is_valid(at)) return "null";
  switch (physical(*column.type)) {
    case Physical::boolean:
      return column.values<uint8_t>()[at] != 0 ? "true" : "false";
    case Physical::list:
      return list_json(column, at);
    case Physical::structure:
      return structure_json(column, row);
    default:
      return json_string(value_text(column, at));
  }
}

}  // namespace quern::plan
