#include "jit/join_text.hpp"

#include <map>
#include <tuple>

#include "jit/device_type.hpp"

namespace quern::jit {

namespace {

using plan::JoinType;

struct KeyWord {
  int32_t word = 0;
  int32_t shift = 0;
  int32_t bits = 64;       // 128: this word and the next
  int32_t null_word = -1;  // where NULL is a key like others, of a flag; -1: there is none
  int32_t null_shift = 0;
  int32_t string = -1;  // number among the keys of strings
};
struct KeyWords {
  std::vector<KeyWord> places;
  int32_t count = 0;
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

const TypePtr& type_of(const plan::Plan& plan, const plan::JoinKey& key) {
  return plan.exprs[static_cast<size_t>(key.probe)].type;
}

KeyWords place_keys(const plan::Plan& plan, const plan::Join& join) {
  const bool known = join.type == JoinType::inner || join.type == JoinType::left || plan::decides_rows(join.type);
  if (!known || join.type == JoinType::mark) throw unsupported(join_name(join.type) + " joins on the GPU");
  if (join.keys.empty()) throw unsupported("joins without an equality on the GPU");
  if (!join.residual.empty()) throw unsupported("joins with a condition beside equalities on the GPU");
  KeyWords out;
  int32_t end = 0, strings = 0;
  // Word and shift of the next bits.
  const auto take = [&](int32_t bits) {
    if (end % 64 + bits > 64) end = (end + 63) / 64 * 64;
    const std::pair at(end / 64, end % 64);
    end += bits;
    return at;
  };
  for (const auto& key : join.keys) {
    const bool string = is_numbered(*type_of(plan, key));
    const TypePtr type = key_type(type_of(plan, key));
    if (!fixed_width(*type)) throw unsupported("joins by " + type_name(*type) + " on the GPU");
    KeyWord place;
    place.bits = 8 * width(*type);
    std::tie(place.word, place.shift) = take(place.bits);
    if (string)
      place.string = strings++;  // NULL has a number of its own
    else if (key.null_safe)
      std::tie(place.null_word, place.null_shift) = take(1);
    out.places.push_back(place);
  }
  out.count = (end + 63) / 64;
  return out;
}

std::string found_row(size_t number) { return "row" + std::to_string(number); }

// Puts a value into the words `name` of a key.
void emit_key_word(const KeyWord& place, bool only, const DataType& type, const std::string& value,
                   const std::string& name, ExpressionText& text) {
  const std::string word = name + "[" + std::to_string(place.word) + "]",
                    next = name + "[" + std::to_string(place.word + 1) + "]";
  if (type.kind == TypeKind::interval) {
    text.line("interval_words(" + value + ", " + word + ", " + next + ");");
  } else if (place.bits == 128) {
    text.line(word + " = static_cast<uint64_t>(" + value + ");");
    text.line(next + " = static_cast<uint64_t>(" + value + " >> 64);");
  } else {
    // The only key keeps its sign, so that the words of a dense range are one.
    const std::string bits = "key_word<" + device_type(type) + ">(" + value + ")" +
                             (only || place.bits == 64 ? "" : " & " + std::to_string((1ULL << place.bits) - 1) + "ULL");
    text.line(word + " |= " + (place.shift == 0 ? bits : "(" + bits + ") << " + std::to_string(place.shift)) + ";");
  }
}

// The number of a key's string in the table of join `number`: rows of the second input have got it.
std::string emit_string_number(const plan::Plan& plan, plan::ExprIndex expr, const KeyWord& place, bool second,
                               size_t number, ExpressionText& text) {
  const ColumnPlace& strings = string_column(plan, expr, text);
  text.need("cuda/fragments/string_table.cuh");
  if (second) {
    const auto columns = static_cast<int32_t>(text.columns().size());
    return emit_number({-1, strings.column, columns + place.string}, strings, text).value;
  }
  const std::string table = std::to_string(number), at = std::to_string(place.string), name = "s" + table + "_" + at;
  text.line("const uint32_t " + name + " = " + (strings.absent.empty() ? "" : strings.absent + " ? null_string : ") +
            "find_string(in.joins[" + table + "].strings[" + at + "], " + strings.view + ", " + strings.row + ");");
  return name;
}

}  // namespace

int32_t join_key_words(const plan::Plan& plan, const plan::Join& join) { return place_keys(plan, join).count; }

std::vector<StringKey> join_strings(const plan::Plan& plan, const plan::Node& node) {
  const auto& columns = plan.nodes[static_cast<size_t>(node.inputs[1])].output;
  std::vector<StringKey> out;
  for (const auto& key : std::get<plan::Join>(node.op).keys) {
    if (is_numbered(*type_of(plan, key)))
      out.push_back({-1, plan.exprs[static_cast<size_t>(key.build)].column,
                     static_cast<int32_t>(columns.size() + out.size())});
  }
  return out;
}

std::string emit_join_key(const plan::Plan& plan, const plan::Join& join, bool second, size_t number,
                          const std::string& name, ExpressionText& text) {
  const KeyWords keys = place_keys(plan, join);
  const size_t before = text.body().size();
  text.need("cuda/fragments/group_table.cuh");  // key_word
  text.line("uint64_t " + name + "[" + std::to_string(keys.count) + "] = {};");
  std::string present;
  const auto require = [&](const std::string& condition) { present += (present.empty() ? "" : " && ") + condition; };
  for (size_t i = 0; i < keys.places.size(); ++i) {
    const auto expr = second ? join.keys[i].build : join.keys[i].probe;
    const KeyWord& place = keys.places[i];
    const bool null_safe = join.keys[i].null_safe, only = keys.places.size() == 1 && place.null_word < 0;
    const TypePtr type = key_type(type_of(plan, join.keys[i]));
    if (place.string >= 0) {
      const std::string string = emit_string_number(plan, expr, place, second, number, text);
      emit_key_word(place, only, *type, string, name, text);
      if (!null_safe) require(string + " != null_string");
      if (!second) require(string + " != no_string");
      continue;
    }
    text.load_columns_of(expr);
    const Value value = text.emit(expr);
    if (place.null_word < 0) {
      emit_key_word(place, only, *type, value.value, name, text);
      if (value.nullable()) require("!" + value.null);
      continue;
    }
    text.line("if (!" + value.null + ") {");
    emit_key_word(place, only, *type, value.value, name, text);
    text.line("} else { " + name + "[" + std::to_string(place.null_word) + "] |= 1ULL << " +
              std::to_string(place.null_shift) + "; }");
  }
  if (text.body().find("fail(in", before) != std::string::npos)
    throw unsupported("joins by computed keys that may fail on the GPU");
  return present.empty() ? "true" : present;
}

void emit_probe(const plan::Plan& plan, const plan::Join& join, size_t number, const std::string& otherwise,
                ExpressionText& text) {
  const std::string key = "key" + std::to_string(number), row = found_row(number);
  text.need("cuda/fragments/join_table.cuh");
  const std::string present = emit_join_key(plan, join, false, number, key, text);
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
                                                        join.type == plan::JoinType::left ? row + " == no_row" : "",
                                                        static_cast<int32_t>(number),
                                                        at});
    }
    out.push_back(place);
  }
  text.rebind(std::move(out));
}

}  // namespace quern::jit
