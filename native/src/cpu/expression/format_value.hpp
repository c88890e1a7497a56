// One value as text under a format: what stands between the braces of format() or after the % of a C format.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "ops/value.hpp"

namespace quern::cpu {

struct FormatSpec {
  std::string_view fill = " ";
  char align = 0;   // < > ^, 0 = by the type: numbers to the right
  char sign = '-';  // '-' only of negative numbers, '+' always, ' ' a blank instead of +
  bool alternate = false;
  bool zeros = false;  // zeros between sign and digits instead of filling
  char thousands = 0;  // between groups of three digits; 0 = none
  int32_t width = 0;
  int32_t precision = -1;  // digits of a number, characters of a text; -1 = not said
  char type = 0;           // 0 = as the value is
};

struct FormatValue {
  enum class Kind { boolean, integer, real, text };
  Kind kind = Kind::text;
  bool negative = false;    // of an integer
  uint128_t magnitude = 0;  // of an integer; 0 or 1 of a boolean
  double real = 0;
  std::string_view text;
};

// Throws when the type of the spec is not one of the value.
void append_formatted(const FormatValue& value, const FormatSpec& spec, std::string& out);

// What a bad type is called in messages: "int", "text", ….
std::string_view kind_word(FormatValue::Kind kind);

}  // namespace quern::cpu
