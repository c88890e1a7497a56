#include "columnar/value_text.hpp"

#include "columnar/geometry.hpp"
#include "columnar/variant.hpp"
#include "common/error.hpp"
#include "common/real_text.hpp"
#include "ops/format.hpp"
#include "ops/parse.hpp"

namespace quern {

namespace {

std::string_view view_at(const Column& column, int64_t row) {
  const StringView& view = column.values<StringView>()[row];
  return {view.data(), view.length};
}

// Bytes that a printable form shows as they are.
bool shown(char c) { return c >= 32 && c <= 126 && c != '\\' && c != '\'' && c != '"'; }

// Whether text inside a nested value must be quoted to be read back.
bool needs_quotes(std::string_view text) {
  if (text.empty() || ops::is_space(text.front()) || ops::is_space(text.back())) return true;
  if (ops::equals_word({text.data(), static_cast<int64_t>(text.size())}, "null")) return true;
  return text.find_first_of("(){}[],:='\"") != std::string_view::npos;
}

void append_list(const Column& column, int64_t row, std::string& out) {
  const auto entry = column.values<ListEntry>()[row];
  const Column& elements = *column.children[0];
  // As DuckDB has it, JSON stands bare in lists, but not in structs and maps.
  const bool quoted = elements.type->tag != TypeTag::json;
  out += '[';
  for (int64_t i = 0; i < entry.length; ++i) {
    if (i > 0) out += ", ";
    append_text(elements, entry.start + i, quoted, out);
  }
  out += ']';
}

void append_structure(const Column& column, int64_t row, std::string& out) {
  const DataType& type = *column.type;
  const bool named = !type.names.empty() && !type.names[0].empty();  // row(…) makes fields without names
  out += named ? '{' : '(';
  for (size_t i = 0; i < column.children.size(); ++i) {
    if (i > 0) out += ", ";
    if (named) {
      append_quoted(type.names[i], out);
      out += ": ";
    }
    append_text(*column.children[i], row, true, out);
  }
  out += named ? '}' : ')';
}

void append_map(const Column& column, int64_t row, std::string& out) {
  const auto entry = column.values<ListEntry>()[row];
  const Column& entries = *column.children[0];
  out += '{';
  for (int64_t i = 0; i < entry.length; ++i) {
    if (i > 0) out += ", ";
    append_text(*entries.children[0], entry.start + i, true, out);
    out += '=';
    append_text(*entries.children[1], entry.start + i, true, out);
  }
  out += '}';
}

}  // namespace

void append_bytes(std::string_view bytes, std::string& out) {
  static const char digits[] = "0123456789ABCDEF";
  for (const char c : bytes) {
    if (shown(c)) {
      out += c;
    } else {
      out += "\\x";
      out += digits[static_cast<unsigned char>(c) >> 4];
      out += digits[static_cast<unsigned char>(c) & 15];
    }
  }
}

void append_quoted(std::string_view text, std::string& out) {
  out += '\'';
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  out += '\'';
}

void append_leaf(std::string_view text, bool inside, std::string& out) {
  if (inside && needs_quotes(text))
    append_quoted(text, out);
  else
    out += text;
}

int32_t write_value(const DataType& type, const void* value, char* out) {
  const auto as = [&]<typename T>() { return *static_cast<const T*>(value); };
  switch (type.kind) {
    case TypeKind::boolean:
      return ops::write_word(as.operator()<uint8_t>() != 0 ? "true" : "false", out);
    case TypeKind::int8:
      return ops::write_integer(as.operator()<int8_t>(), out);
    case TypeKind::int16:
      return ops::write_integer(as.operator()<int16_t>(), out);
    case TypeKind::int32:
      return ops::write_integer(as.operator()<int32_t>(), out);
    case TypeKind::int64:
      return ops::write_integer(as.operator()<int64_t>(), out);
    case TypeKind::uint8:
      return ops::write_integer(as.operator()<uint8_t>(), out);
    case TypeKind::uint16:
      return ops::write_integer(as.operator()<uint16_t>(), out);
    case TypeKind::uint32:
      return ops::write_integer(as.operator()<uint32_t>(), out);
    case TypeKind::uint64:
      return ops::write_integer(as.operator()<uint64_t>(), out);
    case TypeKind::float16:
      return write_real(ops::half_to_float(as.operator()<uint16_t>()), out);
    case TypeKind::bfloat16:
      return write_real(ops::bfloat_to_float(as.operator()<uint16_t>()), out);
    case TypeKind::float32:
      return write_real(as.operator()<float>(), out);
    case TypeKind::float64:
      return write_real(as.operator()<double>(), out);
    case TypeKind::decimal:
      return ops::write_decimal(
          physical(type) == Physical::int64 ? as.operator()<int64_t>() : as.operator()<int128_t>(), type.precision,
          type.scale, out);
    case TypeKind::date:
      return ops::write_date(as.operator()<int32_t>(), out);
    case TypeKind::time: {
      const int32_t length = ops::write_time(as.operator()<int64_t>(), units_per_second(type.unit), out);
      return type.zone ? length + ops::write_word("+00", out + length) : length;
    }
    case TypeKind::timestamp:
      return ops::write_timestamp(as.operator()<int64_t>(), units_per_second(type.unit), type.zone, out);
    case TypeKind::interval:
      return ops::write_interval(as.operator()<Interval>(), out);
    case TypeKind::uuid:
      return ops::write_uuid(as.operator()<int128_t>(), out);
    default:
      throw internal_error("no text of fixed size for " + type_name(type));
  }
}

void append_text(const Column& column, int64_t row, bool inside, std::string& out) {
  if (column.type->kind == TypeKind::null || !column.is_valid(column.form == Form::constant ? 0 : row)) {
    out += "NULL";
    return;
  }
  if (column.form == Form::dictionary)
    return append_text(*column.children[0], column.values<uint32_t>()[row], inside, out);
  const int64_t at = column.form == Form::constant ? 0 : row;
  switch (column.type->kind) {
    case TypeKind::string:
      // The text of a variant inside another value is a part of it.
      if (column.type->tag == TypeTag::variant) return append_variant_text(view_at(column, at), out);
      return append_leaf(view_at(column, at), inside, out);
    case TypeKind::binary: {
      std::string text;
      if (column.type->tag == TypeTag::geometry)
        append_wkt(view_at(column, at), text);
      else
        append_bytes(view_at(column, at), text);
      return append_leaf(text, inside, out);
    }
    case TypeKind::list:
      return append_list(column, at, out);
    case TypeKind::map:
      return append_map(column, at, out);
    case TypeKind::structure:
      return append_structure(column, row, out);
    default: {
      char text[128];
      const auto* values = static_cast<const uint8_t*>(column.data);
      const int32_t length = write_value(*column.type, values + at * width(*column.type), text);
      append_leaf({text, static_cast<size_t>(length)}, inside, out);
    }
  }
}

}  // namespace quern
