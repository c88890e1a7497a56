// Names of days and months, strftime, strptime.
#include <array>
#include <cstdlib>
#include <cstring>

#include "cpu/expression/date_part.hpp"
#include "ops/format.hpp"

namespace quern::cpu {

namespace {

constexpr std::array<const char*, 7> day_names = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                                  "Friday", "Saturday", "Sunday"};
constexpr std::array<const char*, 12> month_names = {"January",   "February", "March",    "April",
                                                     "May",       "June",     "July",     "August",
                                                     "September", "October",  "November", "December"};

// A name of at most 12 bytes stands inside its view.
StringView name_view(const char* name) { return make_string_view(name, static_cast<uint32_t>(std::strlen(name))); }

KernelPtr make_day_name(const Signature& signature) {
  return strict_kernel([type = signature.arguments[0]](Call& call) {
    const Moments moments(*type);
    each_moment<StringView>(call, 0, moments,
                            [&](int64_t v) { return name_view(day_names[ops::iso_weekday(moments.days(v)) - 1]); });
  });
}

KernelPtr make_month_name(const Signature& signature) {
  return strict_kernel([type = signature.arguments[0]](Call& call) {
    const Moments moments(*type);
    each_moment<StringView>(call, 0, moments, [&](int64_t v) {
      return name_view(month_names[ops::civil_of_days(moments.days(v)).month - 1]);
    });
  });
}

// ---- strftime ----

void append_padded(int64_t v, int width, bool pad, std::string& out) {
  std::string digits = std::to_string(v < 0 ? -v : v);
  if (v < 0)
    out += '-';
  else if (pad && static_cast<int>(digits.size()) < width)
    out.append(static_cast<size_t>(width) - digits.size(), '0');
  out += digits;
}

struct BrokenDown {
  int64_t days, time_nanos;
  ops::Civil date;
  bool zone;
};

[[noreturn]] void bad_format(std::string_view format, char c) {
  throw runtime_error("no such date format character: %" + std::string(1, c) + " in " + quoted(format));
}

void append_formatted(std::string_view format, const BrokenDown& t, std::string& out) {
  const int64_t seconds = t.time_nanos / 1000000000, nanos = t.time_nanos % 1000000000;
  const int64_t hour = seconds / 3600, minute = seconds / 60 % 60, second = seconds % 60;
  const int64_t day_of_year = t.days - ops::days_of_civil(t.date.year, 1, 1);  // from 0
  const int weekday = ops::iso_weekday(t.days);
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%' || i + 1 == format.size()) {
      out += format[i];
      continue;
    }
    bool pad = true;
    if (format[++i] == '-' && i + 1 < format.size()) {
      pad = false;
      ++i;
    }
    switch (const char c = format[i]) {
      case 'Y':
        append_padded(t.date.year, 4, pad, out);
        break;
      case 'y':
        append_padded(std::abs(t.date.year) % 100, 2, pad, out);
        break;
      case 'm':
        append_padded(t.date.month, 2, pad, out);
        break;
      case 'd':
        append_padded(t.date.day, 2, pad, out);
        break;
      case 'H':
        append_padded(hour, 2, pad, out);
        break;
      case 'I':
        append_padded(hour % 12 == 0 ? 12 : hour % 12, 2, pad, out);
        break;
      case 'M':
        append_padded(minute, 2, pad, out);
        break;
      case 'S':
        append_padded(second, 2, pad, out);
        break;
      case 'f':
        append_padded(nanos / 1000, 6, true, out);
        break;
      case 'g':
        append_padded(nanos / 1000000, 3, true, out);
        break;
      case 'n':
        append_padded(nanos, 9, true, out);
        break;
      case 'j':
        append_padded(day_of_year + 1, 3, pad, out);
        break;
      case 'p':
        out += hour < 12 ? "AM" : "PM";
        break;
      case 'a':
        out.append(day_names[weekday - 1], 3);
        break;
      case 'A':
        out += day_names[weekday - 1];
        break;
      case 'b':
        out.append(month_names[t.date.month - 1], 3);
        break;
      case 'B':
        out += month_names[t.date.month - 1];
        break;
      case 'u':
        out += static_cast<char>('0' + weekday);
        break;
      case 'w':
        out += static_cast<char>('0' + weekday % 7);
        break;
      case 'U':
        append_padded((day_of_year + 7 - weekday % 7) / 7, 2, pad, out);
        break;
      case 'W':
        append_padded((day_of_year + 7 - (weekday - 1)) / 7, 2, pad, out);
        break;
      case 'V':
        append_padded(ops::iso_week(t.days), 2, pad, out);
        break;
      case 'G':
        append_padded(ops::iso_year(t.days), 4, pad, out);
        break;
      case 'z':
        out += "+00";
        break;
      case 'Z':
        out += t.zone ? "UTC" : "";
        break;
      case 'c':
        append_formatted("%Y-%m-%d %H:%M:%S", t, out);
        break;
      case 'x':
        append_formatted("%Y-%m-%d", t, out);
        break;
      case 'X':
      case 'T':
        append_formatted("%H:%M:%S", t, out);
        break;
      case '%':
        out += '%';
        break;
      default:
        bad_format(format, c);
    }
  }
}

