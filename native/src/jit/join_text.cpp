#include "jit/join_text.hpp"

#include <map>

#include "jit/device_type.hpp"

namespace quern::jit {

namespace {

using plan::JoinType;

struct KeyWord {
  int32_t word = 0;
  int32_t shift = 0;
  int32_t bits = 64;  // 128: this word and the next
};

std::string join_name(JoinType type) {
  switch (type) {
    case JoinType::inner:
      return "inner";
    case JoinType::left:
      return "left";
    case JoinType::right:
      return "right";
    case JoinType::full:
      return "full";
    case JoinType::semi:
      return "semi";
    case JoinType::anti:
      return "anti";
    case JoinType::mark:
      return "mark";
    case JoinType::single:
      return "single";
  }
  throw internal_error("a join of no kind");
}

const DataType& key_type(const plan::Plan& plan, const plan::JoinKey& key) {
  return *plan.exprs[static_cast<size_t>(key.probe)].type;
}

std::vector<KeyWord> place_keys(const plan::Plan& plan, const plan::Join& join) {
  const bool known = join.type == JoinType::inner || join.type == JoinType::left || plan::decides_rows(join.type);
  if (!known || join.type == JoinType::mark) throw unsupported(join_name(join.type) + " joins on the GPU");
  if (join.keys.empty()) throw unsupported("joins without an equality on the GPU");
  if (!join.residual.empty()) throw unsupported("joins with a condition beside equalities on the GPU");
  std::vector<KeyWord> out;
  int32_t end = 0;  // bits that are taken
  for (const auto& key : join.keys) {
    const DataType& type = key_type(plan, key);
    if (key.null_safe) throw unsupported("joins by IS NOT DISTINCT FROM on the GPU");
    if (!fixed_width(type) || type.kind == TypeKind::interval)
      throw unsupported("joins by " + type_name(type) + " on the GPU");
    const int32_t bits = 8 * width(type);
    if (end % 64 + bits > 64) end = (end + 63) / 64 * 64;
    out.push_back({end / 64, end % 64, bits});
    end += bits;
  }
  return out;
}

int32_t words_of(const std::vector<KeyWord>& keys) { return keys.back().word + (keys.back().bits == 128 ? 2 : 1); }

std::string found_row(size_t number) { return "row" + std::to_string(number); }

}  // namespace

int32_t join_key_words(const plan::Plan& plan, const plan::Join& join) { return words_of(place_keys(plan, join)); }

std::string emit_join_key(const plan::Plan& plan, const plan::Join& join, bool second, const std::string& name,
                          ExpressionText& text) {
  const auto places = place_keys(plan, join);
  const size_t before = text.body().size();
  text.need("cuda/fragments/group_table.cuh");  // key_word
  text.line("uint64_t " + name + "[" + std::to_string(words_of(places)) + "] = {};");
  std::string present;
  for (size_t i = 0; i < places.size(); ++i) {
    const auto expr = second ? join.keys[i].build : join.keys[i].probe;
    text.load_columns_of(expr);
    const Value value = text.emit(expr);
    const KeyWord& place = places[i];
    const std::string word = name + "[" + std::to_string(place.word) + "]";
    if (place.bits == 128) {
      text.line(word + " = static_cast<uint64_t>(" + value.value + ");");
      text.line(name + "[" + std::to_string(place.word + 1) + "] = static_cast<uint64_t>(" + value.value + " >> 64);");
    } else {
      // The only key keeps its sign, so that the words of a dense range are one.
      const bool whole = places.size() == 1 || place.bits == 64;
      const std::string bits = "key_word<" + device_type(key_type(plan, join.keys[i])) + ">(" + value.value + ")" +
                               (whole ? "" : " & " + std::to_string((1ULL << place.bits) - 1) + "ULL");
      text.line(word + " |= " + (place.shift == 0 ? bits : "(" + bits + ") << " + std::to_string(place.shift)) + ";");
    }
    if (value.nullable()) present += (present.empty() ? "!" : " && !") + value.null;
  }
  if (text.body().find("fail(in", before) != std::string::npos)
    throw unsupported("joins by computed keys that may fail on the GPU");
  return present.empty() ? "true" : present;
}

void emit_probe(const plan::Plan& plan, const plan::Join& join, size_t number, const std::string& otherwise,
                ExpressionText& text) {
  const std::string key = "key" + std::to_string(number), row = found_row(number);
  text.need("cuda/fragments/join_table.cuh");
  const std::string present = emit_join_key(plan, join, false, key, text);
  text.line(row + " = " + (present == "true" ? "" : present + " ? ") + "find_row(join" + std::to_string(number) + ", " +
            key + ")" + (present == "true" ? "" : " : no_row") + ";");
  if (join.type == JoinType::anti)
    text.line("if (" + row + " != no_row) " + otherwise);
  else if (join.type != JoinType::left)
    text.line("if (" + row + " == no_row) " + otherwise);
}

std::string join_table_line(size_t number) {
  const std::string id = std::to_string(number);
  return "  const JoinTable join" + id + " = in.joins[" + id + "].table;\n";
}

void bind_join_output(const plan::Plan& plan, const plan::Node& node, size_t number, ExpressionText& text) {
  const auto& join = std::get<plan::Join>(node.op);
  const auto& second = plan.nodes[static_cast<size_t>(node.inputs[1])].output;
  const auto first = text.columns();
  const std::string id = std::to_string(number), row = found_row(number);
  std::map<int32_t, ColumnPlacePtr> places;
  std::vector<ColumnPlacePtr> out;
  for (const int32_t column : join.keep) {
    auto& place = places[column];
    const auto at = column - static_cast<int32_t>(first.size());
    if (!place && at < 0) place = first[static_cast<size_t>(column)];
    if (!place) {
      const std::string index = std::to_string(at);
      place = std::make_shared<ColumnPlace>(ColumnPlace{{},
                                                        second.at(static_cast<size_t>(at)).type,
                                                        "j" + id + "c" + index,
                                                        "in.joins[" + id + "].columns[" + index + "]",
                                                        row,
                                                        true,
                                                        join.type == plan::JoinType::left ? row + " == no_row" : ""});
    }
    out.push_back(place);
  }
  text.rebind(std::move(out));
}

}  // namespace quern::jit
