// Cuts chains of nodes into what kernels run as one.
#include <algorithm>

#include "jit/device_type.hpp"
#include "jit/join_text.hpp"
#include "jit/list_pair_text.hpp"
#include "jit/pipeline_text.hpp"
#include "jit/string_key.hpp"
#include "plan/validate.hpp"

namespace quern::jit {

namespace {

using plan::ExprIndex;
using plan::NodeIndex;

const plan::Node& node_at(const plan::Plan& plan, NodeIndex node) { return plan.nodes[static_cast<size_t>(node)]; }

std::vector<TypePtr> types_of(const plan::Node& node) {
  std::vector<TypePtr> out;
  for (const auto& field : node.output) out.push_back(field.type);
  return out;
}

void require_sort_keys(const plan::Plan& plan, const std::vector<plan::SortKey>& keys) {
  for (const auto& key : keys) {
    const auto& expr = plan.exprs[static_cast<size_t>(key.expr)];
    const DataType& type = *expr.type;
    if (expr.kind != plan::ExprKind::column) throw unsupported("sorting by computed values on the GPU");
    if (!fixed_width(type) && !is_numbered(type)) throw unsupported("sorting by " + type_name(type) + " on the GPU");
  }
}

// Rows stream through and are not held back.
bool is_open(const Segment& segment) {
  return !segment.group && !segment.sort && !segment.join && !segment.limit && !segment.unnest && !segment.union_all;
}

bool holds_list_pairs(const plan::Plan& plan, const Segment& segment) {
  const auto any = [&](const std::vector<ExprIndex>& exprs) {
    return std::any_of(exprs.begin(), exprs.end(), [&](ExprIndex expr) { return holds_list_pair(plan, expr); });
  };
  return (segment.project && any(std::get<plan::Project>(node_at(plan, *segment.project).op).exprs)) ||
         std::any_of(segment.filters.begin(), segment.filters.end(),
                     [&](NodeIndex filter) { return any(*plan::predicate_of(node_at(plan, filter))); });
}

// Strings that kernels make become columns first: what groups by them reads their bytes.
bool makes_strings(const plan::Plan& plan, NodeIndex project) {
  const auto& exprs = std::get<plan::Project>(node_at(plan, project).op).exprs;
  return std::any_of(exprs.begin(), exprs.end(), [&](ExprIndex index) {
    const auto& expr = plan.exprs[static_cast<size_t>(index)];
    return expr.kind != plan::ExprKind::column && is_numbered(*expr.type);
  });
}

bool groups_by_made(const plan::Plan& plan, NodeIndex group) {
  return !made_keys(plan, std::get<plan::HashGroupBy>(node_at(plan, group).op)).empty();
}

bool stands_apart(const plan::Plan& plan, const Segment& segment) {
  return holds_list_pairs(plan, segment) || (segment.project && makes_strings(plan, *segment.project));
}

}  // namespace

std::vector<Segment> segments(const plan::Plan& plan, const std::vector<NodeIndex>& chain) {
  std::vector<Segment> out;
  for (const NodeIndex index : chain) {
    const auto& node = node_at(plan, index);
    const auto start = [&]() -> Segment& {
      out.push_back({});
      // A scan's filter looks at the columns that the scan gives.
      out.back().input = types_of(node.inputs.empty() ? node : node_at(plan, node.inputs[0]));
      return out.back();
    };
    // Sums of list pairs need all lanes of a warp, which the kernel of a group-by does not keep together.
    const bool open = !out.empty() && is_open(out.back());
    const bool apart = open && std::holds_alternative<plan::HashGroupBy>(node.op) &&
                       (stands_apart(plan, out.back()) || groups_by_made(plan, index));
    if (const auto* scan = std::get_if<plan::Scan>(&node.op)) {
      if (!scan->filter.empty()) start().filters.push_back(index);
      if (scan->limit) start().limit = index;
    } else if (std::holds_alternative<plan::Filter>(node.op)) {
      (open && !out.back().project ? out.back() : start()).filters.push_back(index);
    } else if (std::holds_alternative<plan::Project>(node.op)) {
      (open && !out.back().project ? out.back() : start()).project = index;
    } else if (std::holds_alternative<plan::HashGroupBy>(node.op)) {
      (open && !apart ? out.back() : start()).group = index;
    } else if (const auto* keys = sort_keys(node)) {
      require_sort_keys(plan, *keys);
      start().sort = index;
    } else if (std::holds_alternative<plan::Join>(node.op)) {
      start().join = index;
    } else if (std::holds_alternative<plan::Limit>(node.op)) {
      start().limit = index;
    } else if (std::holds_alternative<plan::Unnest>(node.op)) {
      start().unnest = index;
    } else if (std::holds_alternative<plan::UnionAll>(node.op)) {
      start().union_all = index;
    } else {
      throw unsupported("operator " + plan::node_kind(node) + " on the GPU");
    }
  }
  return out;
}

std::vector<Segment> fused_segments(const plan::Plan& plan, const std::vector<Segment>& segments) {
  std::vector<Segment> out;
  size_t first = 0;  // that the next group-by may fuse
  for (const Segment& segment : segments) {
    out.push_back(segment);
    if (segment.sort || segment.limit || segment.unnest || segment.union_all) first = out.size();
    if (!segment.group) continue;
    const auto begin = out.begin() + static_cast<std::ptrdiff_t>(first);
    const bool apart = std::any_of(begin, out.end(), [&](const Segment& part) {
      return stands_apart(plan, part) || (part.group && groups_by_made(plan, *part.group)) ||
             (part.join && !is_fusible(std::get<plan::Join>(node_at(plan, *part.join).op)));
    });
    if (std::get<plan::HashGroupBy>(node_at(plan, *segment.group).op).fused && !apart) {
      Segment whole;
      whole.input = begin->input;
      whole.group = segment.group;
      for (auto part = begin; part != out.end(); ++part) {
        whole.fused.insert(whole.fused.end(), part->filters.begin(), part->filters.end());
        if (part->project) whole.fused.push_back(*part->project);
        if (part->join) whole.fused.push_back(*part->join);
      }
      out.erase(begin, out.end());
      out.push_back(std::move(whole));
    }
    first = out.size();
  }
  return out;
}

const std::vector<plan::SortKey>* sort_keys(const plan::Node& node) {
  if (const auto* sort = std::get_if<plan::Sort>(&node.op)) return &sort->keys;
  if (const auto* top_k = std::get_if<plan::TopK>(&node.op)) return &top_k->keys;
  return nullptr;
}

}  // namespace quern::jit