KernelPtr make_strftime(const Signature& signature) {
  return strict_kernel([type = signature.arguments[0]](Call& call) {
    const Moments moments(*type);
    const Texts formats(call, 1);
    each_text(call, [&](int64_t row, std::string& out) {
      if (!moments.finite(call, 0, row)) {
        char text[16];
        const bool positive = moments.date ? call.values<int32_t>(0)[row * call.step(0)] > 0
                                           : call.values<int64_t>(0)[row * call.step(0)] > 0;
        out.append(text, static_cast<size_t>(ops::write_word(positive ? "infinity" : "-infinity", text)));
        return;
      }
      const int64_t v = moments.at(call, 0, row);
      const int64_t days = moments.days(v);
      const int64_t time = v - days * ops::day_seconds * moments.second_units;
      append_formatted(string_of(formats[row]),
                       {days, time * (1000000000 / moments.second_units), ops::civil_of_days(days), type->zone}, out);
    });
  });
}

// ---- strptime ----

// What a format has read so far.
struct Fields {
  int64_t year = 1900, month = 1, day = 1, hour = 0, minute = 0, second = 0, micros = 0, day_of_year = 0;
  int64_t iso_year = 0, iso_week = 1, weekday = 1;  // weekday from 1 = Monday; it counts beside an ISO year only
  int64_t offset = 0;                               // seconds east of UTC
  bool twelve = false, afternoon = false, by_week = false;
};

// Longest name (or its first three letters) at `at`, in any case; its number from 0, or -1.
template <size_t count>
int64_t read_name(ops::Text text, int64_t& at, const std::array<const char*, count>& names, bool short_form) {
  for (size_t i = 0; i < count; ++i) {
    const int64_t length = short_form ? 3 : static_cast<int64_t>(std::strlen(names[i]));
    if (at + length > text.length) continue;
    int64_t k = 0;
    while (k < length && ops::ascii_lower(text.data[at + k]) == ops::ascii_lower(names[i][k])) ++k;
    if (k == length) {
      at += length;
      return static_cast<int64_t>(i);
    }
  }
  return -1;
}

bool read_fraction(ops::Text text, int64_t& at, int digits, int64_t& micros) {
  int64_t value = 0;
  int read = 0;
  for (; at < text.length && read < digits && ops::is_digit(text.data[at]); ++at, ++read)
    value = value * 10 + (text.data[at] - '0');
  if (read == 0) return false;
  for (; read < 6; ++read) value *= 10;
  for (; read > 6; --read) value /= 10;
  micros = value;
  return true;
}

