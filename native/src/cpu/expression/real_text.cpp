#include "cpu/expression/real_text.hpp"

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "cpu/expression/float_digits.hpp"
#include "ops/text.hpp"

namespace quern::cpu {

namespace {

// Shortest digits by the standard library. v > 0 and finite.
Digits library_digits(double v) {
  Digits digits{};
  char text[40];  // d[.ddd]e±xx
  const char* end = std::to_chars(text, text + sizeof text, v, std::chars_format::scientific).ptr;
  const char* at = text;
  for (; at < end && *at != 'e'; ++at) {
    if (*at != '.') digits.text[digits.count++] = *at;
  }
  const bool negative = at[1] == '-';
  for (at += 2; at < end; ++at) digits.exponent = digits.exponent * 10 + (*at - '0');
  if (negative) digits.exponent = -digits.exponent;
  return digits;
}

Digits digits_of(double v) { return library_digits(v); }

// Where Grisu3 cannot decide, DuckDB shows the digits of the double, and so do we.
Digits digits_of(float v) {
  Digits digits;
  return grisu_digits(v, digits) ? digits : library_digits(static_cast<double>(v));
}

template <typename T>
int write(T v, char* out) {
  const auto word = [&](const char* text) {
    const auto length = static_cast<int>(std::strlen(text));
    std::memcpy(out, text, static_cast<size_t>(length));
    return length;
  };
  if (std::isnan(v)) return word("nan");
  if (std::isinf(v)) return word(v > 0 ? "inf" : "-inf");
  if (v == 0) return word(std::signbit(v) ? "-0.0" : "0.0");
  int length = 0;
  if (v < 0) out[length++] = '-';
  const auto [digits, count, exponent] = digits_of(std::fabs(v));

  if (exponent < -4 || exponent >= 16) {
    out[length++] = digits[0];
    if (count > 1) {
      out[length++] = '.';
      std::memcpy(out + length, digits + 1, static_cast<size_t>(count - 1));
      length += count - 1;
    }
    out[length++] = 'e';
    out[length++] = exponent < 0 ? '-' : '+';
    const int size = std::abs(exponent);
    if (size >= 100) out[length++] = static_cast<char>('0' + size / 100);
    out[length++] = static_cast<char>('0' + size / 10 % 10);
    out[length++] = static_cast<char>('0' + size % 10);
    return length;
  }
  if (exponent < 0) {
    out[length++] = '0';
    out[length++] = '.';
    for (int i = -1; i > exponent; --i) out[length++] = '0';
    std::memcpy(out + length, digits, static_cast<size_t>(count));
    return length + count;
  }
  for (int i = 0; i <= exponent; ++i) out[length++] = i < count ? digits[i] : '0';
  out[length++] = '.';
  if (count <= exponent + 1) {
    out[length++] = '0';
    return length;
  }
  std::memcpy(out + length, digits + exponent + 1, static_cast<size_t>(count - exponent - 1));
  return length + count - exponent - 1;
}

template <typename T>
bool parse(std::string_view view, T& out) {
  ops::Text text = ops::trim_spaces({view.data(), static_cast<int64_t>(view.size())});
  if (text.length == 0) return false;
  bool negative = false;
  if (text.data[0] == '+' || text.data[0] == '-') {
    negative = text.data[0] == '-';
    ++text.data;
    --text.length;
  }
  if (ops::equals_word(text, "inf") || ops::equals_word(text, "infinity")) {
    out = std::numeric_limits<T>::infinity();
  } else if (ops::equals_word(text, "nan")) {
    out = std::numeric_limits<T>::quiet_NaN();
  } else {
    std::string_view digits(text.data, static_cast<size_t>(text.length));
    std::string plain;
    if (digits.find('_') != std::string_view::npos) {
      for (size_t i = 0; i < digits.size(); ++i) {
        if (digits[i] != '_') plain += digits[i];
        else if (i == 0 || i + 1 == digits.size() || !ops::is_digit(digits[i - 1]) || !ops::is_digit(digits[i + 1])) return false;
      }
      digits = plain;
    }
    // from_chars takes more words and signs than are meant here
    if (digits.empty() || (!ops::is_digit(digits[0]) && digits[0] != '.')) return false;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
    if (end != digits.data() + digits.size()) return false;
    if (error == std::errc::result_out_of_range) {
      const size_t power = digits.find_first_of("eE");
      ops::Text mantissa{digits.data(), static_cast<int64_t>(power == std::string_view::npos ? digits.size() : power)};
      bool small = power != std::string_view::npos && digits[power + 1] == '-';
      if (power == std::string_view::npos) small = mantissa.data[0] == '0' || mantissa.data[0] == '.';
      out = small ? static_cast<T>(0) : std::numeric_limits<T>::infinity();
    } else if (error != std::errc()) {
      return false;
    }
  }
  if (negative) out = -out;
  return true;
}

}  // namespace

int write_real(double v, char* out) { return write(v, out); }
int write_real(float v, char* out) { return write(v, out); }
bool parse_real(std::string_view text, double& out) { return parse(text, out); }
bool parse_real(std::string_view text, float& out) { return parse(text, out); }

}  // namespace quern::cpu
