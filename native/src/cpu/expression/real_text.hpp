// Shortest text of floating point numbers, and its reading. Host only: it needs the standard library's conversion tables.
#pragma once
#include <string>
#include <string_view>

namespace quern::cpu {

// Shortest text that reads back as the same number, with `.0` or an exponent: 1e-05, 1e+16, 123456790.0, nan, inf, -0.0.
// Writes at most 32 bytes, returns how many.
int write_real(double v, char* out);
int write_real(float v, char* out);

// DuckDB's reading: blanks around, inf/infinity/nan in any case with sign, single underscores between digits; too large is
// infinite, too small is 0. False for anything else.
bool parse_real(std::string_view text, double& out);
bool parse_real(std::string_view text, float& out);

}  // namespace quern::cpu
