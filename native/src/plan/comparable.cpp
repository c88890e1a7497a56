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

// Comparisons of SQL's operators.
bool is_comparison(const std::string& function) {
  static const std::unordered_set<std::string> names = {
      "eq", "ne", "lt", "le", "gt", "ge", "is_distinct_from", "is_not_distinct_from"};
  return names.contains(function);
}

// Functions that hand values on, or look at no more than whether they are there.
bool hands_on(const std::string& function) {
  static const std::unordered_set<std::string> names = {"is_null",        "is_not_null",       "len",
                                                        "cardinality",    "list_value",        "list_extract",
                                                        "list_slice",     "list_slice_step",   "list_join",
                                                        "list_concat",    "list_reverse",      "list_append",
                                                        "list_prepend",   "list_resize",       "list_part",
                                                        "list_first",     "list_last",         "list_count",
                                                        "list_has_null",  "list_filter",       "list_transform",
                                                        "list_reduce",    "list_any_value",    "struct_pack",
                                                        "map_keys",       "map_values",        "map_entries",
                                                        "map_extract",    "map_extract_value", "struct_extract",
                                                        "variant_extract"};
  return names.contains(function);
}

bool aggregate_hands_on(const std::string& aggregate) {
  static const std::unordered_set<std::string> names = {"count", "any_value", "first", "last", "list", "collect_list"};
  return names.contains(aggregate);
}

void check_keys(const Plan& plan, const std::vector<SortKey>& keys) {
  for (const auto& key : keys) refuse(plan.exprs[key.expr].type, "ORDER BY");
}

void check_aggregate(const Plan& plan, const Aggregate& aggregate) {
  const bool is_keyed = aggregate.fn == "arg_min" || aggregate.fn == "arg_max";
  for (size_t i = 0; i < aggregate.args.size(); ++i) {
    const TypePtr& type = plan.exprs[aggregate.args[i]].type;
    // The first argument of arg_min is handed on, the second is compared.
    if (!aggregate_hands_on(aggregate.fn) && !(is_keyed && i == 0)) refuse(type, aggregate.fn, aggregate.span);
  }
  check_keys(plan, aggregate.order);
}

void check_expr(const Plan& plan, const Expr& expr) {
  const auto type = [&](size_t argument) -> const TypePtr& { return plan.exprs[expr.args[argument]].type; };
  if (expr.kind == ExprKind::in_list) return refuse(type(0), "comparison", expr.span);
  if (expr.kind != ExprKind::call) return;
  const bool takes_key = expr.fn == "map_extract" || expr.fn == "map_extract_value";
  if (takes_key) refuse(type(0)->children[0], "a key", expr.span);
  if (hands_on(expr.fn)) return;
  for (size_t i = 0; i < expr.args.size(); ++i) {
    refuse(type(i), is_comparison(expr.fn) ? "comparison" : expr.fn, expr.span);
  }
}

}  // namespace

void refuse_comparing_variants(const Plan& plan) {
  for (const auto& expr : plan.exprs) check_expr(plan, expr);
  for (const auto& node : plan.nodes) {
    if (const auto* sort = std::get_if<Sort>(&node.op)) check_keys(plan, sort->keys);
    if (const auto* top = std::get_if<TopK>(&node.op)) check_keys(plan, top->keys);
    if (const auto* join = std::get_if<Join>(&node.op)) {
      for (const auto& key : join->keys) {
        if (!key.null_safe) refuse(plan.exprs[key.probe].type, "comparison");
      }
    }
    if (const auto* group_by = std::get_if<HashGroupBy>(&node.op)) {
      for (const auto& aggregate : group_by->aggregates) check_aggregate(plan, aggregate);
    }
  }
}

}  // namespace quern::plan
