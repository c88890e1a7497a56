#include "jit/step_text.hpp"

#include "jit/join_text.hpp"

namespace quern::jit {

using plan::ExprIndex;
using plan::NodeIndex;

void emit_filters(const plan::Plan& plan, const std::vector<NodeIndex>& filters, ExpressionText& text,
                  const std::string& otherwise) {
  for (const NodeIndex filter : filters)
    text.emit_filter(*plan::predicate_of(plan.nodes[static_cast<size_t>(filter)]), otherwise);
}

void emit_projection(const plan::Plan& plan, NodeIndex project, ExpressionText& text) {
  std::vector<ColumnPlacePtr> places;
  for (const ExprIndex index : std::get<plan::Project>(plan.nodes[static_cast<size_t>(project)].op).exprs) {
    const auto& expr = plan.exprs[static_cast<size_t>(index)];
    if (expr.kind == plan::ExprKind::column) {
      places.push_back(text.columns().at(static_cast<size_t>(expr.column)));
      continue;
    }
    text.load_columns_of(index);
    auto place = std::make_shared<ColumnPlace>();
    place->type = expr.type;
    place->value = text.emit(index);
    places.push_back(std::move(place));
  }
  text.rebind(std::move(places));
}

FusedText emit_fused(const plan::Plan& plan, const Segment& segment, ExpressionText& text,
                     const std::string& otherwise) {
  FusedText out;
  size_t joins = 0;
  for (size_t step = 0; step < segment.fused.size(); ++step) {
    const NodeIndex index = segment.fused[step];
    const auto& node = plan.nodes[static_cast<size_t>(index)];
    if (const auto* join = std::get_if<plan::Join>(&node.op)) {
      out.before += join_table_line(joins);
      text.line("uint32_t row" + std::to_string(joins) + " = no_row;");
      emit_probe(plan, *join, joins, otherwise, text);
      bind_join_output(plan, node, joins, text);
      ++joins;
    } else if (plan::predicate_of(node) != nullptr) {
      emit_filters(plan, {index}, text, otherwise);
    } else {
      emit_projection(plan, index, text);
    }
    const std::string id = std::to_string(step);
    out.before += "  unsigned passed" + id + " = 0;\n";
    text.line("++passed" + id + ";");
    out.behind += "  count_rows(in, " + id + ", passed" + id + ");\n";
  }
  return out;
}

}  // namespace quern::jit
