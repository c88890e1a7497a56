// Order of any two values of one type, nested ones included. For loops over one physical kind use ops/compare.hpp.
#pragma once
#include "columnar/column.hpp"

namespace quern {

// < 0, 0, > 0. Columns of any form and the same type. NULLs are equal and come last; lists and maps compare element by
// element and then by length, structs field by field.
int compare_values(const Column& a, int64_t row_a, const Column& b, int64_t row_b);

}  // namespace quern
