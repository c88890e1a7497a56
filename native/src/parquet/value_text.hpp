// Bounds as text, for `inspect`.
#pragma once
#include <string>

#include "columnar/column.hpp"

namespace quern::parquet {

// Text of the value in row 0 of a flat column of a leaf type: numbers and dates as SQL writes them, bytes as \xAB.
std::string value_text(const Column& column);

}  // namespace quern::parquet
