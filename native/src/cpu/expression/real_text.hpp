// Reading of the text of floating point numbers; common/real_text.hpp writes it.
#pragma once
#include <string>
#include <string_view>

#include "common/real_text.hpp"

namespace quern::cpu {

// DuckDB's reading: blanks around, inf/infinity/nan in any case with sign, single underscores between digits; too large
// is infinite, too small is 0. False for anything else.
bool parse_real(std::string_view text, double& out);
bool parse_real(std::string_view text, float& out);

}  // namespace quern::cpu
