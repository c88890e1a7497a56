#include "cpu/expression/format_value.hpp"

#include <charconv>
#include <cmath>

#include "common/error.hpp"
#include "common/real_text.hpp"
#include "ops/text.hpp"

namespace quern::cpu {

namespace {

constexpr int32_t longest_real = 400;  // bytes before the point and around it; the precision comes on top

[[noreturn]] void bad_type(const FormatValue& value, char type) {
  throw runtime_error("the format '" + std::string(1, type) + "' is none of " + std::string(kind_word(value.kind)));
}

ops::Text view(std::string_view text) { return {text.data(), static_cast<int64_t>(text.size())}; }

void append_filling(std::string_view fill, int64_t count, std::string& out) {
  for (; count > 0; --count) out += fill;
}

// `body` in a field of the spec's width.
void append_aligned(std::string_view body, const FormatSpec& spec, char usual, std::string& out) {
  const int64_t room = spec.width - ops::code_points(view(body));
  const char align = spec.align != 0 ? spec.align : usual;
  const int64_t before = room <= 0 || align == '<' ? 0 : align == '^' ? room / 2 : room;
  append_filling(spec.fill, before, out);
  out += body;
  append_filling(spec.fill, room - before, out);
}

// Sign, prefix and digits, with zeros between them where asked. `usual`: the side of a field that they stand at.
void append_number(bool negative, std::string_view prefix, std::string_view digits, const FormatSpec& spec,
                   std::string& out, char usual = '>') {
  std::string body;
  if (negative) body += '-';
  if (!negative && spec.sign != '-') body += spec.sign;
  body += prefix;
  if (spec.zeros && spec.align == 0) {
    const auto used = static_cast<int64_t>(body.size() + digits.size());
    append_filling("0", spec.width - used, body);
  }
  body += digits;
  append_aligned(body, spec, usual, out);
}

// Groups of three among the leading digits.
std::string grouped(std::string_view digits, char separator) {
  if (separator == 0) return std::string(digits);
  size_t whole = 0;
  while (whole < digits.size() && ops::is_digit(digits[whole])) ++whole;
  std::string out;
  for (size_t i = 0; i < whole; ++i) {
    if (i > 0 && (whole - i) % 3 == 0) out += separator;
    out += digits[i];
  }
  return out.append(digits.substr(whole));
}

std::string digits_of(uint128_t v, uint32_t base, bool capital) {
  const char* letters = capital ? "0123456789ABCDEF" : "0123456789abcdef";
  char text[128];
  int at = 128;
  do text[--at] = letters[static_cast<uint32_t>(v % base)];
  while ((v /= base) != 0);
  return {text + at, static_cast<size_t>(128 - at)};
}

void append_integer(const FormatValue& value, const FormatSpec& spec, std::string& out) {
  uint32_t base = 10;
  std::string prefix;
  switch (spec.type) {
    case 0:
    case 'd':
    case 'n':
    case 'L':
      break;
    case 'x':
    case 'X':
      base = 16;
      prefix = {'0', spec.type};
      break;
    case 'b':
    case 'B':
      base = 2;
      prefix = {'0', spec.type};
      break;
    case 'o':
      base = 8;
      prefix = "0";
      break;
    default:
      bad_type(value, spec.type);
  }
  std::string digits = digits_of(value.magnitude, base, spec.type == 'X');
  if (spec.precision > static_cast<int32_t>(digits.size()))
    digits.insert(0, static_cast<size_t>(spec.precision) - digits.size(), '0');
  append_number(value.negative, spec.alternate ? prefix : "", grouped(digits, spec.thousands), spec, out);
}

// The digits of a number that is not negative, before grouping.
std::string real_digits(double v, const FormatSpec& spec, char type) {
  std::string text(static_cast<size_t>(longest_real + std::max(spec.precision, 0)), '\0');
  if (type == 0 && spec.precision < 0) {
    text.resize(static_cast<size_t>(write_real(v, text.data())));
    return text;
  }
  const int precision = spec.precision < 0 ? 6 : spec.precision;
  char* end = text.data() + text.size();
  std::to_chars_result written{};
  switch (type) {
    case 'f':
      written = std::to_chars(text.data(), end, v, std::chars_format::fixed, precision);
      break;
    case 'e':
      written = std::to_chars(text.data(), end, v, std::chars_format::scientific, precision);
      break;
    case 'a':
      written = spec.precision < 0 ? std::to_chars(text.data(), end, v, std::chars_format::hex)
                                   : std::to_chars(text.data(), end, v, std::chars_format::hex, precision);
      break;
    default:
      written = std::to_chars(text.data(), end, v, std::chars_format::general, precision);
  }
  text.resize(static_cast<size_t>(written.ptr - text.data()));
  if (spec.alternate && type == 'f' && precision == 0) text += '.';
  return text;
}

void append_real(const FormatValue& value, const FormatSpec& spec, std::string& out) {
  const char type = ops::ascii_lower(spec.type);
  const bool general = type == 'g' || type == 'n' || type == 'l' || type == 0;
  if (!general && type != 'f' && type != 'e' && type != 'a') bad_type(value, spec.type);
  const bool negative = std::signbit(value.real) && !std::isnan(value.real);
  const double magnitude = std::fabs(value.real);
  const char plain = type == 'n' || type == 'l' ? 'g' : type;
  std::string digits = std::isnan(magnitude)   ? "nan"
                       : std::isinf(magnitude) ? "inf"
                                               : grouped(real_digits(magnitude, spec, plain), spec.thousands);
  if (spec.type >= 'A' && spec.type <= 'Z' && spec.type != 'L') {
    for (char& c : digits) c = ops::ascii_upper(c);
  }
  const bool hexadecimal = type == 'a' && std::isfinite(magnitude);
  // Infinity and NaN stand where words do.
  const char usual = std::isfinite(magnitude) ? '>' : '<';
  append_number(negative, !hexadecimal ? "" : spec.type == 'A' ? "0X" : "0x", digits, spec, out, usual);
}

void append_text(const FormatValue& value, const FormatSpec& spec, std::string& out) {
  if (spec.type != 0 && spec.type != 's') bad_type(value, spec.type);
  if (spec.sign != '-' || spec.zeros || spec.alternate || spec.thousands != 0)
    throw runtime_error("a sign, 0, # and separators are for numbers only");
  std::string_view text = value.text;
  if (spec.precision >= 0)
    text = text.substr(0, static_cast<size_t>(ops::code_point_offset(view(text), spec.precision)));
  append_aligned(text, spec, '<', out);
}

}  // namespace

std::string_view kind_word(FormatValue::Kind kind) {
  switch (kind) {
    case FormatValue::Kind::boolean:
      return "a boolean";
    case FormatValue::Kind::integer:
      return "a whole number";
    case FormatValue::Kind::real:
      return "a floating-point number";
    case FormatValue::Kind::text:
      return "a text";
  }
  return "a value";
}

void append_formatted(const FormatValue& value, const FormatSpec& spec, std::string& out) {
  switch (value.kind) {
    case FormatValue::Kind::boolean:
      if (spec.type == 0) {
        FormatValue word;
        word.text = value.magnitude != 0 ? "true" : "false";
        return append_text(word, spec, out);
      }
      return append_integer(value, spec, out);
    case FormatValue::Kind::integer:
      return append_integer(value, spec, out);
    case FormatValue::Kind::real:
      return append_real(value, spec, out);
    case FormatValue::Kind::text:
      return append_text(value, spec, out);
  }
}

}  // namespace quern::cpu
