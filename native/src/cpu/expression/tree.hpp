// A plan expression bound for evaluation: one object a node of the tree, used by one thread.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "columnar/column.hpp"
#include "context/context.hpp"
#include "cpu/expression/kernel.hpp"
#include "cpu/expression/mask.hpp"
#include "plan/plan.hpp"

namespace quern::cpu {

class Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

class Expression {
 public:
  Expression(Context& context, TypePtr type) : context_(context), type_(std::move(type)), scratch_(context.memory()) {}
  virtual ~Expression() = default;

  // One value a row of `input`, in any form. Only columns() of the input are looked at; the others may be nullptr.
  virtual ColumnPtr evaluate(const Batch& input) = 0;
  // The same for some rows of the input, ascending: one value for each of them.
  ColumnPtr evaluate_rows(const Batch& input, const std::vector<uint32_t>& rows);

  const TypePtr& type() const { return type_; }
  // May raise for rows that must not reach it, or is dear: then it is evaluated only for the rows that need it.
  bool guarded() const { return fallible_ || costly_; }
  bool fallible() const { return fallible_; }
  // The same value for every row.
  bool constant() const { return constant_; }
  const std::vector<int32_t>& columns() const { return columns_; }

 protected:
  // Takes over what a part needs: columns, fallibility, cost.
  void adopt(const Expression& part);

  Context& context_;
  TypePtr type_;
  Scratch scratch_;
  std::vector<int32_t> columns_;  // ascending
  bool fallible_ = false;
  bool costly_ = false;
  bool constant_ = false;
};

ExpressionPtr bind_expression(Context& context, const plan::Plan& plan, plan::ExprIndex index);
ExpressionPtr bind_column(Context& context, const plan::Expr& expr);
ExpressionPtr bind_literal(Context& context, const plan::Expr& expr);
// call, cast and in_list: one kernel over argument expressions.
ExpressionPtr bind_kernel(Context& context, const plan::Plan& plan, const plan::Expr& expr);
// list_transform, list_filter, list_reduce
ExpressionPtr bind_lambda_call(Context& context, const plan::Plan& plan, const plan::Expr& expr);
// and, or
ExpressionPtr bind_conjunction(Context& context, const plan::Plan& plan, const plan::Expr& expr);
// case, coalesce
ExpressionPtr bind_choice(Context& context, const plan::Plan& plan, const plan::Expr& expr);

}  // namespace quern::cpu
