#include "cpu/expression/tree.hpp"

#include <algorithm>

namespace quern::cpu {

ColumnPtr Expression::evaluate_rows(const Batch& input, const std::vector<uint32_t>& rows) {
  const auto count = static_cast<int64_t>(rows.size());
  if (count == input.rows) return evaluate(input);
  Batch part;
  part.rows = count;
  part.columns.resize(input.columns.size());
  for (const int32_t column : columns_) {
    part.columns[column] = gather(context_.memory(), input.columns[column], rows.data(), count);
  }
  return evaluate(part);
}

void Expression::adopt(const Expression& part) {
  std::vector<int32_t> both;
  std::set_union(columns_.begin(), columns_.end(), part.columns_.begin(), part.columns_.end(),
                 std::back_inserter(both));
  columns_ = std::move(both);
  fallible_ |= part.fallible_;
  costly_ |= part.costly_;
}

namespace {

class ColumnReference final : public Expression {
 public:
  ColumnReference(Context& context, const plan::Expr& expr) : Expression(context, expr.type), index_(expr.column) {
    columns_ = {expr.column};
  }

  ColumnPtr evaluate(const Batch& input) override { return input.columns[index_]; }

 private:
  int32_t index_;
};

class Literal final : public Expression {
 public:
  Literal(Context& context, const plan::Expr& expr) : Expression(context, expr.type), value_(expr.literal) {
    constant_ = true;
  }

  ColumnPtr evaluate(const Batch& input) override {
    if (!last_ || last_->length != input.rows) last_ = make_constant(value_, 0, input.rows);
    return last_;
  }

 private:
  ColumnPtr value_;
  ColumnPtr last_;
};

}  // namespace

ExpressionPtr bind_column(Context& context, const plan::Expr& expr) {
  return std::make_unique<ColumnReference>(context, expr);
}

ExpressionPtr bind_literal(Context& context, const plan::Expr& expr) {
  return std::make_unique<Literal>(context, expr);
}

namespace {

bool has_lambda(const plan::Plan& plan, const plan::Expr& call) {
  return std::any_of(call.args.begin(), call.args.end(), [&](plan::ExprIndex arg) {
    return plan.exprs.at(static_cast<size_t>(arg)).kind == plan::ExprKind::lambda;
  });
}

}  // namespace

ExpressionPtr bind_expression(Context& context, const plan::Plan& plan, plan::ExprIndex index) {
  const plan::Expr& expr = plan.exprs.at(static_cast<size_t>(index));
  switch (expr.kind) {
    case plan::ExprKind::column:
      return bind_column(context, expr);
    case plan::ExprKind::literal:
      return bind_literal(context, expr);
    case plan::ExprKind::call:
      if (has_lambda(plan, expr)) return bind_lambda_call(context, plan, expr);
      return bind_kernel(context, plan, expr);
    case plan::ExprKind::cast:
    case plan::ExprKind::in_list:
      return bind_kernel(context, plan, expr);
    case plan::ExprKind::conjunction:
    case plan::ExprKind::disjunction:
      return bind_conjunction(context, plan, expr);
    case plan::ExprKind::case_when:
    case plan::ExprKind::coalesce:
      return bind_choice(context, plan, expr);
    case plan::ExprKind::lambda:
      throw internal_error("lambda outside a call");
  }
  throw internal_error("plan expression of unknown kind");
}

}  // namespace quern::cpu
