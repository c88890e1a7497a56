// Filters, joins and projections as statements over one row: what stands before the aggregation of a group-by.
#pragma once
#include <string>
#include <vector>

#include "jit/expression_text.hpp"
#include "jit/pipeline_text.hpp"

namespace quern::jit {

void emit_filters(const plan::Plan& plan, const std::vector<plan::NodeIndex>& filters, ExpressionText& text,
                  const std::string& otherwise);
// Computed values, and its columns, which are loaded where they are read.
void emit_projection(const plan::Plan& plan, plan::NodeIndex project, ExpressionText& text);

// The fused nodes of a segment as two parts of a kernel: `probe` finds a row's partners, `load` goes on with the rows
// that have them. Each node counts the rows that it lets through: Input::counts.
struct FusedText {
  size_t joins = 0;
  std::string before;  // the rows
  std::string behind;
};
// `probe`: nodes up to the last join, into `found`. `load`: what they call columns, from `found`, then the others.
// `otherwise` leaves a row.
FusedText emit_fused(const plan::Plan& plan, const Segment& segment, ExpressionText& probe, ExpressionText& load,
                     const std::string& otherwise);

}  // namespace quern::jit
