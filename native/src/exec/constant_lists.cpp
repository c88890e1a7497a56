#include "exec/constant_lists.hpp"

#include <algorithm>

#include "cpu/expression.hpp"

namespace quern {

namespace {

using plan::Expr;
using plan::ExprKind;

bool is_constant(const plan::Plan& plan, const Expr& expr) {
  if (expr.kind == ExprKind::literal) return true;
  const bool makes =
      expr.kind == ExprKind::call && (expr.fn == "list_value" || expr.fn == "range" || expr.fn == "generate_series");
  return (makes || expr.kind == ExprKind::cast) && std::all_of(expr.args.begin(), expr.args.end(), [&](auto arg) {
           return is_constant(plan, plan.exprs[static_cast<size_t>(arg)]);
         });
}

ColumnPtr evaluated(Context& context, const std::shared_ptr<const plan::Plan>& plan, plan::ExprIndex expr) {
  Batch one;
  one.rows = 1;
  try {
    // Elements lie one after another, nothing else beside them.
    const ColumnPtr value = cpu::Evaluator(context, plan, expr).evaluate(one);
    return compact(context.memory(), concat(context.memory(), value->type, {flatten(context.memory(), value)}));
  } catch (const Error& error) {
    if (error.code() == ErrorCode::cancelled || error.code() == ErrorCode::oom) throw;
    return nullptr;
  }
}

}  // namespace

std::shared_ptr<const plan::Plan> with_constant_lists(Context& context, std::shared_ptr<const plan::Plan> plan) {
  std::shared_ptr<plan::Plan> out;
  for (size_t i = 0; i < plan->exprs.size(); ++i) {
    const Expr& expr = plan->exprs[i];
    if (expr.kind == ExprKind::literal || expr.type->kind != TypeKind::list || !is_constant(*plan, expr)) continue;
    const ColumnPtr value = evaluated(context, plan, static_cast<plan::ExprIndex>(i));
    if (value == nullptr) continue;
    if (!out) out = std::make_shared<plan::Plan>(*plan);
    Expr& literal = out->exprs[i];
    literal.kind = ExprKind::literal;
    literal.literal = value;
    literal.args.clear();
    literal.fn.clear();
  }
  return out ? std::shared_ptr<const plan::Plan>(std::move(out)) : plan;
}

}  // namespace quern
