#include "jit/join_text.hpp"

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

const TypePtr& type_of(const plan::Plan& plan, const plan::JoinKey& key) {
  return plan.exprs[static_cast<size_t>(key.probe)].type;
}

KeyWords place_keys(const plan::Plan& plan, const plan::Join& join) {
  if (join.keys.empty()) throw unsupported("joins without an equality on the GPU");
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
      out.push_back(
          {-1, plan.exprs[static_cast<size_t>(key.build)].column, static_cast<int32_t>(columns.size() + out.size())});
  }
  return out;
}

KeyConditions emit_join_key(const plan::Plan& plan, const plan::Join& join, bool second, size_t number,
                            const std::string& name, ExpressionText& text) {
  const KeyWords keys = place_keys(plan, join);
  const size_t before = text.body().size();
  text.need("cuda/fragments/group_table.cuh");  // key_word
  text.line("uint64_t " + name + "[" + std::to_string(keys.count) + "] = {};");
  std::string present, null;
  const auto require = [&](const std::string& condition) { present += (present.empty() ? "" : " && ") + condition; };
  const auto refuse_null = [&](const std::string& condition, const std::string& negated) {
    null += (null.empty() ? "" : " || ") + condition;
    require(negated);
  };
  for (size_t i = 0; i < keys.places.size(); ++i) {
    const auto expr = second ? join.keys[i].build : join.keys[i].probe;
    const KeyWord& place = keys.places[i];
    const bool null_safe = join.keys[i].null_safe, only = keys.places.size() == 1 && place.null_word < 0;
    const TypePtr type = key_type(type_of(plan, join.keys[i]));
    if (place.string >= 0) {
      const std::string string = emit_string_number(plan, expr, place, second, number, text);
      emit_key_word(place, only, *type, string, name, text);
      if (!null_safe) refuse_null(string + " == null_string", string + " != null_string");
      if (!second) require(string + " != no_string");
      continue;
    }
    text.load_columns_of(expr);
    const Value value = text.emit(expr);
    if (place.null_word < 0) {
      emit_key_word(place, only, *type, value.value, name, text);
      if (value.nullable()) refuse_null(value.null, "!" + value.null);
      continue;
    }
    text.line("if (!" + value.null + ") {");
    emit_key_word(place, only, *type, value.value, name, text);
    text.line("} else { " + name + "[" + std::to_string(place.null_word) + "] |= 1ULL << " +
              std::to_string(place.null_shift) + "; }");
  }
  // Rows that fail belong to the chain of the first input.
  if (second && text.body().find("fail(in", before) != std::string::npos)
    throw unsupported("joins by keys of the second input that may fail on the GPU");
  return {present.empty() ? "true" : present, null.empty() ? "false" : null};
}

void emit_probe(const plan::Plan& plan, const plan::Join& join, size_t number, const std::string& otherwise,
                ExpressionText& text) {
  const std::string key = "key" + std::to_string(number), row = found_row(number);
  text.need("cuda/fragments/join_table.cuh");
  const auto [present, null] = emit_join_key(plan, join, false, number, key, text);
  text.line(row + " = " + (present == "true" ? "" : present + " ? ") + "find_row(join" + std::to_string(number) + ", " +
            key + ")" + (present == "true" ? "" : " : no_row") + ";");
  if (join.null_aware) text.line("null_key = " + null + ";");
  if (keeps_all(join)) return;
  text.line("if (" + row + (join.type == JoinType::anti ? " != no_row) " : " == no_row) ") + otherwise);
}

std::string join_table_line(size_t number) {
  const std::string id = std::to_string(number);
  return "  const JoinTable join" + id + " = in.joins[" + id + "].table;\n";
}

bool keeps_all(const plan::Join& join) {
  switch (join.type) {
    case JoinType::left:
    case JoinType::full:
    case JoinType::single:
    case JoinType::mark:
      return true;
    case JoinType::anti:
      return !join.residual.empty();
    default:
      return false;
  }
}

bool is_fusible(const plan::Join& join) {
  const bool known = join.type == JoinType::inner || join.type == JoinType::left || join.type == JoinType::semi ||
                     join.type == JoinType::anti;
  return known && join.residual.empty();
}

void bind_join_inputs(const plan::Plan& plan, const plan::Node& node, size_t number, ExpressionText& text) {
  const auto& join = std::get<plan::Join>(node.op);
  const std::string id = std::to_string(number), row = found_row(number);
  std::vector<ColumnPlacePtr> out = text.columns();
  int32_t at = 0;
  for (const auto& field : plan.nodes[static_cast<size_t>(node.inputs[1])].output) {
    const std::string index = std::to_string(at);
    out.push_back(std::make_shared<ColumnPlace>(ColumnPlace{{},
                                                            field.type,
                                                            "j" + id + "c" + index,
                                                            "in.joins[" + id + "].columns[" + index + "]",
                                                            row,
                                                            true,
                                                            join.type == JoinType::left ? row + " == no_row" : "",
                                                            static_cast<int32_t>(number),
                                                            at++}));
  }
  text.rebind(std::move(out));
}

void bind_join_output(const plan::Plan& plan, const plan::Node& node, size_t number, ExpressionText& text) {
  bind_join_inputs(plan, node, number, text);
  std::vector<ColumnPlacePtr> out;
  for (const int32_t column : std::get<plan::Join>(node.op).keep)
    out.push_back(text.columns().at(static_cast<size_t>(column)));
  text.rebind(std::move(out));
}

}  // namespace quern::jit
