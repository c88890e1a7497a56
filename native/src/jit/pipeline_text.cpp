#include "jit/pipeline_text.hpp"

#include <algorithm>
#include <iterator>

#include "jit/device_type.hpp"
#include "jit/expression_text.hpp"
#include "jit/group_text.hpp"
#include "jit/join_text.hpp"
#include "jit/kernel_source.hpp"
#include "jit/list_value_text.hpp"
#include "jit/step_text.hpp"
#include "jit/string_key.hpp"

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
  if (!list && !fixed_width(type) && !is_numbered(type))
    throw unsupported("computed values of " + type_name(type) + " on the GPU");
}

bool is_list(const plan::Plan& plan, ExprIndex expr) { return expr_at(plan, expr).type->kind == TypeKind::list; }

// What a kernel computes for the segment: its expressions but columns.
std::vector<ExprIndex> computed_of(const plan::Plan& plan, const Segment& segment) {
  std::vector<ExprIndex> out;
  const auto& exprs = *computed_exprs(plan, segment);
  std::copy_if(exprs.begin(), exprs.end(), std::back_inserter(out),
               [&](ExprIndex expr) { return expr_at(plan, expr).kind != plan::ExprKind::column; });
  return out;
}

}  // namespace

KernelText key_text(const plan::Plan& plan, const Segment& segment) {
  const auto& node = node_at(plan, *segment.join);
  std::vector<TypePtr> input;
  for (const auto& field : node_at(plan, node.inputs[1]).output) input.push_back(field.type);
  const auto& join = std::get<plan::Join>(node.op);
  ExpressionText text(plan, input, std::vector<bool>(input.size(), true));
  const std::string present = emit_join_key(plan, join, true, 0, "key", text).present;
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
                           join_table_line(0) + warp_loop + "    bool keep = false;\n    uint32_t row0 = no_row;\n" +
                           (join.null_aware ? "    bool null_key = false;\n" : "") + "    do {\n" + text.body() +
                           "    keep = live;\n    } while (false);\n" +
                           "    if (live) found[i] = row0 == no_row ? in.joins[0].rows" +
                           (join.null_aware ? " + null_key" : "") + " : row0;\n" + store_mask;
  return {"probe_rows", source_text(text, {"cuda/fragments/column.cuh"}, body), text.literals()};
}

KernelText pair_text(const plan::Plan& plan, const Segment& segment) {
  const auto& node = node_at(plan, *segment.join);
  ExpressionText text = text_over(plan, segment);
  bind_join_inputs(plan, node, 0, text);
  text.emit_filter(std::get<plan::Join>(node.op).residual, "break;");
  if (text.body().find("fail(in") != std::string::npos)
    throw unsupported("joins with a condition that may fail on the GPU");
  const std::string body =
      "extern \"C\" __global__ void test_pairs(Input in, JoinPairs pairs, uint32_t* mask, uint32_t* matched) {\n"
      "  const int64_t end = (in.count + 31) / 32 * 32, step = static_cast<int64_t>(gridDim.x) * blockDim.x;\n"
      "  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < end; i += step) {\n"
      "    const bool live = i < in.count;\n"
      "    uint32_t row0 = 0;\n"
      "    const int64_t entry = pair_at(pairs, live ? i : 0, row0), row = pairs.rows[entry];\n"
      "    bool keep = false;\n    do {\n    if (row0 == pairs.none) break;\n" +
      text.body() +
      "    keep = live;\n    } while (false);\n"
      "    if (keep && (matched[entry >> 5] >> (entry & 31) & 1) == 0) atomicOr(&matched[entry >> 5], 1U << (entry & "
      "31));\n" +
      store_mask;
  return {"test_pairs", source_text(text, {"cuda/fragments/column.cuh"}, body), text.literals()};
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

KernelText values_text(const plan::Plan& plan, const Segment& segment, const std::vector<ExprIndex>& exprs,
                       const std::string& name) {
  ExpressionText text = text_over(plan, segment);
  for (const ExprIndex expr : exprs) text.hoist_lists_of(expr);
  for (size_t i = 0; i < exprs.size(); ++i) {
    text.load_columns_of(exprs[i]);
    const Value value = text.emit(exprs[i]);
    require_computed(*expr_at(plan, exprs[i]).type);
    const bool list = is_list(plan, exprs[i]);
    text.line("put<" + (list ? "int64_t" : value_type(plan, exprs[i])) + ">(outputs[" + std::to_string(i) +
              "], i, live, " + value.value + (list ? ".length, " : ", ") + value.null + ");");
  }
  const std::string body = "extern \"C\" __global__ void " + name + "(Input in, const OutputView* outputs) {\n" +
                           warp_loop + text.prologue() + text.body() + "  }\n}\n";
  return {name, source_text(text, {"cuda/fragments/column.cuh"}, body), text.literals()};
}

KernelText project_text(const plan::Plan& plan, const Segment& segment) {
  return values_text(plan, segment, computed_of(plan, segment), "project_rows");
}

KernelText write_text(const plan::Plan& plan, const Segment& segment) {
  ExpressionText text = text_over(plan, segment);
  std::vector<ExprIndex> lists = computed_of(plan, segment);
  std::erase_if(lists, [&](ExprIndex expr) { return !is_list(plan, expr); });
  for (const ExprIndex list : lists) text.hoist_lists_of(list);
  for (size_t i = 0; i < lists.size(); ++i) {
    text.load_columns_of(lists[i]);
    const Value value = text.emit(lists[i]);
    text.line("write_list(lists[" + std::to_string(i) + "], i, live && !(" + value.null + "), " + value.value + ");");
  }
  const std::string body =
      std::string("extern \"C\" __global__ void write_lists(Input in, const ListOutput* lists) {\n") + warp_loop +
      text.prologue() + text.body() + "  }\n}\n";
  return {"write_lists", source_text(text, {"cuda/fragments/list_values.cuh"}, body), text.literals()};
}

std::vector<KernelText> kernel_texts(const plan::Plan& plan, const Segment& segment) {
  if (segment.sort || segment.limit || segment.union_all) return {};
  if (segment.join) {
    std::vector<KernelText> out = {key_text(plan, segment), probe_text(plan, segment)};
    if (!std::get<plan::Join>(node_at(plan, *segment.join).op).residual.empty())
      out.push_back(pair_text(plan, segment));
    return out;
  }
  if (segment.group) {
    const GroupTexts texts = group_texts(plan, segment);
    std::vector<KernelText> out = {texts.blocks, texts.table, texts.finish};
    if (texts.made) out.push_back(*texts.made);
    return out;
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
