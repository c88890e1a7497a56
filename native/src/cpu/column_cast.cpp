#include "cpu/column_cast.hpp"

namespace quern::cpu {

ColumnCast::ColumnCast(Context& context, const TypePtr& from, const TypePtr& to) {
  auto plan = std::make_shared<plan::Plan>();
  plan::Expr column;
  column.kind = plan::ExprKind::column;
  column.type = from;
  column.column = 0;
  plan::Expr cast;
  cast.kind = plan::ExprKind::cast;
  cast.type = to;
  cast.args = {0};
  plan->exprs = {std::move(column), std::move(cast)};
  evaluator_ = std::make_unique<Evaluator>(context, std::move(plan), 1);
}

ColumnPtr ColumnCast::cast(const ColumnPtr& column) {
  Batch batch;
  batch.rows = column->length;
  batch.columns.push_back(column);
  return evaluator_->evaluate(batch);
}

}  // namespace quern::cpu
