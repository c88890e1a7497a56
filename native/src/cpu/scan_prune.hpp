// What a filter can be over rows of which only bounds are known: rows for which it cannot be true are not read.
#pragma once
#include <functional>

#include "parquet/scan.hpp"
#include "plan/plan.hpp"

namespace quern::cpu {

// What is known of a column over some rows.
struct KnownColumn {
  parquet::Bounds bounds;  // of the column's own type
  int64_t rows = 0;
};

struct Knowledge {
  // nullptr = nothing is known.
  std::function<const KnownColumn*(int32_t column)> column;
  // True when no row of the column equals the literal (bloom filters).
  std::function<bool(int32_t column, const ColumnPtr& literal)> absent;
};

// False only when no row can make every conjunct true.
bool may_match(const plan::Plan& plan, const std::vector<plan::ExprIndex>& conjuncts, const Knowledge& knowledge);

// Columns that bounds could say something about: those compared with literals, tested for NULL, and flags.
std::vector<int32_t> prunable_columns(const plan::Plan& plan, const std::vector<plan::ExprIndex>& conjuncts);

}  // namespace quern::cpu
