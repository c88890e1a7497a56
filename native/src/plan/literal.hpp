// Literals as text: what crosses the language border for one value (WireLiteral in src/operators/wire.ts).
#pragma once
#include <string>
#include <vector>

#include "columnar/column.hpp"

namespace quern::plan {

struct LiteralText {
  enum class Kind : uint8_t { null, boolean, text, array };
  Kind kind = Kind::null;
  bool value = false;              // boolean
  std::string text;                // text
  std::vector<LiteralText> items;  // array
};

// A constant column of one row. Throws internal errors for text that is no value of the type.
ColumnPtr literal_column(Memory& memory, const TypePtr& type, const LiteralText& literal);

// The JSON form of one row; the inverse of literal_column.
std::string literal_json(const Column& column, int64_t row);

}  // namespace quern::plan
