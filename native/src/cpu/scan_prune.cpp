#include "cpu/scan_prune.hpp"

#include <algorithm>
#include <cmath>

#include "columnar/compare.hpp"

namespace quern::cpu {

namespace {

using plan::Expr;
using plan::ExprIndex;
using plan::ExprKind;

// Which of the two truth values some row could give; neither = NULL for all.
struct Possible {
  bool yes = true;
  bool no = true;
};

bool is_nan(const Column& literal) {
  if (literal.type->kind == TypeKind::float32) return std::isnan(literal.values<float>()[0]);
  if (literal.type->kind == TypeKind::float64) return std::isnan(literal.values<double>()[0]);
  return false;
}

// Comparison words, and what each is with its sides exchanged.
constexpr const char* comparisons[][2] = {{"eq", "eq"}, {"ne", "ne"}, {"lt", "gt"},
                                          {"le", "ge"}, {"gt", "lt"}, {"ge", "le"}};

const char* flipped(const std::string& fn) {
  for (const auto& pair : comparisons) {
    if (fn == pair[0]) return pair[1];
  }
  return nullptr;
}

// A comparison of a column with a literal that is not NULL.
struct Comparison {
  std::string fn;
  int32_t column = -1;
  ColumnPtr literal;
};

Comparison comparison(const plan::Plan& plan, const Expr& expr) {
  Comparison out;
  if (expr.kind != ExprKind::call || expr.args.size() != 2 || flipped(expr.fn) == nullptr) return out;
  const auto& left = plan.exprs[expr.args[0]];
  const auto& right = plan.exprs[expr.args[1]];
  if (left.kind == ExprKind::column && right.kind == ExprKind::literal)
    out = {expr.fn, left.column, right.literal};
  else if (left.kind == ExprKind::literal && right.kind == ExprKind::column)
    out = {flipped(expr.fn), right.column, left.literal};
  if (out.column >= 0 && out.literal->null_count > 0) out.column = -1;
  return out;
}

class Judge {
 public:
  Judge(const plan::Plan& plan, const Knowledge& knowledge) : plan_(plan), knowledge_(knowledge) {}

  Possible judge(ExprIndex index) const {
    const Expr& expr = plan_.exprs[index];
    switch (expr.kind) {
      case ExprKind::conjunction: {
        Possible out{true, false};
        for (ExprIndex arg : expr.args) {
          const Possible part = judge(arg);
          out.yes = out.yes && part.yes;
          out.no = out.no || part.no;
        }
        return out;
      }
      case ExprKind::disjunction: {
        Possible out{false, true};
        for (ExprIndex arg : expr.args) {
          const Possible part = judge(arg);
          out.yes = out.yes || part.yes;
          out.no = out.no && part.no;
        }
        return out;
      }
      case ExprKind::column:
        return flag(expr);
      case ExprKind::in_list:
        return in_list(expr);
      case ExprKind::call:
        return call(expr);
      default:
        return {};
    }
  }

 private:
  Possible call(const Expr& expr) const {
    if (expr.fn == "not") {
      const Possible inner = judge(expr.args[0]);
      return {inner.no, inner.yes};
    }
    if (expr.fn == "is_null" || expr.fn == "is_not_null") return null_test(expr);
    const Comparison found = comparison(plan_, expr);
    return found.column < 0 ? Possible{} : compare(found);
  }

  Possible null_test(const Expr& expr) const {
    const auto& operand = plan_.exprs[expr.args[0]];
    if (operand.kind != ExprKind::column) return {};
    const auto* known = knowledge_.column(operand.column);
    if (known == nullptr || !known->bounds.null_count) return {};
    const Possible is_null{*known->bounds.null_count > 0, *known->bounds.null_count < known->rows};
    return expr.fn == "is_null" ? is_null : Possible{is_null.no, is_null.yes};
  }

  static bool all_null(const KnownColumn& known) {
    return known.bounds.null_count && *known.bounds.null_count == known.rows;
  }

