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

FusedText emit_fused(const plan::Plan& plan, const Segment& segment, ExpressionText& probe, ExpressionText& load,
                     const std::string& otherwise) {
  FusedText out;
  const auto node_of = [&](NodeIndex index) -> const plan::Node& { return plan.nodes[static_cast<size_t>(index)]; };
  size_t probed = 0;  // nodes up to the last join
  for (size_t step = 0; step < segment.fused.size(); ++step) {
    out.before += "  unsigned passed" + std::to_string(step) + " = 0;\n";
    out.behind += "  count_rows(in, " + std::to_string(step) + ", passed" + std::to_string(step) + ");\n";
    if (std::holds_alternative<plan::Join>(node_of(segment.fused[step]).op)) probed = step + 1;
  }
  const auto filter_and_count = [&](size_t step, ExpressionText& text) {
    if (plan::predicate_of(node_of(segment.fused[step])) != nullptr)
      emit_filters(plan, {segment.fused[step]}, text, otherwise);
    text.line("++passed" + std::to_string(step) + ";");
  };
  for (size_t step = 0; step < probed; ++step) {
    const auto& node = node_of(segment.fused[step]);
    if (const auto* join = std::get_if<plan::Join>(&node.op)) {
      const std::string number = std::to_string(out.joins), row = "row" + number;
      out.before += join_table_line(out.joins);
      probe.line("uint32_t " + row + " = no_row;");
      emit_probe(plan, *join, out.joins, otherwise, probe);
      probe.line("found.others[" + number + "] = " + row + ";");
      bind_join_output(plan, node, out.joins++, probe);
    } else if (std::holds_alternative<plan::Project>(node.op)) {
      emit_projection(plan, segment.fused[step], probe);
    }
    filter_and_count(step, probe);
  }
  load.continue_literals(probe);
  size_t joins = 0;
  for (size_t step = 0; step < segment.fused.size(); ++step) {
    const auto& node = node_of(segment.fused[step]);
    if (std::holds_alternative<plan::Join>(node.op)) {
      const std::string number = std::to_string(joins);
      load.line("const uint32_t row" + number + " = found.others[" + number + "];");
      bind_join_output(plan, node, joins++, load);
    } else if (std::holds_alternative<plan::Project>(node.op)) {
      emit_projection(plan, segment.fused[step], load);
    }
    if (step >= probed) filter_and_count(step, load);
  }
  return out;
}

}  // namespace quern::jit
