// Hand-made plans: a chain of nodes between exchanges.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "plan/literal.hpp"
#include "plan/plan.hpp"

namespace quern::test {

// The chain: exchange to_device over some source of `input`, nodes, exchange to_host.
class ChainPlan {
 public:
  explicit ChainPlan(std::vector<TypePtr> input) {
    add_node(plan::Values{}, {}, input);
    add_node(plan::Exchange{plan::ExchangeMode::to_device, {}}, {0}, input);
  }
  ChainPlan(const ChainPlan& other) : plan_(std::make_shared<plan::Plan>(*other.plan_)), chain_(other.chain_) {}
  ChainPlan& operator=(const ChainPlan&) = delete;

  plan::ExprIndex column(int32_t index) {
    plan::Expr expr;
    expr.kind = plan::ExprKind::column;
    expr.column = index;
    expr.type = plan_->nodes.back().output.at(static_cast<size_t>(index)).type;
    return add(std::move(expr));
  }
  // Of another node than the last one.
  plan::ExprIndex column_of(int32_t index, TypePtr type) {
    plan::Expr expr;
    expr.kind = plan::ExprKind::column;
    expr.column = index;
    expr.type = std::move(type);
    return add(std::move(expr));
  }
  plan::ExprIndex literal(Memory& memory, TypePtr type, const std::string& text) {
    plan::Expr expr;
    expr.kind = plan::ExprKind::literal;
    plan::LiteralText value;
    value.kind = plan::LiteralText::Kind::text;
    value.text = text;
    expr.literal = plan::literal_column(memory, type, value);
    expr.type = std::move(type);
    return add(std::move(expr));
  }
  plan::ExprIndex list_literal(Memory& memory, TypePtr type, const std::vector<std::string>& elements) {
    plan::Expr expr;
    expr.kind = plan::ExprKind::literal;
    plan::LiteralText value;
    value.kind = plan::LiteralText::Kind::array;
    for (const auto& element : elements) {
      value.items.emplace_back();
      value.items.back().kind = element == "NULL" ? plan::LiteralText::Kind::null : plan::LiteralText::Kind::text;
      value.items.back().text = element;
    }
    expr.literal = plan::literal_column(memory, type, value);
    expr.type = std::move(type);
    return add(std::move(expr));
  }
  plan::ExprIndex call(const std::string& fn, std::vector<plan::ExprIndex> args, TypePtr type) {
    plan::Expr expr;
    expr.kind = plan::ExprKind::call;
    expr.fn = fn;
    expr.args = std::move(args);
    expr.type = std::move(type);
    return add(std::move(expr));
  }
  plan::ExprIndex of_kind(plan::ExprKind kind, std::vector<plan::ExprIndex> args, TypePtr type) {
    plan::Expr expr;
    expr.kind = kind;
    expr.args = std::move(args);
    expr.type = std::move(type);
    return add(std::move(expr));
  }
  const TypePtr& type(plan::ExprIndex expr) const { return plan_->exprs[static_cast<size_t>(expr)].type; }

