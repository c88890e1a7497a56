#include "jit/expression_text.hpp"

#include "jit/call_text.hpp"
#include "jit/device_type.hpp"
#include "jit/list_pair_text.hpp"
#include "jit/list_value_text.hpp"

namespace quern::jit {

using plan::Expr;
using plan::ExprIndex;
using plan::ExprKind;

ExpressionText::ExpressionText(const plan::Plan& plan, const std::vector<TypePtr>& columns, std::vector<bool> nullable)
    : plan_(plan) {
  for (size_t i = 0; i < columns.size(); ++i) {
    const std::string index = std::to_string(i);
    columns_.push_back(std::make_shared<ColumnPlace>(ColumnPlace{{},
                                                                 columns[i],
                                                                 "c" + index,
                                                                 "in.columns[" + index + "]",
                                                                 "row",
                                                                 nullable[i],
                                                                 "",
                                                                 -1,
                                                                 static_cast<int32_t>(i)}));
  }
}

Value ExpressionText::pair(ExprIndex root, const std::string& sums) {
  const auto text = *list_pair_text(plan_, root);
  const Value out = declare("double", true);
  line(out.null + " = !" + sums + ".known;");
  if (!text.trying) line("if (" + sums + ".unequal) fail(in, row);");
  line("if (" + sums + ".known) { " + fill(text.finish, out.value, out.null, sums, "") + " }");
  return out;
}

void ExpressionText::load_columns_of(ExprIndex root) {
  if (hoisted_.contains(root)) return;
  const Expr& expr = plan_.exprs[static_cast<size_t>(root)];
  if (expr.kind == ExprKind::lambda) throw unsupported("lambdas on the GPU");
  if (expr.kind != ExprKind::column) {
    for (const ExprIndex arg : expr.args) load_columns_of(arg);
    return;
  }
  load(*columns_.at(static_cast<size_t>(expr.column)));
}

void ExpressionText::load(ColumnPlace& column) {
  if (!column.value.value.empty()) return;
  const bool list = column.type->kind == TypeKind::list;
  const std::string element = list ? list_element_type(*column.type) : "";
  const std::string type = list ? "ListOf<" + element + ">" : device_type(*column.type);
  const std::string read = list ? "list_at<" + element + ">" : "value_at<" + type + ">";
  const std::string at = "(" + column.view + ", " + column.row + ");";
  if (type == "StringView") need("ops/text.hpp");
  if (list) need("cuda/fragments/list_values.cuh");
  column.value = {column.name, column.nullable ? "n" + column.name : "false"};
  if (column.absent.empty()) {
    line("const " + type + " " + column.name + " = " + read + at);
    if (column.nullable) line("const bool n" + column.name + " = is_null" + at);
    return;
  }
  line(type + " " + column.name + "{};");
  line("bool n" + column.name + " = true;");
  line("if (!(" + column.absent + ")) { " + column.name + " = " + read + at + " n" + column.name + " = is_null" + at +
       " }");
}

Value ExpressionText::declare(const std::string& type, bool nullable) {
  const std::string name = "v" + std::to_string(next_++);
  line(type + " " + name + "{};");
  if (!nullable) return {name, "false"};
  line("bool n" + name + " = false;");
  return {name, "n" + name};
}

void ExpressionText::open(const std::string& head) {
  line(head + " {");
  indent_ += "  ";
}

void ExpressionText::close() {
  indent_.resize(indent_.size() - 2);
  line("}");
}

void ExpressionText::assign(const Value& target, const Value& from) {
  line(target.value + " = " + from.value + ";");
  if (target.nullable()) line(target.null + " = " + from.null + ";");
}

Value ExpressionText::emit(ExprIndex root) {
  const Expr& expr = plan_.exprs[static_cast<size_t>(root)];
  switch (expr.kind) {
    case ExprKind::column:
      return columns_.at(static_cast<size_t>(expr.column))->value;
    case ExprKind::literal:
      if (expr.type->kind == TypeKind::list) list_value_type(plan_, root);  // refuses those that kernels cannot hold
      return literal(expr);
    case ExprKind::call:
      return call(root);
    case ExprKind::cast:
      return cast(root);
    case ExprKind::conjunction:
    case ExprKind::disjunction:
      return logic(expr);
    case ExprKind::case_when:
      return choice(expr);
    case ExprKind::coalesce:
      return coalesce(expr);
    case ExprKind::in_list:
      return in_list(expr);
    case ExprKind::lambda:
      break;
  }
  throw unsupported("lambdas on the GPU");
}

Value ExpressionText::literal(const Expr& expr) {
  if (expr.type->kind == TypeKind::null) return {"uint8_t{}", "true"};
  const bool list = expr.type->kind == TypeKind::list;
  const std::string element = list ? list_element_type(*expr.type) : "";
  const std::string type = list ? "ListOf<" + element + ">" : device_type(*expr.type);
  if (list) need("cuda/fragments/list_values.cuh");
  if (expr.literal->null_count > 0) return {type + "{}", "true"};
  const std::string name = "v" + std::to_string(next_++);
  line("const " + type + " " + name + " = " + (list ? "literal_list<" + element : "literal<" + type) + ">(in, " +
       std::to_string(literals_.size()) + ");");
  literals_.push_back(expr.literal);
  return {name, "false"};
}

Value ExpressionText::call(ExprIndex root) {
  const Expr& expr = plan_.exprs[static_cast<size_t>(root)];
  std::vector<TypePtr> types;
  for (const ExprIndex arg : expr.args) types.push_back(plan_.exprs[static_cast<size_t>(arg)].type);
  if (const auto custom = null_test(expr.fn)) {
    // IS NULL looks at the flag alone: the value may be of any type.
    const Value operand = emit(expr.args[0]);
    return {*custom ? "static_cast<uint8_t>(" + operand.null + ")" : "static_cast<uint8_t>(!" + operand.null + ")",
            "false"};
  }
  if (const auto list = list_call(root)) return *list;
  const CallText text = call_text(expr.fn, types, *expr.type);
  for (const auto& header : text.headers) need(header);
  std::vector<Value> args;
  std::string any_null;
  for (const ExprIndex arg : expr.args) {
    args.push_back(emit(arg));
    if (args.back().nullable()) any_null += (any_null.empty() ? "" : " | ") + args.back().null;
  }
  if (text.distinct) {  // NULLs are equal
    const Value out = declare("uint8_t", false);
    line(out.value + " = (" + args[0].null + " | " + args[1].null + ") ? " + args[0].null + " != " + args[1].null +
         " : " + fill(text.statement, "", "", args[0].value, args[1].value) + ";");
    if (text.negated) line(out.value + " ^= 1;");
    return out;
  }
  const Value out = declare(device_type(*expr.type), text.may_be_null || !any_null.empty());
  if (!any_null.empty()) {
    line(out.null + " = " + any_null + ";");
    open("if (!" + out.null + ")");
  }
  line(fill(text.statement, out.value, out.null, args.empty() ? "" : args[0].value,
            args.size() < 2 ? "" : args[1].value, args.size() < 3 ? "" : args[2].value));
  if (!any_null.empty()) close();
  return out;
}

Value ExpressionText::cast(ExprIndex root) {
  const Expr& expr = plan_.exprs[static_cast<size_t>(root)];
  const Expr& from = plan_.exprs[static_cast<size_t>(expr.args[0])];
  const Value operand = emit(expr.args[0]);
  const std::string type = value_type(plan_, root);
  if (from.type->kind == TypeKind::null) return {type + "{}", "true"};
  if (same_type(*from.type, *expr.type)) return operand;
  if (expr.type->kind == TypeKind::list) {
    // Such conversions never fail, and a NULL list has no elements.
    const Value out = declare(type, operand.nullable());
    line(out.value + " = converted<" + list_element_type(*expr.type) + ">(" + operand.value + ");");
    if (out.nullable()) line(out.null + " = " + operand.null + ";");
    return out;
  }
  const CallText text = cast_text(*from.type, *expr.type, expr.try_cast);
  for (const auto& header : text.headers) need(header);
  const Value out = declare(device_type(*expr.type), operand.nullable() || text.may_be_null);
  if (operand.nullable()) {
    line(out.null + " = " + operand.null + ";");
    open("if (!" + out.null + ")");
  }
  line(fill(text.statement, out.value, out.null, operand.value, ""));
  if (operand.nullable()) close();
  return out;
}

// AND ends at the first false operand, OR at the first true one; NULL where none decides and one is NULL.
Value ExpressionText::logic(const Expr& expr) {
  const bool is_and = expr.kind == ExprKind::conjunction;
  const Value out = declare("uint8_t", true);
  line(out.value + " = " + (is_and ? "1" : "0") + ";");
  size_t opened = 0;
  for (size_t i = 0; i < expr.args.size(); ++i) {
    if (i > 0) {
      open("if (" + out.value + (is_and ? " != 0" : " == 0") + ")");
      ++opened;
    }
    const Value operand = emit(expr.args[i]);
    if (operand.nullable()) line(out.null + " |= " + operand.null + ";");
    const std::string known = operand.nullable() ? "!" + operand.null + " && " : "";
    line("if (" + known + operand.value + (is_and ? " == 0" : " != 0") + ") " + out.value + " = " +
         (is_and ? "0" : "1") + ";");
  }
  for (; opened > 0; --opened) close();
  line(out.null + " = " + out.null + " && " + out.value + (is_and ? " != 0;" : " == 0;"));
  return out;
}

Value ExpressionText::choice(const Expr& expr) {
  const Value out = declare(device_type(*expr.type), true);
  size_t opened = 0;
  for (size_t i = 0; i + 1 < expr.args.size(); i += 2) {
    const Value condition = emit(expr.args[i]);
    open("if (!" + condition.null + " && " + condition.value + " != 0)");
    assign(out, emit(expr.args[i + 1]));
    close();
    open("else");
    ++opened;
  }
  assign(out, emit(expr.args.back()));
  for (; opened > 0; --opened) close();
  return out;
}

Value ExpressionText::coalesce(const Expr& expr) {
  const Value out = declare(device_type(*expr.type), true);
  line(out.null + " = true;");
  size_t opened = 0;
  for (const ExprIndex arg : expr.args) {
    open("if (" + out.null + ")");
    ++opened;
    assign(out, emit(arg));
  }
  for (; opened > 0; --opened) close();
  return out;
}

// x IN (literals); a NULL in the list makes a miss NULL.
Value ExpressionText::in_list(const Expr& expr) {
  const Value operand = emit(expr.args[0]);
  const std::string type = device_type(*plan_.exprs[static_cast<size_t>(expr.args[0])].type);
  need("ops/compare.hpp");
  bool null_in_list = false;
  const size_t first = literals_.size();
  for (size_t i = 1; i < expr.args.size(); ++i) {
    const Expr& item = plan_.exprs[static_cast<size_t>(expr.args[i])];
    if (item.type->kind == TypeKind::null || item.literal->null_count > 0)
      null_in_list = true;
    else
      literals_.push_back(item.literal);
  }
  const Value out = declare("uint8_t", operand.nullable() || null_in_list);
  line("for (int k = " + std::to_string(first) + "; k < " + std::to_string(literals_.size()) + "; ++k) " + out.value +
       " |= ops::equal<" + type + ">(" + operand.value + ", literal<" + type + ">(in, k));");
  if (out.nullable()) {
    line(out.null + " = " + operand.null + (null_in_list ? " || " + out.value + " == 0;" : ";"));
  }
  return out;
}

void ExpressionText::emit_filter(const std::vector<ExprIndex>& conjuncts, const std::string& otherwise) {
  for (const ExprIndex conjunct : conjuncts) {
    load_columns_of(conjunct);
    const Value value = emit(conjunct);
    const std::string null = value.nullable() ? value.null + " || " : "";
    line("if (" + null + value.value + " == 0) " + otherwise);
  }
}

}  // namespace quern::jit
