#include "plan/comparable.hpp"

#include <optional>
#include <string>
#include <unordered_set>

namespace quern::plan {

namespace {

void refuse(const TypePtr& type, const std::string& what, const std::optional<SourceSpan>& span = std::nullopt) {
  if (!holds_variant(*type)) return;
  Error error = unsupported(what + " of " + type_name(*type));
  error.with_hint("cast it to VARCHAR, which compares texts");
  if (span) error.at(*span);
  throw error;
}

// Functions that compare all their arguments.
bool compares(const std::string& function) {
  static const std::unordered_set<std::string> names = {"eq",
                                                        "ne",
                                                        "lt",
                                                        "le",
                                                        "gt",
                                                        "ge",
                                                        "is_distinct_from",
                                                        "is_not_distinct_from",
                                                        "nullif",
                                                        "greatest",
                                                        "least",
                                                        "list_contains",
                                                        "list_position",
                                                        "list_min",
                                                        "list_max"};
  return names.contains(function);
}

bool compares_values(const std::string& aggregate) {
  static const std::unordered_set<std::string> names = {"min", "max", "mode", "quantile_disc", "approx_count_distinct"};
  return names.contains(aggregate);
}

void check_keys(const Plan& plan, const std::vector<SortKey>& keys) {
  for (const auto& key : keys) refuse(plan.exprs[key.expr].type, "ORDER BY");
}

void check_aggregate(const Plan& plan, const Aggregate& aggregate) {
  const auto type = [&](size_t argument) { return plan.exprs[aggregate.args[argument]].type; };
  for (size_t i = 0; i < aggregate.args.size(); ++i) {
    if (aggregate.distinct) refuse(type(i), aggregate.fn + "(DISTINCT)", aggregate.span);
    if (compares_values(aggregate.fn)) refuse(type(i), aggregate.fn, aggregate.span);
  }
  const bool is_keyed = aggregate.fn == "arg_min" || aggregate.fn == "arg_max";
  if (is_keyed && aggregate.args.size() > 1) refuse(type(1), aggregate.fn, aggregate.span);
  check_keys(plan, aggregate.order);
}

void check_expr(const Plan& plan, const Expr& expr) {
  if (expr.kind == ExprKind::in_list) return refuse(plan.exprs[expr.args[0]].type, "IN", expr.span);
  if (expr.kind != ExprKind::call) return;
  if (compares(expr.fn)) {
    for (ExprIndex arg : expr.args) refuse(plan.exprs[arg].type, expr.fn, expr.span);
  }
  if (expr.fn == "map_extract" || expr.fn == "map_extract_value") {
    refuse(plan.exprs[expr.args[0]].type->children[0], "a key", expr.span);
  }
}

}  // namespace

void refuse_comparing_variants(const Plan& plan) {
  for (const auto& expr : plan.exprs) check_expr(plan, expr);
  for (const auto& node : plan.nodes) {
    if (const auto* sort = std::get_if<Sort>(&node.op)) check_keys(plan, sort->keys);
    if (const auto* top = std::get_if<TopK>(&node.op)) check_keys(plan, top->keys);
    if (const auto* exchange = std::get_if<Exchange>(&node.op)) {
      for (ExprIndex key : exchange->keys) refuse(plan.exprs[key].type, "distribution");
    }
    if (const auto* group_by = std::get_if<HashGroupBy>(&node.op)) {
      for (ExprIndex key : group_by->keys) refuse(plan.exprs[key].type, "GROUP BY");
      for (const auto& aggregate : group_by->aggregates) check_aggregate(plan, aggregate);
    }
  }
}

}  // namespace quern::plan
