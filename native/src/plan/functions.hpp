// The function table (functions.def) and its lookup. Twin of the rows in src/functions.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "columnar/data_type.hpp"

namespace quern::plan {

// One row of functions.def, parsed.
struct Function {
  std::string name;
  bool aggregate = false;
  std::vector<std::string> over;       // kinds that T stands for, classes expanded; {"any"} = every kind
  std::vector<std::string> arguments;  // patterns
  bool variadic = false;               // the last pattern repeats
  std::string result;                  // pattern or rule
  bool strict = false;                 // NULL when an argument is NULL
  bool fallible = false;               // may raise
};

const std::vector<Function>& function_table();

// The row for these exact argument types; nullptr when there is none.
const Function* find_function(std::string_view name, const std::vector<TypePtr>& arguments);
const Function* find_aggregate(std::string_view name, const std::vector<TypePtr>& arguments);

// Whether `result` is what the row's rule gives for these arguments.
bool result_fits(const Function& function, const std::vector<TypePtr>& arguments, const TypePtr& result);

// The wire word of a kind: "int32", "struct", ….
std::string_view kind_name(TypeKind kind);

// The table as JSON: [{name, aggregate, over, arguments, variadic, result, nulls, fallible}, …].
std::string function_table_json();
// 16 hex digits; equal exactly when the JSON is.
std::string function_table_hash();

}  // namespace quern::plan
