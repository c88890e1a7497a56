#include "common/real_text.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "common/float_digits.hpp"

namespace quern {

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

}  // namespace

int write_real(double v, char* out) { return write(v, out); }
int write_real(float v, char* out) { return write(v, out); }

}  // namespace quern
