// The text of values as a cast to VARCHAR gives it, nested values included.
#pragma once
#include <string>
#include <string_view>

#include "columnar/column.hpp"

namespace quern {

// Text of a value of fixed width at `value`; at most 128 bytes.
int32_t write_value(const DataType& type, const void* value, char* out);

// Appends the text of one value; `inside`: as a part of a nested value, quoted where needed.
void append_text(const Column& column, int64_t row, bool inside, std::string& out);

// Appends text that is a value, or a part of a nested one: then quoted where it would not be read back as itself.
void append_leaf(std::string_view text, bool inside, std::string& out);
// In quotes, as names of fields always are.
void append_quoted(std::string_view text, std::string& out);
// Printable ASCII as it is, other bytes as \xHH.
void append_bytes(std::string_view bytes, std::string& out);

}  // namespace quern
