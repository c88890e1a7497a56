// Cases of cases.tsv and the columns and plans they are run with.
#pragma once
#include <fstream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "columnar/column.hpp"
#include "columnar/value_text.hpp"
#include "context/context.hpp"
#include "cpu/expression.hpp"
#include "cpu/expression/cast.hpp"
#include "plan/plan.hpp"

namespace quern::test {

using Text = std::optional<std::string>;

struct Case {
  std::vector<Text> args;
  Text answer;
  bool error = false;
  int line = 0;
};

struct Group {
  std::string function, result;
  std::vector<std::string> types;
  std::vector<Case> cases;
};

inline std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  size_t start = 0;
  for (size_t at; (at = text.find(separator, start)) != std::string::npos; start = at + 1)
    parts.push_back(text.substr(start, at - start));
  parts.push_back(text.substr(start));
  return parts;
}

inline Text unescape(const std::string& text) {
  if (text == "\\N") return std::nullopt;
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    const char c = text[++i];
    out += c == 't' ? '\t' : c == 'n' ? '\n' : c == 's' ? ';' : c;
  }
  return out;
}

// Lines with the same function and types, in file order.
inline std::vector<Group> read_groups(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path);
  std::vector<Group> groups;
  std::map<std::string, size_t> index;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const auto fields = split(line, '\t');
    if (fields.size() != 5) throw std::runtime_error("bad line " + std::to_string(number));
    const auto [found, fresh] = index.try_emplace(fields[0] + "\t" + fields[1] + "\t" + fields[2], groups.size());
    if (fresh) groups.push_back({fields[0], fields[1], split(fields[2], ';'), {}});
    Case one;
    for (const auto& arg : split(fields[3], ';')) one.args.push_back(unescape(arg));
    one.error = fields[4] == "!";
    one.answer = one.error ? Text() : unescape(fields[4]);
    one.line = number;
    groups[found->second].cases.push_back(std::move(one));
  }
  return groups;
}

// "int32", "decimal(5,2)", "timestamp(us)", "list<int32>", "struct<a:int32,b:string>", "map<string,int32>"
inline TypePtr parse_type(const std::string& text) {
  static const std::map<std::string, TypeKind> kinds = {
      {"bool", TypeKind::boolean},    {"int8", TypeKind::int8},         {"int16", TypeKind::int16},
      {"int32", TypeKind::int32},     {"int64", TypeKind::int64},       {"uint8", TypeKind::uint8},
      {"uint16", TypeKind::uint16},   {"uint32", TypeKind::uint32},     {"uint64", TypeKind::uint64},
      {"float16", TypeKind::float16}, {"bfloat16", TypeKind::bfloat16}, {"float32", TypeKind::float32},
      {"float64", TypeKind::float64}, {"date", TypeKind::date},         {"interval", TypeKind::interval},
      {"string", TypeKind::string},   {"binary", TypeKind::binary},     {"uuid", TypeKind::uuid}};
  if (const auto found = kinds.find(text); found != kinds.end()) return make_type(found->second);
  if (text == "hugeint") return make_decimal(38, 0);
  if (text == "time") return make_time(TimeUnit::us);
  if (text == "timestamptz") return make_timestamp(TimeUnit::us, true);
  if (text.starts_with("timestamp(")) {
    const std::string unit = text.substr(10, text.size() - 11);
    return make_timestamp(unit == "s"    ? TimeUnit::s
                          : unit == "ms" ? TimeUnit::ms
                          : unit == "us" ? TimeUnit::us
                                         : TimeUnit::ns,
                          false);
  }
  if (text.starts_with("decimal(")) {
    const auto parts = split(text.substr(8, text.size() - 9), ',');
    return make_decimal(std::stoi(parts[0]), std::stoi(parts[1]));
  }
  if (text.starts_with("list<")) return make_list(parse_type(text.substr(5, text.size() - 6)));
  const auto inner = [&](size_t from) { return split(text.substr(from, text.size() - from - 1), ','); };
  if (text.starts_with("map<")) return make_map(parse_type(inner(4)[0]), parse_type(inner(4)[1]));
  if (text.starts_with("struct<")) {
    std::vector<std::string> names;
    std::vector<TypePtr> fields;
    for (const auto& field : inner(7)) {
      names.push_back(field.substr(0, field.find(':')));
      fields.push_back(parse_type(field.substr(field.find(':') + 1)));
    }
    return make_structure(names, fields);
  }
  throw std::runtime_error("bad type " + text);
}

