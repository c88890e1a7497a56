// Order of rows by sort keys, NULLs where the key says.
#pragma once
#include "columnar/compare.hpp"
#include "cpu/aggregate/values.hpp"
#include "plan/plan.hpp"

namespace quern::cpu {

// < 0 when row a comes before row b under this key.
inline int compare_by(const plan::SortKey& key, const Column& a, int64_t row_a, const Column& b, int64_t row_b) {
  const bool valid_a = is_valid_row(a, row_a), valid_b = is_valid_row(b, row_b);
  if (!valid_a || !valid_b) {
    if (valid_a == valid_b) return 0;
    return !valid_a == key.nulls_first ? -1 : 1;
  }
  const int order = compare_values(a, row_a, b, row_b);
  return key.descending ? -order : order;
}

}  // namespace quern::cpu
