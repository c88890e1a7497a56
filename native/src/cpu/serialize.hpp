// Values of any type as bytes that are equal exactly when the values are equal under SQL grouping: NULLs equal, NaNs
// equal, -0.0 = 0.0. Used as group keys for nested types. Native byte order; never leaves the process.
#pragma once
#include <string>

#include "columnar/column.hpp"

namespace quern::cpu {

// Appends row `row` of `column` (any form) to `out`.
void serialize(const Column& column, int64_t row, std::string& out);

// Back to a column: `values[i]` holds what serialize appended for row i.
ColumnPtr deserialize(Memory& memory, const TypePtr& type, const StringView* values, int64_t rows);

// One bit pattern for all NaNs, positive zero for both zeros. `kind` must be float32, float64 or half.
uint32_t canonical_float32(uint32_t bits);
uint64_t canonical_float64(uint64_t bits);
uint16_t canonical_half(uint16_t bits, TypeKind kind);

}  // namespace quern::cpu
