// Digits of single precision numbers as DuckDB shows them.
#pragma once
#include <cstdint>

namespace quern {

struct Digits {
  char text[24];
  int count;     // digits in text
  int exponent;  // of the first digit: text[0].text[1]… · 10^exponent
};

// Shortest digits that read back as v, where Grisu3 with 64-bit arithmetic finds them. False where it cannot decide
// (one number in some hundreds). v > 0 and finite.
bool grisu_digits(float v, Digits& out);

}  // namespace quern