  Possible flag(const Expr& expr) const {
    const auto* known = expr.type->kind == TypeKind::boolean ? knowledge_.column(expr.column) : nullptr;
    if (known == nullptr) return {};
    if (all_null(*known)) return {false, false};
    const auto value = [](const ColumnPtr& bound) { return bound->values<uint8_t>()[0] != 0; };
    return {!known->bounds.max || value(known->bounds.max), !known->bounds.min || !value(known->bounds.min)};
  }

  Possible in_list(const Expr& expr) const {
    const auto& operand = plan_.exprs[expr.args[0]];
    if (operand.kind != ExprKind::column) return {};
    for (size_t i = 1; i < expr.args.size(); ++i) {
      const auto& literal = plan_.exprs[expr.args[i]].literal;
      if (literal->null_count == 0 && compare({"eq", operand.column, literal}).yes) return {};
    }
    return {false, true};
  }

  Possible compare(const Comparison& test) const {
    const auto* known = knowledge_.column(test.column);
    if (known == nullptr) return {};
    if (all_null(*known)) return {false, false};
    const auto& bounds = known->bounds;
    const bool nan = bounds.may_hold_nan;  // a NaN may be there: greater than every other value
    const auto order = [&](const ColumnPtr& bound) { return compare_values(*bound, 0, *test.literal, 0); };
    // Whether some row may be below, at, above the literal.
    const bool below = !bounds.min || order(bounds.min) < 0;
    const bool above = !bounds.max || order(bounds.max) > 0 || (nan && !is_nan(*test.literal));
    const bool not_below = !bounds.max || order(bounds.max) >= 0 || nan;
    const bool not_above = !bounds.min || order(bounds.min) <= 0;
    bool equal = not_below && not_above;
    if (nan && is_nan(*test.literal))
      equal = true;
    else if (nan && bounds.max && order(bounds.max) < 0)
      equal = false;
    if (test.fn == "lt") return {below, not_below};
    if (test.fn == "le") return {not_above, above};
    if (test.fn == "gt") return {above, not_above || (nan && is_nan(*test.literal))};
    if (test.fn == "ge") return {not_below, below};
    if (equal && knowledge_.absent && knowledge_.absent(test.column, test.literal)) equal = false;
    const bool differs = below || above;
    return test.fn == "eq" ? Possible{equal, differs} : Possible{differs, equal};
  }

  const plan::Plan& plan_;
  const Knowledge& knowledge_;
};

void collect(const plan::Plan& plan, ExprIndex index, std::vector<int32_t>& out) {
  const Expr& expr = plan.exprs[index];
  const auto add = [&](const Expr& operand) {
    if (operand.kind == ExprKind::column) out.push_back(operand.column);
  };
  if (expr.kind == ExprKind::conjunction || expr.kind == ExprKind::disjunction) {
    for (ExprIndex arg : expr.args) collect(plan, arg, out);
  } else if (expr.kind == ExprKind::column) {
    add(expr);
  } else if (expr.kind == ExprKind::in_list) {
    add(plan.exprs[expr.args[0]]);
  } else if (expr.kind == ExprKind::call) {
    if (expr.fn == "not")
      collect(plan, expr.args[0], out);
    else if (expr.fn == "is_null" || expr.fn == "is_not_null")
      add(plan.exprs[expr.args[0]]);
    else if (const auto found = comparison(plan, expr); found.column >= 0)
      out.push_back(found.column);
  }
}

}  // namespace

bool may_match(const plan::Plan& plan, const std::vector<ExprIndex>& conjuncts, const Knowledge& knowledge) {
  const Judge judge(plan, knowledge);
  return std::all_of(conjuncts.begin(), conjuncts.end(), [&](ExprIndex conjunct) { return judge.judge(conjunct).yes; });
}

std::vector<int32_t> prunable_columns(const plan::Plan& plan, const std::vector<ExprIndex>& conjuncts) {
  std::vector<int32_t> out;
  for (ExprIndex conjunct : conjuncts) collect(plan, conjunct, out);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace quern::cpu
