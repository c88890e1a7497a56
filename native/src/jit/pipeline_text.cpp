#include "jit/pipeline_text.hpp"

#include <algorithm>

#include "jit/device_type.hpp"
#include "jit/expression_text.hpp"
#include "jit/group_text.hpp"
#include "jit/join_text.hpp"
#include "jit/kernel_source.hpp"
#include "jit/list_value_text.hpp"
#include "jit/step_text.hpp"

namespace quern::jit {

namespace {

using plan::ExprIndex;
using plan::NodeIndex;

const plan::Node& node_at(const plan::Plan& plan, NodeIndex node) { return plan.nodes[static_cast<size_t>(node)]; }
const plan::Expr& expr_at(const plan::Plan& plan, ExprIndex expr) { return plan.exprs[static_cast<size_t>(expr)]; }

ExpressionText text_over(const plan::Plan& plan, const Segment& segment) {
  return {plan, segment.input, std::vector<bool>(segment.input.size(), true)};
}

void require_computed(const DataType& type) {
  const bool list = type.kind == TypeKind::list && list_element_type(type) != "NoElement";
  if (!list && !fixed_width(type)) throw unsupported("computed values of " + type_name(type) + " on the GPU");
}

bool is_list(const plan::Plan& plan, ExprIndex expr) { return expr_at(plan, expr).type->kind == TypeKind::list; }

// Writes the segment's computed values, or the lists among them, and calls visit(expr, output, value) behind each.
template <typename Visit>
void for_computed(const plan::Plan& plan, const Segment& segment, bool lists_only, ExpressionText& text, Visit visit) {
  const auto places = output_places(plan, segment);
  const auto& exprs = *computed_exprs(plan, segment);
  const auto wanted = [&](size_t i) { return places[i].output >= 0 && (!lists_only || is_list(plan, exprs[i])); };
  for (size_t i = 0; i < places.size(); ++i) {
    if (wanted(i)) text.hoist_lists_of(exprs[i]);
  }
  for (size_t i = 0; i < places.size(); ++i) {
    if (!wanted(i)) continue;
    text.load_columns_of(exprs[i]);
    const Value value = text.emit(exprs[i]);
    require_computed(*expr_at(plan, exprs[i]).type);
    visit(exprs[i], places[i].output, value);
  }
}

}  // namespace

KernelText key_text(const plan::Plan& plan, const Segment& segment) {
  const auto& node = node_at(plan, *segment.join);
  std::vector<TypePtr> input;
  for (const auto& field : node_at(plan, node.inputs[1]).output) input.push_back(field.type);
  const auto& join = std::get<plan::Join>(node.op);
  ExpressionText text(plan, input, std::vector<bool>(input.size(), true));
  const std::string present = emit_join_key(plan, join, true, "key", text);
  const int32_t words = join_key_words(plan, join);
  std::string store;
  for (int32_t word = 0; word < words; ++word) {
    const std::string at = std::to_string(word);
    store += "    if (keep) keys[i * " + std::to_string(words) + " + " + at + "] = key[" + at + "];\n";
  }
  const std::string body =
      std::string("extern \"C\" __global__ void key_rows(Input in, uint64_t* keys, uint32_t* mask) {\n") + warp_loop +
      text.body() + "    const bool keep = live && " + present + ";\n" + store + store_mask;
  return {"key_rows", source_text(text, {"cuda/fragments/column.cuh"}, body), text.literals()};
}

KernelText probe_text(const plan::Plan& plan, const Segment& segment) {
  const auto& join = std::get<plan::Join>(node_at(plan, *segment.join).op);
  ExpressionText text = text_over(plan, segment);
  emit_probe(plan, join, 0, "break;", text);
  const std::string body = "extern \"C\" __global__ void probe_rows(Input in, uint32_t* found, uint32_t* mask) {\n" +
                           join_table_line(0) + warp_loop +
                           "    bool keep = false;\n    uint32_t row0 = no_row;\n    do {\n" + text.body() +
                           "    keep = live;\n    } while (false);\n" +
                           "    if (live) found[i] = row0 == no_row ? in.joins[0].rows : row0;\n" + store_mask;
  return {"probe_rows", source_text(text, {"cuda/fragments/column.cuh"}, body), text.literals()};
}

KernelText mask_text(const plan::Plan& plan, const Segment& segment) {
  ExpressionText text = text_over(plan, segment);
  for (const NodeIndex filter : segment.filters) {
    for (const ExprIndex conjunct : *plan::predicate_of(node_at(plan, filter))) text.hoist_lists_of(conjunct);
  }
  emit_filters(plan, segment.filters, text, "break;");
  const std::string body = std::string("extern \"C\" __global__ void mask_rows(Input in, uint32_t* mask) {\n") +
                           warp_loop + text.prologue() + "    bool keep = false;\n    do {\n" + text.body() +
                           "    keep = live;\n    } while (false);\n" + store_mask;
  return {"mask_rows", source_text(text, {"cuda/fragments/column.cuh"}, body), text.literals()};
}

const std::vector<ExprIndex>* computed_exprs(const plan::Plan& plan, const Segment& segment) {
  if (segment.project) return &std::get<plan::Project>(node_at(plan, *segment.project).op).exprs;
  if (segment.unnest) return &std::get<plan::Unnest>(node_at(plan, *segment.unnest).op).lists;
  return nullptr;
}

std::vector<OutputPlace> output_places(const plan::Plan& plan, const Segment& segment) {
  std::vector<OutputPlace> out;
  const auto* exprs = computed_exprs(plan, segment);
  if (exprs == nullptr) {
    for (size_t i = 0; i < segment.input.size(); ++i) out.push_back({static_cast<int32_t>(i), -1});
    return out;
  }
  int32_t outputs = 0;
  for (const ExprIndex expr : *exprs) {
    if (expr_at(plan, expr).kind == plan::ExprKind::column)
      out.push_back({expr_at(plan, expr).column, -1});
    else
      out.push_back({-1, outputs++});
  }
  return out;
}

KernelText project_text(const plan::Plan& plan, const Segment& segment) {
  ExpressionText text = text_over(plan, segment);
  for_computed(plan, segment, false, text, [&](ExprIndex expr, int32_t output, const Value& value) {
    const bool list = is_list(plan, expr);
    text.line("put<" + (list ? "int64_t" : value_type(plan, expr)) + ">(outputs[" + std::to_string(output) +
              "], i, live, " + value.value + (list ? ".length, " : ", ") + value.null + ");");
  });
  const std::string body =
      std::string("extern \"C\" __global__ void project_rows(Input in, const OutputView* outputs) {\n") + warp_loop +
      text.prologue() + text.body() + "  }\n}\n";
  return {"project_rows", source_text(text, {"cuda/fragments/column.cuh"}, body), text.literals()};
}

KernelText write_text(const plan::Plan& plan, const Segment& segment) {
  ExpressionText text = text_over(plan, segment);
  int32_t lists = 0;
  for_computed(plan, segment, true, text, [&](ExprIndex, int32_t, const Value& value) {
    text.line("write_list(lists[" + std::to_string(lists++) + "], i, live && !(" + value.null + "), " + value.value +
              ");");
  });
  const std::string body =
      std::string("extern \"C\" __global__ void write_lists(Input in, const ListOutput* lists) {\n") + warp_loop +
      text.prologue() + text.body() + "  }\n}\n";
  return {"write_lists", source_text(text, {"cuda/fragments/list_values.cuh"}, body), text.literals()};
}

std::vector<KernelText> kernel_texts(const plan::Plan& plan, const Segment& segment) {
  if (segment.sort || segment.limit || segment.union_all) return {};
  if (segment.join) return {key_text(plan, segment), probe_text(plan, segment)};
  if (segment.group) {
    const GroupTexts texts = group_texts(plan, segment);
    return {texts.blocks, texts.table, texts.finish};
  }
  std::vector<KernelText> out;
  if (!segment.filters.empty()) out.push_back(mask_text(plan, segment));
  if (computed_exprs(plan, segment) != nullptr) {
    const auto places = output_places(plan, segment);
    for (const auto& place : places) {
      if (place.output < 0) continue;
      out.push_back(project_text(plan, segment));
      break;
    }
    for (size_t i = 0; i < places.size(); ++i) {
      if (places[i].output < 0 || !is_list(plan, (*computed_exprs(plan, segment))[i])) continue;
      out.push_back(write_text(plan, segment));
      break;
    }
  }
  return out;
}

std::string cpu_reason(const plan::Plan& plan, NodeIndex index) {
  try {
    const auto& node = node_at(plan, index);
    for (const Segment& segment : segments(plan, {index})) kernel_texts(plan, segment);
    for (const auto& field : node.output) require_column(*field.type);
    for (const NodeIndex input : node.inputs) {
      for (const auto& field : node_at(plan, input).output) require_column(*field.type);
    }
    return "";
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unsupported) throw;
    return error.message();
  }
}

}  // namespace quern::jit
