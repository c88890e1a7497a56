#include "parquet/value_text.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>

namespace quern::parquet {

namespace {

std::string integer_text(int128_t value) {
  bool negative = value < 0;
  auto magnitude = negative ? -static_cast<uint128_t>(value) : static_cast<uint128_t>(value);
  std::string text;
  do {
    text.push_back(static_cast<char>('0' + static_cast<int>(magnitude % 10)));
    magnitude /= 10;
  } while (magnitude > 0);
  if (negative) text.push_back('-');
  std::reverse(text.begin(), text.end());
  return text;
}

std::string decimal_text(int128_t value, size_t scale) {
  std::string text = integer_text(value);
  if (scale == 0) return text;
  size_t sign = text[0] == '-' ? 1 : 0;
  if (text.size() - sign <= scale) text.insert(sign, scale + 1 - (text.size() - sign), '0');
  text.insert(text.end() - static_cast<std::ptrdiff_t>(scale), '.');
  return text;
}

template <typename T>
std::string float_text(T value) {
  char text[64];
  auto end = std::to_chars(text, text + sizeof text, value);
  return {text, end.ptr};
}

// Civil date of a day number. Source: H. Hinnant, "chrono-compatible low-level date algorithms".
std::string date_text(int64_t days) {
  days += 719468;
  int64_t era = (days >= 0 ? days : days - 146096) / 146097;
  int64_t day_of_era = days - era * 146097;
  int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  int64_t month = (5 * day_of_year + 2) / 153;
  int64_t day = day_of_year - (153 * month + 2) / 5 + 1;
  month = month < 10 ? month + 3 : month - 9;
  int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  char text[48];
  std::snprintf(text, sizeof text, "%04lld-%02lld-%02lld", static_cast<long long>(year), static_cast<long long>(month),
                static_cast<long long>(day));
  return text;
}

// `value` units within a day.
std::string time_text(int64_t value, TimeUnit unit) {
  int64_t per_second = units_per_second(unit);
  int64_t seconds = value / per_second, fraction = value % per_second;
  char text[64];
  std::snprintf(text, sizeof text, "%02lld:%02lld:%02lld", static_cast<long long>(seconds / 3600),
                static_cast<long long>(seconds / 60 % 60), static_cast<long long>(seconds % 60));
  std::string result = text;
  if (fraction > 0) {
    std::string digits = std::to_string(per_second + fraction).substr(1);
    while (digits.back() == '0') digits.pop_back();
    result += "." + digits;
  }
  return result;
}

std::string timestamp_text(int64_t value, TimeUnit unit, bool zone) {
  int64_t per_day = units_per_second(unit) * 86400;
  int64_t day = value / per_day, rest = value % per_day;
  if (rest < 0) {
    rest += per_day;
    --day;
  }
  return date_text(day) + " " + time_text(rest, unit) + (zone ? "+00" : "");
}

std::string bytes_text(const StringView& view) {
  std::string text;
  for (uint32_t i = 0; i < view.length; ++i) {
    auto byte = static_cast<unsigned char>(view.data()[i]);
    if (byte >= 32 && byte < 127 && byte != '\\') {
      text += static_cast<char>(byte);
    } else {
      char escape[5];
      std::snprintf(escape, sizeof escape, "\\x%02X", byte);
      text += escape;
    }
  }
  return text;
}

std::string uuid_text(uint128_t bits) {
  std::string text;
  for (int digit = 0; digit < 32; ++digit) {
    if (digit == 8 || digit == 12 || digit == 16 || digit == 20) text += '-';
    text += "0123456789abcdef"[static_cast<int>(bits >> (4 * (31 - digit))) & 15];
  }
  return text;
}

}  // namespace

std::string value_text(const Column& column) {
  const DataType& type = *column.type;
  switch (physical(type)) {
    case Physical::boolean:
      return column.values<uint8_t>()[0] != 0 ? "true" : "false";
    case Physical::int8:
      return std::to_string(column.values<int8_t>()[0]);
    case Physical::int16:
      return std::to_string(column.values<int16_t>()[0]);
    case Physical::int32: {
      int32_t value = column.values<int32_t>()[0];
      return type.kind == TypeKind::date ? date_text(value) : std::to_string(value);
    }
    case Physical::uint8:
      return std::to_string(column.values<uint8_t>()[0]);
    case Physical::uint16:
      return std::to_string(column.values<uint16_t>()[0]);
    case Physical::uint32:
      return std::to_string(column.values<uint32_t>()[0]);
    case Physical::uint64:
      return std::to_string(column.values<uint64_t>()[0]);
    case Physical::int64: {
      int64_t value = column.values<int64_t>()[0];
      if (type.kind == TypeKind::decimal) return decimal_text(value, type.scale);
      if (type.kind == TypeKind::timestamp) return timestamp_text(value, type.unit, type.zone);
      bool in_day = value >= 0 && value / units_per_second(type.unit) <= 86400;
      if (type.kind == TypeKind::time && in_day) return time_text(value, type.unit);
      return std::to_string(value);
    }
    case Physical::int128: {
      int128_t value = column.values<int128_t>()[0];
      return type.kind == TypeKind::uuid ? uuid_text(static_cast<uint128_t>(value)) : decimal_text(value, type.scale);
    }
    case Physical::float32:
      return float_text(column.values<float>()[0]);
    case Physical::float64:
      return float_text(column.values<double>()[0]);
    case Physical::half: {
      char text[16];
      std::snprintf(text, sizeof text, "0x%04X", column.values<uint16_t>()[0]);
      return text;
    }
    case Physical::string: {
      const StringView& view = column.values<StringView>()[0];
      return type.kind == TypeKind::string ? std::string(view.data(), view.length) : bytes_text(view);
    }
    default:
      return "";
  }
}

}  // namespace quern::parquet
