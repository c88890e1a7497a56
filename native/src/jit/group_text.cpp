#include "jit/group_text.hpp"

#include <algorithm>

#include "jit/aggregate_text.hpp"
#include "jit/device_type.hpp"
#include "jit/kernel_source.hpp"
#include "jit/step_text.hpp"

namespace quern::jit {

namespace {

using plan::ExprIndex;

// Rows of more words than these do not go to parts: they are held in registers on the way.
constexpr int32_t most_record_words = 8;

const plan::HashGroupBy& group_of(const plan::Plan& plan, const Segment& segment) {
  return std::get<plan::HashGroupBy>(plan.nodes[static_cast<size_t>(*segment.group)].op);
}

std::string key_word(int32_t word) {
  return word == KeyPlace::in_marks ? "key.marks" : "key.words[" + std::to_string(word) + "]";
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

// What keys and arguments of rows are.
struct LoadedRow {
  bool whole = true;               // every row has all arguments, no filter keeps one from an aggregate, no key is NULL
  std::vector<StringKey> strings;  // keys of strings
};

// Loads keys and arguments into `key` and `r`.
LoadedRow emit_row(const plan::Plan& plan, const Segment& segment, const GroupLayout& layout, ExpressionText& text) {
  const plan::HashGroupBy& group = group_of(plan, segment);
  LoadedRow out;
  size_t made = 0;
  for (size_t i = 0; i < group.aggregates.size(); ++i) {
    const auto& aggregate = group.aggregates[i];
    const auto& place = layout.aggregates[i];
    if (place.reads != static_cast<int32_t>(i)) continue;
    const std::string id = std::to_string(i);
    std::string present = "true";
    if (aggregate.filter) {
      text.load_columns_of(*aggregate.filter);
      const Value passes = text.emit(*aggregate.filter);
      present = "!" + passes.null + " && " + passes.value + " != 0";
      out.whole = false;
    }
    text.line("r.p" + id + " = " + present + ";");
    if (aggregate.args.empty()) continue;
    for (const auto arg : aggregate.args) text.load_columns_of(arg);
    const bool guarded = aggregate.filter.has_value();
    if (guarded) text.line("if (r.p" + id + ") {");
    for (size_t a = 0; a < aggregate.args.size(); ++a) {
      const Value argument = text.emit(aggregate.args[a]);
      if (place.picks()) {
        const std::string last = place.kind == AggregateKind::last ? "true" : "false";
        text.line("r.a" + id + " = placed(static_cast<uint64_t>(in.before + row), " + last + ", !" + argument.null +
                  ", raw_word<" + device_type(*place.argument) + ">(" + argument.value + "));");
        if (place.fn != "any_value") continue;
      } else if (place.takes_value()) {
        text.line((a == 0 ? "r.a" : "r.b") + id + " = " + argument.value + ";");
      }
      if (argument.nullable()) text.line("r.p" + id + " = r.p" + id + " && !" + argument.null + ";");
      out.whole &= !argument.nullable();
    }
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
      out.strings.push_back(place_string(plan, segment, column, out.strings));
      value = emit_number(out.strings.back(), column, text);
    } else {
      text.load_columns_of(group.keys[i]);
      value = text.emit(group.keys[i]);
    }
    out.whole &= !value.nullable();
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
  return out;
}

// Of what a row brings to an aggregate.
std::string row_type(const AggregatePlace& place) { return place.picks() ? "uint128_t" : device_type(*place.argument); }

// Whether rows fit records: flags have one word.
bool has_records(const GroupLayout& layout) {
  return layout.row_words() + 1 <= most_record_words && layout.mark_bits + layout.aggregates.size() <= 64;
}

int32_t record_words(const GroupLayout& layout, bool whole) {
  return has_records(layout) ? layout.row_words() + (whole ? 0 : 1) : 0;
}

// How rows become records of parts and rows again. Rows of which all are whole need no flags.
std::string record_text(const GroupLayout& layout, bool whole) {
  if (!has_records(layout)) return "";
  std::string pack, unpack, flags = "key.marks", set;
  int32_t at = 0, bit = layout.mark_bits;
  const auto word = [](const std::string& name, int32_t i) { return name + "[" + std::to_string(i) + "]"; };
  for (; at < layout.key_words; ++at) {
    const std::string number = std::to_string(at);
    pack += "    to[" + number + "] = key.words[" + number + "];\n";
    unpack += "    key.words[" + number + "] = from[" + number + "];\n";
  }
  for (size_t i = 0; i < layout.aggregates.size(); ++i) {
    const auto& place = layout.aggregates[i];
    if (place.reads != static_cast<int32_t>(i)) continue;
    const std::string id = std::to_string(i), flag = std::to_string(bit++);
    flags += " | static_cast<uint64_t>(r.p" + id + ") << " + flag;
    set += "    r.p" + id + " = " + (whole ? "true" : "(flags >> " + flag + " & 1) != 0") + ";\n";
    if (!place.takes_value()) continue;
    const std::string type = row_type(place);
    const auto packed = [&](const std::string& name) {
      pack += "    " + word("to", at) + " = raw_word<" + type + ">(" + name + ");\n";
      unpack += "    " + name + " = from_key_word<" + type + ">(" + word("from", at++) + ");\n";
    };
    if (place.of_pairs() || place.row_words() == 1) {
      packed("r.a" + id);
      if (place.of_pairs()) packed("r.b" + id);
    } else {
      pack += "    " + word("to", at) + " = static_cast<uint64_t>(r.a" + id + ");\n    " + word("to", at + 1) +
              " = static_cast<uint64_t>(r.a" + id + " >> 64);\n";
      unpack += "    r.a" + id + " = static_cast<" + type + ">(static_cast<uint128_t>(" + word("from", at + 1) +
                ") << 64 | " + word("from", at) + ");\n";
      at += 2;
    }
  }
  if (!whole) pack += "    " + word("to", at) + " = " + flags + ";\n";
  const std::string marks = whole ? "    key.marks = 0;\n"
                                  : "    const uint64_t flags = " + word("from", at) +
                                        ";\n    key.marks = static_cast<uint32_t>(flags & " +
                                        std::to_string((1ULL << layout.mark_bits) - 1) + "ULL);\n";
  return "  static constexpr int record_words = " + std::to_string(record_words(layout, whole)) +
         ";\n  template <typename Key>\n  __device__ static void pack(const Key& key, const Row& r, uint64_t "
         "(&to)[record_words]) {\n" +
         pack +
         "  }\n  template <typename Key>\n  __device__ static void unpack(const uint64_t (&from)[record_words], Key& "
         "key, Row& r) {\n" +
         unpack + marks + set + "  }\n";
}

// struct Groups: what the fragments ask of a group-by.
std::string groups_text(const GroupLayout& layout, bool whole) {
  std::string fields, update, merge, plain, whole_row;
  // Only they gain from knowing that their flags are set.
  const bool settle = std::any_of(layout.aggregates.begin(), layout.aggregates.end(), [](const AggregatePlace& place) {
    return place.kind == AggregateKind::sum_narrow || place.kind == AggregateKind::sum_real ||
           place.kind == AggregateKind::mean_real;
  });
  whole_row = settle ? "true" : "false";
  for (size_t i = 0; i < layout.aggregates.size(); ++i) {
    const auto& place = layout.aggregates[i];
    const std::string id = std::to_string(i);
    if (place.reads == static_cast<int32_t>(i)) {
      fields += "    bool p" + id + ";\n";
      if (settle) whole_row += " && r.p" + id;
      if (place.takes_value()) fields += "    " + row_type(place) + " a" + id + ";\n";
      if (place.of_pairs()) fields += "    " + row_type(place) + " b" + id + ";\n";
    }
    if (!place.owns) continue;
    const AggregateText text = aggregate_text(place);
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
         "  };\n  template <typename Words>\n  __device__ static void update(Words w, const Row& r, bool settled = "
         "false) {\n" +
         update +
         "  }\n  template <typename Words>\n  __device__ static void merge(Words w, const uint64_t* from) {\n" + merge +
         "  }\n  __device__ static bool settles(const Row& r) { return " + whole_row +
         "; }\n  __device__ static void plain(BlockWords w, uint64_t* to) {\n" + plain + "  }\n" +
         record_text(layout, whole) + "};\n\n";
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

const std::string block_memory = "  extern __shared__ __align__(16) uint64_t memory[];\n  __shared__ unsigned used;\n";

// What all kernels that read rows have in common.
struct RowsText {
  std::string groups;  // struct Groups
  std::string input;   // first parameters
  std::string begin;   // of the kernel: `in` and `read`
  std::string source;  // how blocks get the rows of their tiles
  std::string end;     // counts, of the kernel that sees every row once
  bool whole = false;  // emit_row
  std::vector<ColumnPtr> literals;
  std::set<std::string> headers;
  std::vector<StringKey> strings;
};

RowsText rows_text(const plan::Plan& plan, const Segment& segment, const GroupLayout& layout,
                   const std::vector<bool>& nullable) {
  ExpressionText probe(plan, segment.input, nullable), load(plan, segment.input, nullable);
  RowsText out;
  const FusedText fused = emit_fused(plan, segment, probe, load, "return false;");
  emit_filters(plan, segment.filters, load, "return false;");
  load.line("++passed;");
  if (segment.project) emit_projection(plan, *segment.project, load);
  LoadedRow loaded = emit_row(plan, segment, layout, load);
  out.whole = loaded.whole;
  out.strings = std::move(loaded.strings);
  const std::string parameters = ", GroupKey<Groups::key_words>& key, Groups::Row& r) {\n";
  const auto numbers =
      static_cast<std::ptrdiff_t>(made_keys(plan, group_of(plan, segment)).size()) +
      std::count_if(out.strings.begin(), out.strings.end(), [](const auto& key) { return key.join < 0; });
  out.groups = groups_text(layout, out.whole);
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
  if (rows.groups.find("_moments(") != std::string::npos || rows.groups.find("_pair<") != std::string::npos)
    headers.insert("cuda/fragments/group_moments.cuh");
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
  for (size_t i = 0; i < layout.aggregates.size(); ++i)
    puts += "    " + finish_aggregate(layout.aggregates[i], i, put(*layout.aggregates[i].result)) + "\n";
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
  return {"finish_groups",
          source_text({"cuda/fragments/column.cuh", "cuda/fragments/group_table.cuh",
                       "cuda/fragments/group_moments.cuh", "ops/decimal.hpp", "ops/extended.hpp"},
                      body),
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
  const int32_t words = layout.row_words();
  return words <= 3 ? 4 : words <= 6 ? 2 : 1;
}

GroupTexts group_texts(const plan::Plan& plan, const Segment& segment) {
  const GroupLayout layout = group_layout(plan, group_of(plan, segment));
  const RowsText rows = rows_text(plan, segment, layout, std::vector<bool>(segment.input.size(), true));
  const bool narrow = rows_a_thread(layout) == 4;
  return {
      kernel_of("group_blocks", 384, narrow ? 3 : 1,
                rows.input + "GroupTable table, GroupSpill spill, uint32_t* returned, int slots, unsigned full,\n"
                             "    GroupCounters* counters",
                rows,
                block_memory + rows.begin + rows.source +
                    "  group_in_blocks<Groups>(in, block_table<Groups>(memory, slots, &used), full, table, spill,\n"
                    "                          returned, counters, source);\n" +
                    rows.end),
      kernel_of("group_table", 256, narrow ? 6 : 2,
                rows.input + "GroupTable table, uint32_t* overflow, GroupCounters* counters", rows,
                rows.begin + "  group_in_table<Groups>(in, table, overflow, counters, read);\n" + rows.end),
      kernel_of("merge_groups", 256, narrow ? 6 : 2,
                "const uint64_t* slots, int64_t count, GroupTable table, GroupCounters* counters", rows,
                "  merge_slots<Groups>(slots, count, table, counters);\n"),
      finish_text(layout),
      has_records(layout),
      rows.strings,
      made_text(plan, segment),
      made_types(plan, group_of(plan, segment)),
  };
}

PartTexts part_texts(const plan::Plan& plan, const Segment& segment, const std::vector<bool>& nullable) {
  const GroupLayout layout = group_layout(plan, group_of(plan, segment));
  const RowsText rows = rows_text(plan, segment, layout, nullable);
  const bool narrow = rows_a_thread(layout) == 4;
  return {
      kernel_of("partition_groups", 512, 2, rows.input + "GroupParts parts, GroupCounters* counters", rows,
                rows.begin + "  partition_rows<Groups>(in, parts, counters, read);\n" + rows.end),
      kernel_of("repartition_groups", 512, 2, "GroupParts parts, GroupCounters* counters", rows,
                "  partition_again<Groups::record_words>(\n"
                "      parts, counters, [](const uint64_t(&record)[Groups::record_words]) {\n"
                "        GroupKey<Groups::key_words> key;\n        Groups::Row row;\n"
                "        Groups::unpack(record, key, row);\n        return key.hash();\n      });\n"),
      kernel_of("group_parts", 256, narrow ? 5 : 2,
                "GroupParts parts, GroupParts before, int slots, const uint64_t* from, uint64_t* out,\n"
                "    uint64_t capacity, GroupCounters* counters",
                rows,
                block_memory +
                    "  group_in_parts<Groups>(block_table<Groups>(memory, slots, &used), parts, before, from, out,\n"
                    "                         capacity, counters);\n"),
      record_words(layout, rows.whole),
  };
}

}  // namespace quern::jit
