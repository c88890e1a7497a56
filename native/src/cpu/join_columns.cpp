#include "cpu/join_columns.hpp"

#include <set>

namespace quern::cpu {

namespace {

// Columns that an expression reads; those of a lambda's body are its own.
void collect(const plan::Plan& plan, plan::ExprIndex index, std::set<int32_t>& into) {
  const auto& expr = plan.exprs[static_cast<size_t>(index)];
  if (expr.kind == plan::ExprKind::column) into.insert(expr.column);
  for (size_t i = expr.kind == plan::ExprKind::lambda ? 1 : 0; i < expr.args.size(); ++i)
    collect(plan, expr.args[i], into);
}

}  // namespace

JoinColumns::JoinColumns(const plan::Plan& plan, plan::NodeIndex node) {
  const auto& row = plan.nodes[static_cast<size_t>(node)];
  const auto& join = std::get<plan::Join>(row.op);
  probe_count = static_cast<int32_t>(plan.nodes[static_cast<size_t>(row.inputs[0])].output.size());
  std::set<int32_t> read;
  for (const plan::ExprIndex conjunct : join.residual) collect(plan, conjunct, read);
  residual.assign(read.begin(), read.end());
  read.insert(join.keep.begin(), join.keep.end());
  payload_at.assign(plan.nodes[static_cast<size_t>(row.inputs[1])].output.size(), -1);
  for (const int32_t column : read) {
    if (column < probe_count) continue;
    payload_at[static_cast<size_t>(column - probe_count)] = static_cast<int32_t>(payload.size());
    payload.push_back(column - probe_count);
  }
}

}  // namespace quern::cpu