bool read_format(ops::Text text, int64_t& at, std::string_view format, Fields& f) {
  for (size_t i = 0; i < format.size(); ++i) {
    if (ops::is_space(format[i])) {
      ops::skip_spaces(text, at);
      continue;
    }
    if (format[i] != '%' || i + 1 == format.size()) {
      if (at >= text.length || text.data[at++] != format[i]) return false;
      continue;
    }
    if (format[++i] == '-' && i + 1 < format.size()) ++i;
    int64_t value = 0;
    const auto number = [&](int digits, int64_t low, int64_t high) {
      return ops::digits_at(text, at, digits, value) && value >= low && value <= high;
    };
    switch (const char c = format[i]) {
      case 'Y': {
        const bool negative = at < text.length && text.data[at] == '-';
        if (negative) ++at;
        if (!number(4, 0, 9999)) return false;
        f.year = negative ? -value : value;
        break;
      }
      case 'y':
        if (!number(2, 0, 99)) return false;
        f.year = value < 69 ? 2000 + value : 1900 + value;
        break;
      case 'm':
        if (!number(2, 1, 12)) return false;
        f.month = value;
        break;
      case 'd':
        if (!number(2, 1, 31)) return false;
        f.day = value;
        break;
      case 'H':
        if (!number(2, 0, 23)) return false;
        f.hour = value;
        break;
      case 'I':
        if (!number(2, 1, 12)) return false;
        f.hour = value % 12;
        f.twelve = true;
        break;
      case 'M':
        if (!number(2, 0, 59)) return false;
        f.minute = value;
        break;
      case 'S':
        if (!number(2, 0, 59)) return false;
        f.second = value;
        break;
      case 'j':
        if (!number(3, 1, 366)) return false;
        f.day_of_year = value;
        break;
      case 'f':
        if (!read_fraction(text, at, 6, f.micros)) return false;
        break;
      case 'g':
        if (!read_fraction(text, at, 3, f.micros)) return false;
        break;
      case 'n': {
        const int64_t from = at;
        if (!read_fraction(text, at, 9, f.micros)) return false;
        for (int64_t i = from + 6; i < at; ++i) {
          if (text.data[i] != '0') throw unsupported("strptime of nanoseconds");
        }
        break;
      }
      case 'G':
        if (!number(4, 0, 9999)) return false;
        f.iso_year = value;
        f.by_week = true;
        break;
      case 'V':
        if (!number(2, 1, 53)) return false;
        f.iso_week = value;
        break;
      case 'u':
        if (!number(1, 1, 7)) return false;
        f.weekday = value;
        break;
      case 'w':
        if (!number(1, 0, 6)) return false;
        f.weekday = value == 0 ? 7 : value;
        break;
      case 'z':
        if (at >= text.length || (text.data[at] != '+' && text.data[at] != '-')) return false;
        if (!ops::parse_offset_at(text, at, f.offset)) return false;
        break;
      case 'U':
      case 'W':
      case 'Z':
        throw unsupported("strptime %" + std::string(1, c));
      case 'p': {
        if (at + 2 > text.length || ops::ascii_lower(text.data[at + 1]) != 'm') return false;
        const char half = ops::ascii_lower(text.data[at]);
        if (half != 'a' && half != 'p') return false;
        f.afternoon = half == 'p';
        at += 2;
        break;
      }
      case 'b':
        if ((value = read_name(text, at, month_names, true)) < 0) return false;
        f.month = value + 1;
        break;
      case 'B':
        if ((value = read_name(text, at, month_names, false)) < 0) return false;
        f.month = value + 1;
        break;
      case 'a':
        if (read_name(text, at, day_names, true) < 0) return false;
        break;
      case 'A':
        if (read_name(text, at, day_names, false) < 0) return false;
        break;
      case 'c':
        if (!read_format(text, at, "%Y-%m-%d %H:%M:%S", f)) return false;
        break;
      case 'x':
        if (!read_format(text, at, "%Y-%m-%d", f)) return false;
        break;
      case 'X':
      case 'T':
        if (!read_format(text, at, "%H:%M:%S", f)) return false;
        break;
      case '%':
        if (at >= text.length || text.data[at++] != '%') return false;
        break;
      default:
        bad_format(format, c);
    }
  }
  return true;
}

bool parse_with_format(ops::Text text, std::string_view format, int64_t& out) {
  Fields f;
  int64_t at = 0;
  ops::skip_spaces(text, at);
  if (!read_format(text, at, format, f)) return false;
  ops::skip_spaces(text, at);
  if (at != text.length) return false;
  if (f.twelve && f.afternoon) f.hour += 12;
  int64_t days;
  if (f.by_week) {
    days = ops::monday_of(ops::days_of_civil(f.iso_year, 1, 4)) + (f.iso_week - 1) * 7 + f.weekday - 1;
  } else if (f.day_of_year > 0) {
    if (f.day_of_year == 366 && !ops::leap_year(f.year)) return false;
    days = ops::days_of_civil(f.year, 1, 1) + f.day_of_year - 1;
  } else {
    if (!ops::valid_civil(f.year, f.month, f.day)) return false;
    days = ops::days_of_civil(f.year, static_cast<int32_t>(f.month), static_cast<int32_t>(f.day));
  }
  return ops::multiply(days, ops::day_micros, out) &&
         ops::add(out, ((f.hour * 60 + f.minute) * 60 + f.second - f.offset) * 1000000 + f.micros, out) &&
         ops::finite_timestamp(out);
}

KernelPtr make_strptime(const Signature&) {
  return strict_kernel([](Call& call) {
    const Texts text(call, 0), format(call, 1);
    each_value<int64_t>(call, [&](int64_t row) {
      int64_t out;
      if (!parse_with_format(text[row], string_of(format[row]), out)) {
        throw runtime_error("text does not have the date format " + quoted(string_of(format[row])) + ": " +
                            quoted(string_of(text[row])));
      }
      return out;
    });
  });
}

KernelPtr make_try_strptime(const Signature&) {
  return strict_kernel([](Call& call) {
    const Texts text(call, 0), format(call, 1);
    auto* out = call.result.data<int64_t>();
    for_valid(call.valid, call.rows, [&](int64_t row) {
      if (!parse_with_format(text[row], string_of(format[row]), out[row])) call.result.set_null(row);
    });
  });
}

}  // namespace

void add_date_format(KernelTable& table) {
  table.add("dayname", make_day_name);
  table.add("monthname", make_month_name);
  table.add("strftime", make_strftime);
  table.add("strptime", make_strptime);
  table.add("try_strptime", make_try_strptime);
}

}  // namespace quern::cpu
