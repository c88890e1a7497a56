#include "jit/group_text.hpp"

#include <algorithm>

#include "jit/device_type.hpp"
#include "jit/kernel_source.hpp"
#include "jit/step_text.hpp"

namespace quern::jit {

namespace {

using plan::ExprIndex;

const plan::HashGroupBy& group_of(const plan::Plan& plan, const Segment& segment) {
  return std::get<plan::HashGroupBy>(plan.nodes[static_cast<size_t>(*segment.group)].op);
}

std::string key_word(int32_t word) {
  return word == KeyPlace::in_marks ? "key.marks" : "key.words[" + std::to_string(word) + "]";
}

// Statements over an aggregate's words w: one row `r` comes in, the words `from` of another slot come in, words in
// shared memory become those of a slot.
struct AggregateText {
  std::string update, merge, plain;
};

AggregateText aggregate_text(const AggregatePlace& place, size_t index) {
  const auto word = [&](int32_t i) { return "w + " + std::to_string(place.word + i); };
  const auto from = [&](int32_t i) { return "from[" + std::to_string(place.word + i) + "]"; };
  const std::string id = std::to_string(index), value = "r.a" + id,
                    sum = word(0) + ", from + " + std::to_string(place.word);
  const auto counted = [&](int32_t i) { return "add_word(" + word(i) + ", 1);"; };
  const auto merged = [&](int32_t i) { return "add_word(" + word(i) + ", " + from(i) + ");"; };
  const auto copied = [&](int32_t first) {
    std::string out;
    for (int32_t i = first; i < place.words; ++i)
      out += "to[" + std::to_string(place.word + i) + "] = *word_of(" + word(i) + "); ";
    return out;
  };
  // Only NULL or not depends on whether rows came.
  const auto marked = [&](const std::string& first, int32_t flag) {
    return "if (" + first + ") mark(" + word(flag) + ");";
  };
  const auto if_any = [&](int32_t flag, const std::string& then) {
    return "if (" + from(flag) + " != 0) { " + then + " }";
  };
  const std::string row = "if (r.p" + id + ") ";
  switch (place.kind) {
    case AggregateKind::count_rows:
    case AggregateKind::count:
      return {row + counted(0), merged(0), copied(0)};
    case AggregateKind::sum_narrow: {
      const auto add = [&](const std::string& what) { return marked("add_word(" + word(0) + ", " + what + ")", 1); };
      return {row + "{ " + add("static_cast<uint64_t>(static_cast<int64_t>(" + value + "))") + " }",
              if_any(1, add(from(0))), copied(0)};
    }
    case AggregateKind::sum_exact:
      return {row + "add_sum(" + word(0) + ", static_cast<int64_t>(" + value + "));", "merge_sum(" + sum + ");",
              "plain_sum(" + word(0) + ", to + " + std::to_string(place.word) + ");"};
    case AggregateKind::mean_exact:
      return {row + "{ add_sum(" + word(0) + ", static_cast<int64_t>(" + value + ")); " + counted(2) + " }",
              "merge_sum(" + sum + "); " + merged(2),
              "plain_sum(" + word(0) + ", to + " + std::to_string(place.word) + "); " + copied(2)};
    case AggregateKind::sum_wide:
      return {row + "{ add_wide(" + word(0) + ", static_cast<int128_t>(" + value + ")); mark(" + word(3) + "); }",
              if_any(3, "merge_wide(" + sum + "); mark(" + word(3) + ");"), copied(0)};
    case AggregateKind::mean_wide:
      return {row + "{ add_wide(" + word(0) + ", static_cast<int128_t>(" + value + ")); " + counted(3) + " }",
              if_any(3, "merge_wide(" + sum + "); " + merged(3)), copied(0)};
    case AggregateKind::sum_real: {
      const auto add = [&](const std::string& what) { return marked("add_real(" + word(0) + ", " + what + ")", 1); };
      return {row + "{ " + add("static_cast<double>(" + value + ")") + " }",
              if_any(1, add("ops::bit_cast<double>(" + from(0) + ")")), copied(0)};
    }
    case AggregateKind::mean_real:
      return {row + "{ add_real(" + word(0) + ", static_cast<double>(" + value + ")); " + counted(1) + " }",
              if_any(1, "add_real(" + word(0) + ", ops::bit_cast<double>(" + from(0) + ")); " + merged(1)), copied(0)};
    case AggregateKind::least:
    case AggregateKind::greatest: {
      const std::string order = "order_word<" + device_type(*place.argument) + ">(" + value + ")";
      return {row + "raise(" + word(0) + ", " + (place.kind == AggregateKind::least ? "~" : "") + order + ");",
              if_any(1, "raise(" + word(0) + ", " + from(0) + ");"), copied(0)};
    }
  }
  throw internal_error("an aggregate without a row");
}

// The numbers of a key of strings, behind the columns of the input that has them and the numbers of keys before it.
StringKey place_string(const plan::Plan& plan, const Segment& segment, const ColumnPlace& column,
                       const std::vector<StringKey>& before) {
  size_t columns = segment.input.size() + made_keys(plan, group_of(plan, segment)).size();
  if (column.join >= 0) {
    int32_t joins = 0;
    for (const auto fused : segment.fused) {
      const auto& node = plan.nodes[static_cast<size_t>(fused)];
      if (!std::holds_alternative<plan::Join>(node.op) || joins++ != column.join) continue;
      columns = plan.nodes[static_cast<size_t>(node.inputs[1])].output.size();
    }
  }
  const auto others =
      std::count_if(before.begin(), before.end(), [&](const StringKey& key) { return key.join == column.join; });
  return {column.join, column.column, static_cast<int32_t>(columns) + static_cast<int32_t>(others)};
}

ColumnPlace made_column(size_t index) {
  ColumnPlace out;
  out.row = "row";
  out.column = static_cast<int32_t>(index);
  return out;
}

// Loads keys and arguments into `key` and `r`; gives the keys of strings.
std::vector<StringKey> emit_row(const plan::Plan& plan, const Segment& segment, const GroupLayout& layout,
                                ExpressionText& text) {
  const plan::HashGroupBy& group = group_of(plan, segment);
  std::vector<StringKey> strings;
  size_t made = 0;
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
  text.line("key = {};");
  for (size_t i = 0; i < group.keys.size(); ++i) {
    const KeyPlace& place = layout.keys[i];
    Value value;
    if (is_numbered(*plan.exprs[static_cast<size_t>(group.keys[i])].type)) {
      const bool is_made = plan.exprs[static_cast<size_t>(group.keys[i])].kind != plan::ExprKind::column;
      const ColumnPlace column =
          is_made ? made_column(segment.input.size() + made++) : string_column(plan, group.keys[i], text);
      strings.push_back(place_string(plan, segment, column, strings));
      value = emit_number(strings.back(), column, text);
    } else {
      text.load_columns_of(group.keys[i]);
      value = text.emit(group.keys[i]);
    }
    const std::string word = key_word(place.word), type = device_type(*place.type);
    const std::string guard = value.nullable() ? "if (!" + value.null + ") " : "";
    if (place.type->kind == TypeKind::interval) {
      text.line(guard + "interval_words(" + value.value + ", " + word + ", " + key_word(place.word + 1) + ");");
    } else if (place.words == 2) {
      text.line(guard + "{ " + word + " = static_cast<uint64_t>(" + value.value + "); " + key_word(place.word + 1) +
                " = static_cast<uint64_t>(" + value.value + " >> 64); }");
    } else {
      const int32_t bytes = width(*place.type);
      const std::string mask = bytes == 8 ? "" : " & " + std::to_string((1ULL << bytes * 8) - 1) + "ULL";
      text.line(guard + word + " |= (key_word<" + type + ">(" + value.value + ")" + mask + ") << " +
                std::to_string(place.shift) + ";");
    }
    if (value.nullable()) {
      text.line(key_word(place.null_word) + " |= static_cast<uint64_t>(" + value.null + ") << " +
                std::to_string(place.null_shift) + ";");
    }
  }
  return strings;
}

// struct Groups: what the fragments ask of a group-by.
std::string groups_text(const GroupLayout& layout) {
  std::string fields, update, merge, plain;
  for (size_t i = 0; i < layout.aggregates.size(); ++i) {
    const auto& place = layout.aggregates[i];
    const std::string id = std::to_string(i);
    fields += "    bool p" + id + ";\n";
    if (place.argument && place.kind != AggregateKind::count)
      fields += "    " + device_type(*place.argument) + " a" + id + ";\n";
    const AggregateText text = aggregate_text(place, i);
    update += "    " + text.update + "\n";
    merge += "    " + text.merge + "\n";
    plain += "    " + text.plain + "\n";
  }
  const auto number = [](const std::string& name, int32_t value) {
    return "  static constexpr int " + name + " = " + std::to_string(value) + ";\n";
  };
  const bool word_is_key = layout.keys.size() == 1 && layout.key_words == 1;
  return "struct Groups {\n  static constexpr bool word_is_key = " + std::string(word_is_key ? "true" : "false") +
         ";\n" + number("key_words", layout.key_words) + number("mark_bits", layout.mark_bits) +
         number("aggregate_words", layout.aggregate_words) + number("slot_words", layout.slot_words()) +
         number("rows_a_thread", rows_a_thread(layout)) + "  struct Row {\n" + fields +
         "  };\n  template <typename Words>\n  __device__ static void update(Words w, const Row& r) {\n" + update +
         "  }\n  template <typename Words>\n  __device__ static void merge(Words w, const uint64_t* from) {\n" + merge +
         "  }\n  __device__ static void plain(BlockWords w, uint64_t* to) {\n" + plain + "  }\n};\n\n";
}

std::string key_value(const KeyPlace& place) {
  const std::string word = "key[" + std::to_string(place.word) + "]", type = device_type(*place.type);
  if (place.type->kind == TypeKind::interval)
    return "from_interval_words(" + word + ", key[" + std::to_string(place.word + 1) + "])";
  if (place.words == 2) {
    return "static_cast<" + type + ">((static_cast<uint128_t>(key[" + std::to_string(place.word + 1) + "]) << 64) | " +
           word + ")";
  }
  return "from_key_word<" + type + ">(" + word + " >> " + std::to_string(place.shift) + ")";
}

// Value and null flag of an aggregate's result over its words w.
std::string finish_aggregate(const AggregatePlace& place, const std::string& put) {
  const auto word = [&](int32_t i) { return "w[" + std::to_string(place.word + i) + "]"; };
  const bool wide = place.kind == AggregateKind::sum_wide || place.kind == AggregateKind::mean_wide;
  const std::string sum = "const int128_t sum = " + (wide ? "static_cast<int128_t>((static_cast<uint128_t>(" + word(1) +
                                                                ") << 64) | " + word(0) + ");"
                                                          : "sum_of(w + " + std::to_string(place.word) + ");");
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
    case AggregateKind::sum_exact:
    case AggregateKind::sum_wide: {
      const bool two = place.kind == AggregateKind::sum_exact;
      // The third word holds the sign of a sum that fits 128 bits.
      return "{ " + sum + " const bool fits = " + (two ? "" : word(2) + " == (sum < 0 ? ~0ULL : 0ULL) && ") +
             "ops::in_precision(sum, ops::decimal_limit);" +
             " if (live && !fits) atomicMin(failure, static_cast<unsigned long long>(i)); " +
             result("sum", two ? "(" + word(1) + " & 1) == 0" : word(3) + " == 0") + " }";
    }
    case AggregateKind::mean_exact:
    case AggregateKind::mean_wide: {
      const int scale = place.argument->kind == TypeKind::decimal ? place.argument->scale : 0;
      return "{ " + sum + " const int64_t n = static_cast<int64_t>(" + word(place.words - 1) + "); " +
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

// What all kernels that read rows have in common.
struct RowsText {
  std::string groups;  // struct Groups
  std::string input;   // first parameters
  std::string begin;   // of the kernel: `in` and `read`
  std::string source;  // how blocks get the rows of their tiles
  std::string end;     // counts, of the kernel that sees every row once
  std::vector<ColumnPtr> literals;
  std::set<std::string> headers;
  std::vector<StringKey> strings;
};

RowsText rows_text(const plan::Plan& plan, const Segment& segment, const GroupLayout& layout) {
  const std::vector<bool> nullable(segment.input.size(), true);
  ExpressionText probe(plan, segment.input, nullable), load(plan, segment.input, nullable);
  const FusedText fused = emit_fused(plan, segment, probe, load, "return false;");
  emit_filters(plan, segment.filters, load, "return false;");
  load.line("++passed;");
  if (segment.project) emit_projection(plan, *segment.project, load);
  const std::string parameters = ", GroupKey<Groups::key_words>& key, Groups::Row& r) {\n";
  RowsText out;
  out.strings = emit_row(plan, segment, layout, load);
  const auto numbers =
      static_cast<std::ptrdiff_t>(made_keys(plan, group_of(plan, segment)).size()) +
      std::count_if(out.strings.begin(), out.strings.end(), [](const auto& key) { return key.join < 0; });
  out.groups = groups_text(layout);
  const bool held = holds_columns(segment);
  out.input = "Input input, ";
  if (held)
    out.input += "const __grid_constant__ HeldColumns<" +
                 std::to_string(segment.input.size() + static_cast<size_t>(numbers)) + "> columns, ";
  out.begin =
      std::string(held ? "  const Input in = with_columns(input, columns);\n" : "  const Input& in = input;\n") +
      "  unsigned passed = 0;\n" + fused.before;
  if (fused.joins == 0) {
    out.begin += "  const auto read = [&](int64_t row" + parameters + load.body() + "    return true;\n  };\n";
    out.source = "  const OwnRows<Groups, decltype(read)> source{in, read};\n";
  } else {
    const std::string joins = std::to_string(fused.joins), joined = "JoinedRow<" + joins + ">";
    out.begin += "  const auto probe = [&](int64_t row, " + joined +
                 "& found) {\n    found.row = static_cast<uint32_t>(row);\n" + probe.body() +
                 "    return true;\n  };\n  const auto load = [&](const " + joined + "& found" + parameters +
                 "    const int64_t row = found.row;\n" + load.body() + "    return true;\n  };\n" +
                 "  const auto read = [&](int64_t row" + parameters + "    " + joined +
                 " found;\n    return probe(row, found) && load(found, key, r);\n  };\n";
    out.source = "  __shared__ unsigned kept;\n  auto* list = reinterpret_cast<" + joined +
                 "*>(reinterpret_cast<char*>(memory) + slots * block_slot_bytes(Groups::key_words + "
                 "Groups::aggregate_words));\n  const JoinedRows<Groups, " +
                 joins + ", decltype(probe), decltype(load)> source{in, list, &kept, probe, load};\n";
  }
  out.end = fused.behind + "  count_passed(in, counters, passed);\n";
  out.literals = load.literals();
  out.headers = load.headers();
  out.headers.insert(probe.headers().begin(), probe.headers().end());
  return out;
}

// Of blocks of `threads` at most, of which as many as `blocks` run on a multiprocessor.
KernelText kernel_of(const std::string& name, int32_t threads, int32_t blocks, const std::string& parameters,
                     const RowsText& rows, const std::string& body) {
  std::set<std::string> headers = rows.headers;
  headers.insert("cuda/fragments/group_parts.cuh");
  return {
      name,
      source_text(headers, rows.groups + "extern \"C\" __global__ void __launch_bounds__(" + std::to_string(threads) +
                               ", " + std::to_string(blocks) + ") " + name + "(" + parameters + ") {\n" + body + "}\n"),
      rows.literals};
}

KernelText finish_text(const GroupLayout& layout) {
  std::string puts;
  int32_t output = 0;
  const auto put = [&](const DataType& type) {
    return "put<" + device_type(type) + ">(outputs[" + std::to_string(output++) + "], i, ";
  };
  for (const auto& key : layout.keys) {
    const std::string place = key.null_word == KeyPlace::in_marks
                                  ? "key[-1] >> " + std::to_string(key.null_shift + 2)
                                  : "key[" + std::to_string(key.null_word) + "] >> " + std::to_string(key.null_shift);
    puts += "    " + put(*key.type) + "live, " + key_value(key) + ", (" + place + " & 1) != 0);\n";
  }
  for (const auto& aggregate : layout.aggregates)
    puts += "    " + finish_aggregate(aggregate, put(*aggregate.result)) + "\n";
  const std::string body =
      "extern \"C\" __global__ void finish_groups(const uint64_t* slots, const uint32_t* rows,\n"
      "                                         const unsigned long long* counted, int64_t bound,\n"
      "                                         const OutputView* outputs, unsigned long long* failure) {\n"
      "  const int64_t groups = static_cast<int64_t>(*counted), count = groups < bound ? groups : bound;\n"
      "  const int64_t end = (count + 31) / 32 * 32, step = static_cast<int64_t>(gridDim.x) * blockDim.x;\n"
      "  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < end; i += step) {\n"
      "    const bool live = i < count;\n"
      "    const int64_t slot = !live ? 0 : rows == nullptr ? i : rows[i];\n"
      "    const uint64_t* key = slots + slot * " +
      std::to_string(layout.slot_words()) +
      " + 1;\n"
      "    const uint64_t* w = key + " +
      std::to_string(layout.key_words) + ";\n" + puts + "  }\n}\n";
  return {
      "finish_groups",
      source_text(
          {"cuda/fragments/column.cuh", "cuda/fragments/group_table.cuh", "ops/decimal.hpp", "ops/extended.hpp"}, body),
      {}};
}

std::vector<TypePtr> made_types(const plan::Plan& plan, const plan::HashGroupBy& group) {
  std::vector<TypePtr> out;
  for (const auto key : made_keys(plan, group)) out.push_back(plan.exprs[static_cast<size_t>(key)].type);
  return out;
}

std::optional<KernelText> made_text(const plan::Plan& plan, const Segment& segment) {
  const auto made = made_keys(plan, group_of(plan, segment));
  if (made.empty()) return std::nullopt;
  return values_text(plan, segment, made, "make_keys");
}

}  // namespace

bool holds_columns(const Segment& segment) { return !segment.input.empty() && segment.input.size() <= 40; }

int32_t rows_a_thread(const GroupLayout& layout) {
  int32_t words = layout.key_words;
  for (const auto& place : layout.aggregates) {
    if (place.argument && place.kind != AggregateKind::count) words += place.wide_argument() ? 2 : 1;
  }
  return words <= 3 ? 4 : words <= 6 ? 2 : 1;
}

GroupTexts group_texts(const plan::Plan& plan, const Segment& segment) {
  const GroupLayout layout = group_layout(plan, group_of(plan, segment));
  const RowsText rows = rows_text(plan, segment, layout);
  const std::string shared = "  extern __shared__ __align__(16) uint64_t memory[];\n  __shared__ unsigned used;\n",
                    block = "block_table<Groups>(memory, slots, &used)";
  const bool narrow = rows_a_thread(layout) == 4;
  return {
      kernel_of("group_blocks", 384, narrow ? 3 : 1,
                rows.input + "GroupTable table, GroupSpill spill, uint32_t* returned, int slots, unsigned full,\n"
                             "    GroupCounters* counters",
                rows,
                shared + rows.begin + rows.source + "  group_in_blocks<Groups>(in, " + block +
                    ", full, table, spill, returned, counters, source);\n" + rows.end),
      kernel_of("group_table", 256, narrow ? 6 : 2,
                rows.input + "GroupTable table, uint32_t* overflow, GroupCounters* counters", rows,
                rows.begin + "  group_in_table<Groups>(in, table, overflow, counters, read);\n" + rows.end),
      kernel_of("merge_groups", 256, narrow ? 6 : 2,
                "const uint64_t* slots, int64_t count, GroupTable table, GroupCounters* counters", rows,
                "  merge_slots<Groups>(slots, count, table, counters);\n"),
      kernel_of("partition_groups", 512, 2, rows.input + "GroupParts parts, GroupCounters* counters", rows,
                rows.begin + "  partition_rows<Groups>(in, parts, counters, read);\n" + rows.end),
      kernel_of("group_parts", 256, narrow ? 5 : 2,
                rows.input + "GroupParts parts, int slots, const uint64_t* from, uint64_t* out, uint64_t capacity,\n"
                             "    GroupCounters* counters",
                rows,
                shared + rows.begin + "  group_in_parts<Groups>(" + block +
                    ", parts, from, out, capacity, counters, read);\n"),
      finish_text(layout),
      rows.strings,
      made_text(plan, segment),
      made_types(plan, group_of(plan, segment)),
  };
}

}  // namespace quern::jit
