// One row's statement for each function and cast that device code can call. The arguments are not NULL where it stands.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "columnar/data_type.hpp"

namespace quern::jit {

// In the statement, $r is the result, $n its null flag, $a and $b are the arguments.
struct CallText {
  std::string statement;
  std::vector<std::string> headers;
  bool may_be_null = false;  // the statement may set $n
  bool distinct = false;     // IS [NOT] DISTINCT FROM: the statement is an expression
  bool negated = false;
};

// Throws `unsupported` naming the function and its types.
CallText call_text(const std::string& fn, const std::vector<TypePtr>& arguments, const DataType& result);
CallText cast_text(const DataType& from, const DataType& to, bool try_cast);
// Whether it is IS NULL (true) or IS NOT NULL (false).
std::optional<bool> null_test(const std::string& fn);

std::string fill(const std::string& statement, const std::string& result, const std::string& null, const std::string& a,
                 const std::string& b, const std::string& c = "");

}  // namespace quern::jit
