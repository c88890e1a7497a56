#include "jit/pipeline_text.hpp"

#include <algorithm>

#include "jit/device_type.hpp"
#include "jit/expression_text.hpp"
#include "jit/list_pair_text.hpp"
#include "plan/validate.hpp"

namespace quern::jit {

namespace {

using plan::ExprIndex;
using plan::NodeIndex;

const plan::Node& node_at(const plan::Plan& plan, NodeIndex node) { return plan.nodes[static_cast<size_t>(node)]; }
const plan::Expr& expr_at(const plan::Plan& plan, ExprIndex expr) { return plan.exprs[static_cast<size_t>(expr)]; }

const std::vector<ExprIndex>& projected(const plan::Plan& plan, const Segment& segment) {
  return std::get<plan::Project>(node_at(plan, *segment.project).op).exprs;
}

std::string source_text(const ExpressionText& text, const std::set<std::string>& more, const std::string& body) {
  std::set<std::string> headers = text.headers();
  headers.insert(more.begin(), more.end());
  std::string out;
  for (const auto& header : headers) out += "#include \"" + header + "\"\n";
  return out + "using namespace quern;\nusing namespace quern::cuda;\n\n" + body;
}

void emit_filters(const plan::Plan& plan, const Segment& segment, ExpressionText& text, const std::string& otherwise) {
  for (const NodeIndex filter : segment.filters)
    text.emit_filter(*plan::predicate_of(node_at(plan, filter)), otherwise);
}

// Columns that the expressions refer to.
void collect_columns(const plan::Plan& plan, ExprIndex root, std::vector<bool>& found) {
  const auto& expr = expr_at(plan, root);
  if (expr.kind == plan::ExprKind::column) found.at(static_cast<size_t>(expr.column)) = true;
  for (const ExprIndex arg : expr.args) collect_columns(plan, arg, found);
}

std::vector<bool> group_columns(const plan::Plan& plan, const plan::HashGroupBy& group, size_t columns) {
  std::vector<bool> found(columns, false);
  for (const ExprIndex key : group.keys) collect_columns(plan, key, found);
  for (const auto& aggregate : group.aggregates) {
    for (const ExprIndex arg : aggregate.args) collect_columns(plan, arg, found);
    if (aggregate.filter) collect_columns(plan, *aggregate.filter, found);
  }
  return found;
}

// The projection below a group-by: its computed values, and of its columns those that the group-by reads.
void emit_projection(const plan::Plan& plan, const Segment& segment, const plan::HashGroupBy& group,
                     ExpressionText& text) {
  const auto& exprs = projected(plan, segment);
  const auto read = group_columns(plan, group, exprs.size());
  std::vector<Value> values;
  for (size_t i = 0; i < exprs.size(); ++i) {
    if (!read[i] && expr_at(plan, exprs[i]).kind == plan::ExprKind::column) {
      values.push_back({"unread", "false"});
      continue;
    }
    text.load_columns_of(exprs[i]);
    values.push_back(text.emit(exprs[i]));
  }
  text.rebind(std::move(values));
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

std::vector<TypePtr> types_of(const plan::Node& node) {
  std::vector<TypePtr> out;
  for (const auto& field : node.output) out.push_back(field.type);
  return out;
}

ExpressionText text_over(const plan::Plan& plan, const Segment& segment) {
  return {plan, segment.input, std::vector<bool>(segment.input.size(), true)};
}

// A loop over whole warps: `row` of a lane past the end is the first row.
const char* const warp_loop =
    "  const int64_t end = (in.count + 31) / 32 * 32, step = static_cast<int64_t>(gridDim.x) * blockDim.x;\n"
    "  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < end; i += step) {\n"
    "    const bool live = i < in.count;\n"
    "    const int64_t at = live ? i : 0;\n"
    "    const int64_t row = in.rows == nullptr ? in.first + at : in.rows[at];\n";

void require_sort_keys(const plan::Plan& plan, const std::vector<plan::SortKey>& keys) {
  for (const auto& key : keys) {
    const auto& expr = expr_at(plan, key.expr);
    const DataType& type = *expr.type;
    if (expr.kind != plan::ExprKind::column) throw unsupported("sorting by computed values on the GPU");
    if (!fixed_width(type) || type.kind == TypeKind::interval || type.kind == TypeKind::uuid)
      throw unsupported("sorting by " + type_name(type) + " on the GPU");
  }
}

bool holds_list_pairs(const plan::Plan& plan, const Segment& segment) {
  const auto any = [&](const std::vector<ExprIndex>& exprs) {
    return std::any_of(exprs.begin(), exprs.end(), [&](ExprIndex expr) { return holds_list_pair(plan, expr); });
  };
  return (segment.project && any(projected(plan, segment))) ||
         std::any_of(segment.filters.begin(), segment.filters.end(),
                     [&](NodeIndex filter) { return any(*plan::predicate_of(node_at(plan, filter))); });
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
    const bool open = !out.empty() && !out.back().group && !out.back().sort;
    const bool apart = open && std::holds_alternative<plan::HashGroupBy>(node.op) && holds_list_pairs(plan, out.back());
    if (std::holds_alternative<plan::Scan>(node.op)) {
      if (!plan::predicate_of(node)->empty()) start().filters.push_back(index);
    } else if (std::holds_alternative<plan::Filter>(node.op)) {
      (open && !out.back().project ? out.back() : start()).filters.push_back(index);
    } else if (std::holds_alternative<plan::Project>(node.op)) {
      (open && !out.back().project ? out.back() : start()).project = index;
    } else if (std::holds_alternative<plan::HashGroupBy>(node.op)) {
      (open && !apart ? out.back() : start()).group = index;
    } else if (const auto* keys = sort_keys(node)) {
      require_sort_keys(plan, *keys);
      start().sort = index;
    } else {
      throw unsupported("operator " + plan::node_kind(node) + " on the GPU");
    }
  }
  return out;
}

KernelText mask_text(const plan::Plan& plan, const Segment& segment) {
  ExpressionText text = text_over(plan, segment);
  for (const NodeIndex filter : segment.filters) {
    for (const ExprIndex conjunct : *plan::predicate_of(node_at(plan, filter))) text.hoist_pairs_of(conjunct);
  }
  emit_filters(plan, segment, text, "break;");
  const std::string body = std::string("extern \"C\" __global__ void mask_rows(Input in, uint32_t* mask) {\n") +
                           warp_loop + text.prologue() + "    bool keep = false;\n    do {\n" + text.body() +
                           "    keep = live;\n    } while (false);\n" +
                           "    const unsigned bits = __ballot_sync(0xffffffffu, keep);\n" +
                           "    if ((threadIdx.x & 31) == 0) mask[i >> 5] = bits;\n  }\n}\n";
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
  emit_filters(plan, segment, text, "continue;");
  text.line("++passed;");
  if (segment.project) emit_projection(plan, segment, group, text);
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
      "  unsigned passed = 0;\n"
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
      "  __syncthreads();\n"
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

const std::vector<plan::SortKey>* sort_keys(const plan::Node& node) {
  if (const auto* sort = std::get_if<plan::Sort>(&node.op)) return &sort->keys;
  if (const auto* top_k = std::get_if<plan::TopK>(&node.op)) return &top_k->keys;
  return nullptr;
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
