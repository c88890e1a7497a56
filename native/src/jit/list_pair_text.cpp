#include "jit/list_pair_text.hpp"

#include <algorithm>
#include <map>

#include "jit/device_type.hpp"

namespace quern::jit {

namespace {

const plan::Expr& expr_at(const plan::Plan& plan, plan::ExprIndex expr) {
  return plan.exprs[static_cast<size_t>(expr)];
}

struct Measure {
  const char* sums;
  const char* finish;
};

const std::map<std::string, Measure>& measures() {
  static const std::map<std::string, Measure> all = {
      {"list_distance", {"Squares", "$r = ops::distance_of($a.sums[0]);"}},
      {"list_l1_distance", {"Magnitudes", "$r = ops::one_nan($a.sums[0]);"}},
      {"list_inner_product", {"Products", "$r = ops::one_nan($a.sums[0]);"}},
      {"list_negative_inner_product", {"Products", "$r = ops::one_nan(0 - $a.sums[0]);"}},
      {"list_cosine_similarity", {"Cosine", "$n = !ops::cosine_of($a.sums[0], $a.sums[1], $a.sums[2], $r);"}},
      {"list_cosine_distance",
       {"Cosine", "$n = !ops::cosine_of($a.sums[0], $a.sums[1], $a.sums[2], $r); $r = 1 - $r;"}},
  };
  return all;
}

std::string element_type(const DataType& list) {
  const DataType& element = *list.children.at(0);
  switch (element.kind) {
    case TypeKind::float32:
      return "float";
    case TypeKind::float64:
      return "double";
    case TypeKind::float16:
      return "ops::Half";
    case TypeKind::bfloat16:
      return "ops::BrainFloat";
    default:
      if (is_integer(element)) return device_type(element);
      throw unsupported("vectors of " + type_name(element) + " on the GPU");
  }
}

}  // namespace

std::optional<ListPairText> list_pair_text(const plan::Plan& plan, plan::ExprIndex index) {
  const plan::Expr& expr = expr_at(plan, index);
  if (expr.kind != plan::ExprKind::call) return std::nullopt;
  const bool trying = expr.fn.starts_with("try_");
  const auto found = measures().find(trying ? expr.fn.substr(4) : expr.fn);
  if (found == measures().end()) return std::nullopt;
  const auto element = [&](size_t arg) { return element_type(*expr_at(plan, expr.args.at(arg)).type); };
  return ListPairText{
      std::string("list_pair<") + found->second.sums + ", " + element(0) + ", " + element(1) + ">($a, $b, row, live)",
      found->second.sums, found->second.finish, trying};
}

bool holds_list_pair(const plan::Plan& plan, plan::ExprIndex root) {
  const plan::Expr& expr = expr_at(plan, root);
  const std::string name = expr.fn.starts_with("try_") ? expr.fn.substr(4) : expr.fn;
  if (expr.kind == plan::ExprKind::call && measures().contains(name)) return true;
  return std::any_of(expr.args.begin(), expr.args.end(),
                     [&](plan::ExprIndex arg) { return holds_list_pair(plan, arg); });
}

std::string list_text(const plan::Expr& expr, size_t literal) {
  if (expr.kind == plan::ExprKind::column) return "list_column(in.columns[" + std::to_string(expr.column) + "])";
  if (expr.kind != plan::ExprKind::literal) throw unsupported("computed vectors on the GPU");
  const Column& column = *expr.literal;
  if (column.null_count > 0 || column.children.at(0)->null_count > 0 || column.children[0]->form != Form::flat)
    throw unsupported("vectors with NULL on the GPU");
  return "list_literal(in, " + std::to_string(literal) + ")";
}

}  // namespace quern::jit
