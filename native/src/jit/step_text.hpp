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

// The parts of a segment's kernel that come from its fused nodes; empty where it has none.
struct FusedText {
  std::string before;  // the loop over rows
  std::string behind;
};
// The fused nodes of a segment in order (`otherwise` leaves a row), each with a count of the rows that it lets through: Input::counts.
FusedText emit_fused(const plan::Plan& plan, const Segment& segment, ExpressionText& text,
                     const std::string& otherwise);

}  // namespace quern::jit
