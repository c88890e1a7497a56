// Keys of strings: kernels read the numbers of the strings (cuda/string_ids.hpp), which stand in columns behind those
// of the input.
#pragma once
#include "jit/expression_text.hpp"

namespace quern::jit {

struct StringKey {
  int32_t join = -1;    // number of the join whose second input has the column; -1: the kernel's input has it
  int32_t column = 0;   // of the strings
  int32_t numbers = 0;  // of their numbers
};

// Whether keys of the type are numbers.
bool is_numbered(const DataType& type);
// Keys of a group-by that are strings which have to be made; their columns stand behind those of the input.
std::vector<plan::ExprIndex> made_keys(const plan::Plan& plan, const plan::HashGroupBy& group);
// The type of what stands for a key.
TypePtr key_type(const TypePtr& type);
// The column that a key of strings is; throws `unsupported` where it is computed.
const ColumnPlace& string_column(const plan::Plan& plan, plan::ExprIndex key, const ExpressionText& text);
// Loads the number of a key's string.
Value emit_number(const StringKey& key, const ColumnPlace& strings, ExpressionText& text);

}  // namespace quern::jit
