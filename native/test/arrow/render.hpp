// Columns as the text that test/fixtures/arrow/*.expected hold.
#pragma once
#include <cstdio>
#include <cstring>
#include <string>

#include "columnar/column.hpp"

namespace quern::arrow {

inline std::string hexadecimal(const void* data, size_t size, bool reversed = false) {
  std::string out;
  for (size_t i = 0; i < size; ++i) {
    char digits[3];
    std::snprintf(digits, sizeof(digits), "%02x", static_cast<const uint8_t*>(data)[reversed ? size - 1 - i : i]);
    out += digits;
  }
  return out;
}

inline std::string decimal_digits(int128_t value) {
  const bool negative = value < 0;
  uint128_t magnitude = negative ? -static_cast<uint128_t>(value) : static_cast<uint128_t>(value);
  std::string digits;
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(magnitude % 10)));
    magnitude /= 10;
  } while (magnitude > 0);
  return negative ? "-" + digits : digits;
}

inline std::string render(const Column& column, int64_t row) {
  if (column.form == Form::constant) row = 0;
  if (!column.is_valid(row)) return "null";
  if (column.form == Form::dictionary) return render(*column.children[0], column.values<uint32_t>()[row]);
  const auto list_items = [&](const char* open, const char* close, auto item) {
    const ListEntry entry = column.values<ListEntry>()[row];
    std::string out = open;
    for (int64_t i = 0; i < entry.length; ++i) out += (i > 0 ? ", " : "") + item(*column.children[0], entry.start + i);
    return out + close;
  };
  if (column.type->kind == TypeKind::map) {
    return list_items("{", "}", [](const Column& entries, int64_t at) {
      return render(*entries.children[0], at) + "=" + render(*entries.children[1], at);
    });
  }
  if (column.type->kind == TypeKind::uuid) return "x" + hexadecimal(column.values<int128_t>() + row, 16, true);
  switch (physical(*column.type)) {
    case Physical::none:
      return "null";
    case Physical::boolean:
      return column.values<uint8_t>()[row] == 1 ? "true" : column.values<uint8_t>()[row] == 0 ? "false" : "?";
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
      return "0x" + hexadecimal(column.values<uint16_t>() + row, 2, true);
    case Physical::float32:
      return "0x" + hexadecimal(column.values<float>() + row, 4, true);
    case Physical::float64:
      return "0x" + hexadecimal(column.values<double>() + row, 8, true);
    case Physical::int128:
      return decimal_digits(column.values<int128_t>()[row]);
    case Physical::interval: {
      const Interval value = column.values<Interval>()[row];
      return std::to_string(value.months) + "/" + std::to_string(value.days) + "/" + std::to_string(value.micros);
    }
    case Physical::string: {
      const StringView& view = column.values<StringView>()[row];
      if (column.type->kind == TypeKind::string) return "'" + std::string(view.data(), view.length) + "'";
      return "x" + hexadecimal(view.data(), view.length);
    }
    case Physical::list:
      return list_items("[", "]", [](const Column& items, int64_t at) { return render(items, at); });
    case Physical::structure: {
      std::string out = "(";
      for (size_t i = 0; i < column.children.size(); ++i) out += (i > 0 ? ", " : "") + render(*column.children[i], row);
      return out + ")";
    }
  }
  return "?";
}

// The invariants of columnar/column.hpp, recursively; "" when they hold.
inline std::string broken_invariant(const Column& column) {
  if ((column.validity == nullptr) != (column.null_count == 0))
    return "validity without nulls, or nulls without validity";
  if (column.form == Form::dictionary) {
    const Column& values = *column.children[0];
    if (values.null_count != 0 || values.form != Form::flat) return "dictionary values that are null or not flat";
    for (int64_t row = 0; row < column.length; ++row) {
      if (column.values<uint32_t>()[row] >= values.length) return "code outside the dictionary";
      if (!column.is_valid(row) && column.values<uint32_t>()[row] != 0) return "null row with a code";
    }
    return broken_invariant(values);
  }
  if (column.form == Form::constant) return "";
  if (column.validity != nullptr &&
      column.null_count != column.length - count_set_bits(column.validity, column.length)) {
    return "wrong null count";
  }
  const size_t bytes = static_cast<size_t>(width(*column.type));
  const uint8_t zeros[16] = {};
  for (int64_t row = 0; row < column.length; ++row) {
    if (bytes > 0 && !column.is_valid(row) &&
        std::memcmp(column.values<uint8_t>() + static_cast<size_t>(row) * bytes, zeros, bytes) != 0) {
      return "null row with bytes";
    }
    if (physical(*column.type) == Physical::list) {
      const ListEntry entry = column.values<ListEntry>()[row];
      if (entry.start < 0 || entry.length < 0 || entry.start + entry.length > column.children[0]->length)
        return "list outside its child";
    }
    if (physical(*column.type) == Physical::string && column.is_valid(row)) {
      const StringView& view = column.values<StringView>()[row];
      const StringView again = make_string_view(view.data(), view.length);
      if (std::memcmp(&view, &again, sizeof(view)) != 0) return "view with stray bytes";
    }
  }
  for (const ColumnPtr& child : column.children) {
    if (child->form != Form::flat) return "child that is not flat";
    if (physical(*column.type) == Physical::structure) {
      if (child->length != column.length) return "struct field of another length";
      for (int64_t row = 0; row < column.length; ++row) {
        if (!column.is_valid(row) && child->is_valid(row)) return "value in a null struct";
      }
    }
    const std::string broken = broken_invariant(*child);
    if (!broken.empty()) return broken;
  }
  return "";
}

}  // namespace quern::arrow
