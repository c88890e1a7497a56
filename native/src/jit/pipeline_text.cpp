#include "jit/pipeline_text.hpp"

#include <algorithm>

#include "jit/device_type.hpp"
#include "jit/expression_text.hpp"
#include "jit/join_text.hpp"
#include "jit/kernel_source.hpp"
#include "jit/list_pair_text.hpp"
#include "jit/step_text.hpp"

namespace quern::jit {

namespace {

using plan::ExprIndex;
using plan::NodeIndex;

const plan::Node& node_at(const plan::Plan& plan, NodeIndex node) { return plan.nodes[static_cast<size_t>(node)]; }
const plan::Expr& expr_at(const plan::Plan& plan, ExprIndex expr) { return plan.exprs[static_cast<size_t>(expr)]; }

const std::vector<ExprIndex>& projected(const plan::Plan& plan, const Segment& segment) {
  return std::get<plan::Project>(node_at(plan, *segment.project).op).exprs;
}

// The statement that makes a slot's words take in one row `r`, or those of another slot.
struct AggregateText {
  std::string update, merge;
};

AggregateText aggregate_text(const AggregatePlace& place, size_t index) {
  const auto word = [&](int32_t i) { return "w + " + std::to_string(place.word + i); };
  const auto from = [&](int32_t i) { return "from[" + std::to_string(place.word + i) + "]"; };
  const std::string id = std::to_string(index), value = "r.a" + id;
  const auto counted = [&](int32_t i) { return "add_word<shared>(" + word(i) + ", 1);"; };
  const auto merged = [&](int32_t i) { return "add_word<false>(" + word(i) + ", " + from(i) + ");"; };
  // Where only NULL or not depends on it a flag stands in the place of a count.
  const auto marked = [&](int32_t i) { return "mark_word(" + word(i) + ");"; };
  const auto kept = [&](int32_t i) { return "if (" + from(i) + " != 0) mark_word(" + word(i) + ");"; };
  std::string update, merge;
  switch (place.kind) {
    case AggregateKind::count_rows:
    case AggregateKind::count:
      return {"if (r.p" + id + ") " + counted(0), merged(0)};
    case AggregateKind::sum_narrow:
      update =
          "add_word<shared>(" + word(0) + ", static_cast<uint64_t>(static_cast<int64_t>(" + value + "))); " + marked(1);
      merge = merged(0) + " " + kept(1);
      break;
    case AggregateKind::sum_wide:
    case AggregateKind::mean_exact: {
      const int32_t last = place.words - 1;
      const bool sum = place.kind == AggregateKind::sum_wide;
      update = std::string(place.wide_argument() ? "add_192" : "add_128") + "<shared>(" + word(0) +
               ", static_cast<int128_t>(" + value + ")); " + (sum ? marked(last) : counted(last));
      merge = "{ const uint64_t v[" + std::to_string(place.words - 1) + "] = {" + from(0) + ", " + from(1) +
              (place.wide_argument() ? ", " + from(2) : "") + "}; add_wide<false>(" + word(0) + ", v); } " +
              (sum ? kept(last) : merged(last));
      break;
    }
    case AggregateKind::sum_real:
    case AggregateKind::mean_real: {
      const bool sum = place.kind == AggregateKind::sum_real;
      update = "add_real(" + word(0) + ", static_cast<double>(" + value + ")); " + (sum ? marked(1) : counted(1));
      merge = "add_real(" + word(0) + ", ops::bit_cast<double>(" + from(0) + ")); " + (sum ? kept(1) : merged(1));
      break;
    }
    case AggregateKind::least:
    case AggregateKind::greatest: {
      const std::string order = "order_word<" + device_type(*place.argument) + ">(" + value + ")";
      update =
          "raise_word(" + word(0) + ", " + (place.kind == AggregateKind::least ? "~" : "") + order + "); " + marked(1);
      merge = "raise_word(" + word(0) + ", " + from(0) + "); " + kept(1);
      break;
    }
  }
  return {"if (r.p" + id + ") { " + update + " }", merge};
}

// Loads keys and arguments into `key` and `r`.
void emit_row(const plan::Plan& plan, const plan::HashGroupBy& group, const GroupLayout& layout, ExpressionText& text) {
  for (size_t i = 0; i < group.aggregates.size(); ++i) {
    const auto& aggregate = group.aggregates[i];
    const std::string id = std::to_string(i);
    std::string present = "true";
    if (aggregate.filter) {
      text.load_columns_of(*aggregate.filter);
      const Value passes = text.emit(*aggregate.filter);
      present = "!" + passes.null + " && " + passes.value + " != 0";
    }
    text.line("r.p" + id + " = " + present + ";");
    if (aggregate.args.empty()) continue;
    text.load_columns_of(aggregate.args[0]);
    const bool guarded = aggregate.filter.has_value();
    if (guarded) text.line("if (r.p" + id + ") {");
    const Value argument = text.emit(aggregate.args[0]);
    if (layout.aggregates[i].kind != AggregateKind::count) text.line("r.a" + id + " = " + argument.value + ";");
    if (argument.nullable()) text.line("r.p" + id + " = r.p" + id + " && !" + argument.null + ";");
    if (guarded) text.line("}");
  }
  text.line("uint64_t key[" + std::to_string(layout.key_words) + "] = {};");
  for (size_t i = 0; i < group.keys.size(); ++i) {
    const KeyPlace& place = layout.keys[i];
    text.load_columns_of(group.keys[i]);
    const Value value = text.emit(group.keys[i]);
    const std::string word = "key[" + std::to_string(place.word) + "]", type = device_type(*place.type);
    const std::string guard = value.nullable() ? "if (!" + value.null + ") " : "";
    if (place.words == 2) {
      text.line(guard + "{ " + word + " = static_cast<uint64_t>(" + value.value + "); key[" +
                std::to_string(place.word + 1) + "] = static_cast<uint64_t>(" + value.value + " >> 64); }");
    } else {
      const int32_t bytes = width(*place.type);
      const std::string mask = bytes == 8 ? "" : " & " + std::to_string((1ULL << bytes * 8) - 1) + "ULL";
      text.line(guard + word + " |= (key_word<" + type + ">(" + value.value + ")" + mask + ") << " +
                std::to_string(place.shift) + ";");
    }
    if (value.nullable()) {
      text.line("key[" + std::to_string(place.null_word) + "] |= static_cast<uint64_t>(" + value.null + ") << " +
                std::to_string(place.null_shift) + ";");
    }
  }
}

// `r` and its use: struct Row, update, merge.
std::string row_text(const GroupLayout& layout) {
  std::string fields, update, merge;
  for (size_t i = 0; i < layout.aggregates.size(); ++i) {
    const auto& place = layout.aggregates[i];
    const std::string id = std::to_string(i);
    fields += "  bool p" + id + ";\n";
    if (place.argument && place.kind != AggregateKind::count)
      fields += "  " + device_type(*place.argument) + " a" + id + ";\n";
    const AggregateText text = aggregate_text(place, i);
    update += "  " + text.update + "\n";
    merge += "  " + text.merge + "\n";
  }
  return "struct Row {\n" + fields +
         "};\n\ntemplate <bool shared>\n__device__ inline void update(uint64_t* w, const Row& r) {\n" + update +
         "}\n\n__device__ inline void merge(uint64_t* w, const uint64_t* from) {\n" + merge + "}\n\n";
}

std::string key_value(const KeyPlace& place) {
  const std::string word = "key[" + std::to_string(place.word) + "]", type = device_type(*place.type);
  if (place.words == 2) {
    return "static_cast<" + type + ">((static_cast<uint128_t>(key[" + std::to_string(place.word + 1) + "]) << 64) | " +
           word + ")";
  }
  return "from_key_word<" + type + ">(" + word + " >> " + std::to_string(place.shift) + ")";
}

// Value and null flag of an aggregate's result over its words w.
std::string finish_aggregate(const AggregatePlace& place, const std::string& put) {
  const auto word = [&](int32_t i) { return "w[" + std::to_string(place.word + i) + "]"; };
  const std::string wide =
      "const int128_t sum = static_cast<int128_t>((static_cast<uint128_t>(" + word(1) + ") << 64) | " + word(0) + ");";
  const auto result = [&](const std::string& value, const std::string& null) {
    return put + "live, " + value + ", " + null + ");";
  };
  switch (place.kind) {
    case AggregateKind::count_rows:
    case AggregateKind::count:
      return result("static_cast<int64_t>(" + word(0) + ")", "false");
    case AggregateKind::sum_narrow:
      return result("static_cast<int64_t>(" + word(0) + ")", word(1) + " == 0");
    case AggregateKind::sum_real:
      return result("ops::bit_cast<double>(" + word(0) + ")", word(1) + " == 0");
    case AggregateKind::mean_real:
      return result(
          "ops::bit_cast<double>(" + word(0) + ") / static_cast<double>(static_cast<int64_t>(" + word(1) + "))",
          word(1) + " == 0");
    case AggregateKind::sum_wide:
      // The third word, where there is one, holds the sign of a sum that fits 128 bits.
      return "{ " + wide +
             " const bool fits = " + (place.wide_argument() ? word(2) + " == (sum < 0 ? ~0ULL : 0ULL) && " : "") +
             "ops::in_precision(sum, ops::decimal_limit);" +
             " if (live && !fits) atomicMin(failure, static_cast<unsigned long long>(i)); " +
             result("sum", word(place.words - 1) + " == 0") + " }";
    case AggregateKind::mean_exact: {
      const int scale = place.argument->kind == TypeKind::decimal ? place.argument->scale : 0;
      return "{ " + wide + " const int64_t n = static_cast<int64_t>(" + word(place.words - 1) + "); " +
             result("n == 0 ? 0.0 : ops::exact_mean(sum, ops::power_of_ten(" + std::to_string(scale) + "), n)",
                    "n == 0") +
             " }";
    }
    case AggregateKind::least:
    case AggregateKind::greatest:
      return result("from_order_word<" + device_type(*place.argument) + ">(" +
                        (place.kind == AggregateKind::least ? "~" : "") + word(0) + ")",
                    word(1) + " == 0");
  }
  throw internal_error("an aggregate without an end");
}

ExpressionText text_over(const plan::Plan& plan, const Segment& segment) {
  return {plan, segment.input, std::vector<bool>(segment.input.size(), true)};
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
    for (const ExprIndex conjunct : *plan::predicate_of(node_at(plan, filter))) text.hoist_pairs_of(conjunct);
  }
  emit_filters(plan, segment.filters, text, "break;");
  const std::string body = std::string("extern \"C\" __global__ void mask_rows(Input in, uint32_t* mask) {\n") +
                           warp_loop + text.prologue() + "    bool keep = false;\n    do {\n" + text.body() +
                           "    keep = live;\n    } while (false);\n" + store_mask;
  return {"mask_rows", source_text(text, {"cuda/fragments/column.cuh"}, body), text.literals()};
}

std::vector<OutputPlace> output_places(const plan::Plan& plan, const Segment& segment) {
  std::vector<OutputPlace> out;
  if (!segment.project) {
    for (size_t i = 0; i < segment.input.size(); ++i) out.push_back({static_cast<int32_t>(i), -1});
    return out;
  }
  int32_t outputs = 0;
  for (const ExprIndex expr : projected(plan, segment)) {
    if (expr_at(plan, expr).kind == plan::ExprKind::column)
      out.push_back({expr_at(plan, expr).column, -1});
    else
      out.push_back({-1, outputs++});
  }
  return out;
}

KernelText project_text(const plan::Plan& plan, const Segment& segment) {
  ExpressionText text = text_over(plan, segment);
  const auto places = output_places(plan, segment);
  const auto& exprs = projected(plan, segment);
  for (const ExprIndex expr : exprs) text.hoist_pairs_of(expr);
  for (size_t i = 0; i < places.size(); ++i) {
    if (places[i].output < 0) continue;
    const TypePtr type = expr_at(plan, exprs[i]).type;
    text.load_columns_of(exprs[i]);
    const Value value = text.emit(exprs[i]);
    if (!fixed_width(*type)) throw unsupported("computed values of " + type_name(*type) + " on the GPU");
    text.line("put<" + device_type(*type) + ">(outputs[" + std::to_string(places[i].output) + "], i, live, " +
              value.value + ", " + value.null + ");");
  }
  const std::string body =
      std::string("extern \"C\" __global__ void project_rows(Input in, const OutputView* outputs) {\n") + warp_loop +
      text.prologue() + text.body() + "  }\n}\n";
  return {"project_rows", source_text(text, {"cuda/fragments/column.cuh"}, body), text.literals()};
}

KernelText group_text(const plan::Plan& plan, const Segment& segment) {
  const auto& group = std::get<plan::HashGroupBy>(node_at(plan, *segment.group).op);
  const GroupLayout layout = group_layout(plan, group);
  ExpressionText text = text_over(plan, segment);
  emit_filters(plan, segment.filters, text, "continue;");
  const FusedText fused = emit_fused(plan, segment, text);
  text.line("++passed;");
  if (segment.project) emit_projection(plan, *segment.project, text);
  text.line("Row r{};");
  emit_row(plan, group, layout, text);
  const std::string key_words = std::to_string(layout.key_words), slot_words = std::to_string(layout.slot_words()),
                    state = std::to_string(1 + layout.key_words);
  const std::string body =
      row_text(layout) +
      "extern \"C\" __global__ void group_rows(Input in, GroupTable table, int shared_slots, uint32_t* overflow,\n"
      "                                      unsigned long long* overflow_count) {\n"
      "  extern __shared__ uint64_t slots[];\n"
      "  __shared__ unsigned long long used;\n"
      "  for (int i = threadIdx.x; i < shared_slots * " +
      slot_words +
      "; i += blockDim.x) slots[i] = 0;\n"
      "  if (threadIdx.x == 0) used = 0;\n"
      "  __syncthreads();\n"
      "  const GroupTable local{slots, static_cast<uint64_t>(shared_slots - 1), &used, "
      "static_cast<uint64_t>(shared_slots / 2)};\n"
      "  int misses = shared_slots == 0 ? 1 << 30 : 0, hits = 0;\n"
      "  unsigned passed = 0;\n" +
      fused.before +
      "  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;\n"
      "  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < in.count; i += step) {\n"
      "    const int64_t row = in.rows == nullptr ? in.first + i : in.rows[i];\n" +
      text.body() + "    const uint64_t hash = hash_words(key, " + key_words +
      ");\n"
      "    if (misses <= hits + 32) {\n"
      "      uint64_t* slot = find_group(local, " +
      slot_words + ", key, " + key_words +
      ", hash, 8, true);\n"
      "      if (slot != nullptr) {\n"
      "        update<true>(slot + " +
      state +
      ", r);\n"
      "        ++hits;\n"
      "        continue;\n"
      "      }\n"
      "      ++misses;\n"
      "    }\n"
      "    uint64_t* slot = find_group(table, " +
      slot_words + ", key, " + key_words +
      ", hash, table.mask + 1, true);\n"
      "    if (slot != nullptr)\n"
      "      update<false>(slot + " +
      state +
      ", r);\n"
      "    else\n"
      "      overflow[atomicAdd(overflow_count, 1ULL)] = static_cast<uint32_t>(row);\n"
      "  }\n"
      "  __syncthreads();\n" +
      fused.behind +
      "  const unsigned all_passed = __reduce_add_sync(0xffffffffu, passed);\n"
      "  if (in.rows == nullptr && (threadIdx.x & 31) == 0) atomicAdd(overflow_count + 2, static_cast<unsigned long "
      "long>(all_passed));\n"
      "  for (int s = threadIdx.x; s < shared_slots; s += blockDim.x) {\n"
      "    const uint64_t* slot = slots + static_cast<int64_t>(s) * " +
      slot_words +
      ";\n"
      "    if (slot[0] == 0) continue;\n"
      "    const uint64_t hash = hash_words(slot + 1, " +
      key_words +
      ");\n"
      "    uint64_t* into = find_group(table, " +
      slot_words + ", slot + 1, " + key_words +
      ", hash, table.mask + 1, false);\n"
      "    if (into != nullptr)\n"
      "      merge(into + " +
      state + ", slot + " + state +
      ");\n"
      "    else\n"
      "      atomicAdd(overflow_count + 1, 1ULL);\n"
      "  }\n"
      "}\n";
  return {"group_rows", source_text(text, {"cuda/fragments/column.cuh", "cuda/fragments/group_table.cuh"}, body),
          text.literals()};
}

KernelText finish_text(const plan::Plan& plan, const Segment& segment) {
  const auto& group = std::get<plan::HashGroupBy>(node_at(plan, *segment.group).op);
  const GroupLayout layout = group_layout(plan, group);
  const ExpressionText none = text_over(plan, segment);
  std::string puts;
  int32_t output = 0;
  const auto put = [&](const DataType& type) {
    return "put<" + device_type(type) + ">(outputs[" + std::to_string(output++) + "], i, ";
  };
  for (const auto& key : layout.keys) {
    puts += "    " + put(*key.type) + "live, " + key_value(key) + ", (key[" + std::to_string(key.null_word) + "] >> " +
            std::to_string(key.null_shift) + " & 1) != 0);\n";
  }
  for (const auto& aggregate : layout.aggregates)
    puts += "    " + finish_aggregate(aggregate, put(*aggregate.result)) + "\n";
  const std::string body =
      "extern \"C\" __global__ void finish_groups(const uint64_t* slots, const uint32_t* rows, int64_t count,\n"
      "                                         const OutputView* outputs, unsigned long long* failure) {\n"
      "  const int64_t end = (count + 31) / 32 * 32, step = static_cast<int64_t>(gridDim.x) * blockDim.x;\n"
      "  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < end; i += step) {\n"
      "    const bool live = i < count;\n"
      "    const uint64_t* key = slots + static_cast<int64_t>(rows[live ? i : 0]) * " +
      std::to_string(layout.slot_words()) +
      " + 1;\n"
      "    const uint64_t* w = key + " +
      std::to_string(layout.key_words) + ";\n" + puts + "  }\n}\n";
  return {
      "finish_groups",
      source_text(
          none, {"cuda/fragments/column.cuh", "cuda/fragments/group_table.cuh", "ops/decimal.hpp", "ops/extended.hpp"},
          body),
      {}};
}

std::vector<KernelText> kernel_texts(const plan::Plan& plan, const Segment& segment) {
  if (segment.sort) return {};
  if (segment.join) return {key_text(plan, segment), probe_text(plan, segment)};
  if (segment.group) return {group_text(plan, segment), finish_text(plan, segment)};
  std::vector<KernelText> out;
  if (!segment.filters.empty()) out.push_back(mask_text(plan, segment));
  if (segment.project) {
    const auto places = output_places(plan, segment);
    for (const auto& place : places) {
      if (place.output < 0) continue;
      out.push_back(project_text(plan, segment));
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
