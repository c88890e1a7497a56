// Values as whole numbers that compare as SQL compares the values: NaN is greatest and equals itself, -0 equals 0.
#pragma once
#include <cstdint>
#include <optional>

#include "columnar/column.hpp"

namespace quern::cpu {

// Whether values of a type become int64 (true) or int32 (false); nothing for types of wider or nested values.
std::optional<bool> is_order_wide(const DataType& type);

// The values of a flat column of such a type; those of NULL rows are of no meaning. `out` has room for its length.
void write_order_values(const Column& column, int32_t* out);
void write_order_values(const Column& column, int64_t* out);

}  // namespace quern::cpu