inline ColumnPtr make_texts(Memory& memory, const std::vector<Text>& texts) {
  ColumnBuilder builder(memory, make_type(TypeKind::string), static_cast<int64_t>(texts.size()), true);
  StringHeap heap(memory);
  for (size_t i = 0; i < texts.size(); ++i) {
    if (texts[i])
      builder.data<StringView>()[i] = heap.append(texts[i]->data(), texts[i]->size());
    else
      builder.set_null(static_cast<int64_t>(i));
  }
  builder.keep(heap.owners());
  return builder.finish();
}

// A flat column of the type whose values are read from text, as a cast does.
inline ColumnPtr make_column(Context& context, const TypePtr& type, const std::vector<Text>& texts) {
  const ColumnPtr column = make_texts(context.memory(), texts);
  if (type->kind == TypeKind::string) return column;
  auto kernel = cpu::make_cast(column->type, type, false);
  cpu::Scratch scratch(context.memory());
  return flatten(context.memory(), cpu::run_kernel(context, scratch, *kernel, type, {column}, column->length));
}

inline std::vector<Text> to_texts(const Column& column) {
  std::vector<Text> out(static_cast<size_t>(column.length));
  for (int64_t i = 0; i < column.length; ++i) {
    if (column.type->kind == TypeKind::null || !column.is_valid(column.form == Form::constant ? 0 : i)) continue;
    std::string text;
    append_text(column, i, false, text);
    out[i] = text;
  }
  return out;
}

// Distinct values of a flat column by row text, and codes into them.
inline ColumnPtr make_dictionary(Context& context, const ColumnPtr& column) {
  const auto texts = to_texts(*column);
  std::map<std::string, uint32_t> codes;
  std::vector<uint32_t> first;
  ColumnBuilder builder(context.memory(), column->type, 0);
  auto out = std::make_shared<Column>();
  out->type = column->type;
  out->form = Form::dictionary;
  out->length = column->length;
  out->null_count = column->null_count;
  out->validity = column->validity;
  out->owners = column->owners;
  auto data = context.memory().allocate_zeroed(static_cast<size_t>(column->length) * 4);
  for (size_t i = 0; i < texts.size(); ++i) {
    if (!texts[i]) continue;
    const auto [found, fresh] = codes.try_emplace(*texts[i], static_cast<uint32_t>(first.size()));
    if (fresh) first.push_back(static_cast<uint32_t>(i));
    data->as<uint32_t>()[i] = found->second;
  }
  out->data = data->data();
  out->owners.push_back(data);
  out->children.push_back(gather(context.memory(), column, first.data(), static_cast<int64_t>(first.size())));
  return out;
}

// Expressions of a plan without nodes.
class PlanBuilder {
 public:
  PlanBuilder() : plan_(std::make_shared<plan::Plan>()) {}
  plan::ExprIndex column(int32_t index, TypePtr type) {
    plan::Expr expr;
    expr.kind = plan::ExprKind::column;
    expr.column = index;
    expr.type = std::move(type);
    return add(std::move(expr));
  }
  plan::ExprIndex literal(ColumnPtr value) {
    plan::Expr expr;
    expr.kind = plan::ExprKind::literal;
    expr.type = value->type;
    expr.literal = make_constant(value, 0, 1);
    return add(std::move(expr));
  }
  plan::ExprIndex call(const std::string& fn, std::vector<plan::ExprIndex> args, TypePtr type) {
    plan::Expr expr;
    expr.kind = fn == "cast" || fn == "try_cast" ? plan::ExprKind::cast : plan::ExprKind::call;
    expr.try_cast = fn == "try_cast";
    expr.fn = fn;
    expr.args = std::move(args);
    expr.type = std::move(type);
    expr.span = SourceSpan{3, 7};
    return add(std::move(expr));
  }
  plan::ExprIndex node(plan::ExprKind kind, std::vector<plan::ExprIndex> args, TypePtr type) {
    plan::Expr expr;
    expr.kind = kind;
    expr.args = std::move(args);
    expr.type = std::move(type);
    return add(std::move(expr));
  }
  std::shared_ptr<const plan::Plan> plan() const { return plan_; }

 private:
  plan::ExprIndex add(plan::Expr expr) {
    plan_->exprs.push_back(std::move(expr));
    return static_cast<plan::ExprIndex>(plan_->exprs.size()) - 1;
  }
  std::shared_ptr<plan::Plan> plan_;
};

}  // namespace quern::test