  void filter(std::vector<plan::ExprIndex> predicate) { chain(plan::Filter{std::move(predicate)}, types()); }
  void project(std::vector<plan::ExprIndex> exprs) {
    std::vector<TypePtr> output;
    for (const auto expr : exprs) output.push_back(type(expr));
    chain(plan::Project{std::move(exprs)}, output);
  }
  plan::Aggregate aggregate(const std::string& fn, std::vector<plan::ExprIndex> args, TypePtr result) {
    plan::Aggregate out;
    out.fn = fn;
    out.args = std::move(args);
    out.type = std::move(result);
    return out;
  }
  // Pairs of a column of the chain and one of `second` are the keys; nothing but columns in `keep` goes on.
  void join(plan::JoinType type, const std::vector<std::pair<int32_t, int32_t>>& keys,
            const std::vector<TypePtr>& second, std::vector<int32_t> keep, bool null_safe = false,
            std::vector<plan::ExprIndex> residual = {}, bool null_aware = false) {
    const auto first = static_cast<plan::NodeIndex>(plan_->nodes.size()) - 1;
    std::vector<TypePtr> both = types();
    plan::Join join;
    join.type = type;
    join.residual = std::move(residual);
    join.null_aware = null_aware;
    for (const auto& [probe, build] : keys) {
      plan::JoinKey key;
      key.probe = column(probe);
      key.null_safe = null_safe;
      key.build = column_of(build, second.at(static_cast<size_t>(build)));
      join.keys.push_back(key);
    }
    both.insert(both.end(), second.begin(), second.end());
    std::vector<TypePtr> output;
    for (const int32_t column : keep) output.push_back(both.at(static_cast<size_t>(column)));
    if (type == plan::JoinType::mark) output.push_back(make_type(TypeKind::boolean));
    join.keep = std::move(keep);
    add_node(plan::Values{}, {}, second);
    add_node(plan::Exchange{plan::ExchangeMode::to_device, {}}, {first + 1}, second);
    add_node(std::move(join), {first, first + 2}, output);
    chain_.push_back(first + 3);
  }
  // Of the last node, a join with one key.
  void set_probe_key(plan::ExprIndex key) { std::get<plan::Join>(plan_->nodes.back().op).keys.at(0).probe = key; }
  void limit(int64_t limit, int64_t offset) { chain(plan::Limit{limit, offset}, types()); }
  void unnest(std::vector<int32_t> keep, std::vector<plan::ExprIndex> lists, bool ordinality, bool outer) {
    const auto input = types();
    std::vector<TypePtr> output;
    for (const int32_t column : keep) output.push_back(input.at(static_cast<size_t>(column)));
    for (const auto list : lists) output.push_back(type(list)->children[0]);
    if (ordinality) output.push_back(make_type(TypeKind::int64));
    chain(plan::Unnest{std::move(keep), std::move(lists), ordinality, outer}, output);
  }
  // Of the chain and other inputs of the same columns.
  void union_all(size_t inputs) {
    const auto first = static_cast<plan::NodeIndex>(plan_->nodes.size()) - 1;
    const auto columns = types();
    std::vector<plan::NodeIndex> of = {first};
    for (size_t i = 1; i < inputs; ++i) {
      add_node(plan::Values{}, {}, columns);
      of.push_back(static_cast<plan::NodeIndex>(plan_->nodes.size()) - 1);
    }
    add_node(plan::UnionAll{}, of, columns);
    chain_.push_back(static_cast<plan::NodeIndex>(plan_->nodes.size()) - 1);
  }
  // The last node: a group-by in one kernel with what is below it.
  void fuse() { std::get<plan::HashGroupBy>(plan_->nodes.back().op).fused = true; }
  void group(std::vector<plan::ExprIndex> keys, std::vector<plan::Aggregate> aggregates) {
    std::vector<TypePtr> output;
    for (const auto key : keys) output.push_back(type(key));
    for (const auto& aggregate : aggregates) output.push_back(aggregate.type);
    chain(plan::HashGroupBy{std::move(keys), std::move(aggregates)}, output);
  }

  std::shared_ptr<const plan::Plan> plan() const { return plan_; }
  const std::vector<plan::NodeIndex>& nodes() const { return chain_; }

 private:
  plan::ExprIndex add(plan::Expr expr) {
    plan_->exprs.push_back(std::move(expr));
    return static_cast<plan::ExprIndex>(plan_->exprs.size()) - 1;
  }
  std::vector<TypePtr> types() const {
    std::vector<TypePtr> out;
    for (const auto& field : plan_->nodes.back().output) out.push_back(field.type);
    return out;
  }
  template <typename Op>
  void chain(Op op, const std::vector<TypePtr>& output) {
    const auto input = static_cast<plan::NodeIndex>(plan_->nodes.size()) - 1;
    add_node(std::move(op), {input}, output);
    chain_.push_back(input + 1);
  }
  template <typename Op>
  void add_node(Op op, std::vector<plan::NodeIndex> inputs, const std::vector<TypePtr>& output) {
    plan::Node node;
    node.op = std::move(op);
    node.inputs = std::move(inputs);
    for (const auto& type : output) node.output.push_back({"c" + std::to_string(node.output.size()), type});
    plan_->nodes.push_back(std::move(node));
  }

  std::shared_ptr<plan::Plan> plan_ = std::make_shared<plan::Plan>();
  std::vector<plan::NodeIndex> chain_;
};

}  // namespace quern::test
