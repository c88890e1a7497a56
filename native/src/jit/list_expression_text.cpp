// Functions of lists in expressions.
#include "jit/expression_text.hpp"
#include "jit/call_text.hpp"
#include "jit/device_type.hpp"
#include "jit/list_pair_text.hpp"
#include "jit/list_value_text.hpp"

namespace quern::jit {

using plan::Expr;
using plan::ExprIndex;
using plan::ExprKind;

namespace {

// `text` with each $x of `names` replaced.
std::string filled(const std::string& text, const std::map<char, std::string>& names) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) out += text[i] == '$' ? names.at(text.at(++i)) : std::string(1, text[i]);
  return out;
}

std::string present(const std::string& condition, const Value& value) {
  return value.nullable() ? condition + " && !" + value.null : condition;
}

}  // namespace

void ExpressionText::hoist_lists_of(ExprIndex root) {
  const Expr& expr = plan_.exprs[static_cast<size_t>(root)];
  const bool reduces = list_pair_text(plan_, root) || reduction_text(plan_, expr);
  if (!reduces) {
    for (const ExprIndex arg : expr.args) hoist_lists_of(arg);
    return;
  }
  if (hoisted_.contains(root)) return;
  for (const ExprIndex arg : expr.args) {
    if (!is_harmless(plan_, arg)) return;
  }
  const std::string body = std::move(body_);
  body_ = std::move(prologue_);
  if (const auto stored = stored_pair(root)) {
    hoisted_[root] = *stored;
  } else {
    load_columns_of(root);
    hoisted_[root] = list_pair_text(plan_, root) ? pair_of(root, true) : reduction_of(root, true);
  }
  prologue_ = std::move(body_);
  body_ = body;
}

// Of lists that lie in memory: a warp finds a row's lists itself.
std::optional<std::string> ExpressionText::stored_pair(ExprIndex root) {
  const Expr& expr = plan_.exprs[static_cast<size_t>(root)];
  const auto text = list_pair_text(plan_, root);
  if (!text) return std::nullopt;
  std::vector<std::string> lists;
  for (const ExprIndex arg : expr.args) {
    const Expr& list = plan_.exprs[static_cast<size_t>(arg)];
    if (list.kind != ExprKind::column && list.kind != ExprKind::literal) return std::nullopt;
    if (list.kind == ExprKind::literal && list.literal->null_count > 0) return std::nullopt;
  }
  for (const ExprIndex arg : expr.args) {
    const Expr& list = plan_.exprs[static_cast<size_t>(arg)];
    lists.push_back(list_text(list, literals_.size()));
    if (list.kind == ExprKind::literal) literals_.push_back(list.literal);
  }
  const std::string name = "p" + std::to_string(next_++);
  line("const ListPair " + name + " = " + fill(text->sums, "", "", lists[0], lists[1]) + ";");
  need("cuda/fragments/list_pairs.cuh");
  return name;
}

std::string ExpressionText::pair_of(ExprIndex root, bool together) {
  const Expr& expr = plan_.exprs[static_cast<size_t>(root)];
  const Value a = emit(expr.args[0]), b = emit(expr.args[1]);
  const std::string name = "p" + std::to_string(next_++), there = together ? "live" : "true";
  need("cuda/fragments/list_reductions.cuh");
  line("const ListPair " + name + " = " + (together ? "warp" : "row") + "_pair<" +
       list_pair_text(plan_, root)->measure + ">(" + a.value + ", " + present(there, a) + ", " + b.value + ", " +
       present(there, b) + ");");
  return name;
}

std::string ExpressionText::reduction_of(ExprIndex root, bool together) {
  const Expr& expr = plan_.exprs[static_cast<size_t>(root)];
  const ReductionText text = *reduction_text(plan_, expr);
  const Value list = emit(expr.args[0]);
  const Value wanted = expr.args.size() > 1 ? emit(expr.args[1]) : Value{"", "false"};
  const std::string name = "r" + std::to_string(next_++);
  std::string there = present(together ? "live" : "true", list);
  if (expr.fn == "list_contains") there = present(there, wanted);
  need("cuda/fragments/list_reductions.cuh");
  const std::string call = filled(text.call, {{'w', together ? "warp" : "row"},
                                              {'a', list.value},
                                              {'t', together ? ", " + there : ""},
                                              {'b', wanted.value},
                                              {'m', wanted.null}});
  if (together) {
    line("const auto " + name + " = " + call + ";");
  } else {
    line("Reduced<" + text.type + "> " + name + "{" + text.type + "{}, true, false};");
    line("if (" + there + ") " + name + " = " + call + ";");
  }
  return name;
}

Value ExpressionText::reduced(ExprIndex root, const std::string& name) {
  const Expr& expr = plan_.exprs[static_cast<size_t>(root)];
  const Value out = declare(device_type(*expr.type), true);
  line(out.null + " = " + name + ".null" + (expr.fn == "list_position" ? " || " + name + ".value == 0;" : ";"));
  if (expr.fn == "list_contains") {
    line(out.value + " = " + name + ".value > 0;");
    return out;
  }
  if (expr.fn == "list_position") line("if (" + name + ".value > 2147483647) fail(in, row);");
  line(out.value + " = static_cast<" + device_type(*expr.type) + ">(" + name + ".value);");
  line("if (" + name + ".failed) fail(in, row);");
  return out;
}

std::optional<Value> ExpressionText::list_call(ExprIndex root) {
  const Expr& expr = plan_.exprs[static_cast<size_t>(root)];
  if (list_pair_text(plan_, root)) {
    const auto found = hoisted_.find(root);
    return pair(root, found == hoisted_.end() ? pair_of(root, false) : found->second);
  }
  if (reduction_text(plan_, expr)) {
    const auto found = hoisted_.find(root);
    return reduced(root, found == hoisted_.end() ? reduction_of(root, false) : found->second);
  }
  if (expr.fn == "list_concat" || expr.fn == "list_append" || expr.fn == "list_prepend" || expr.fn == "list_value")
    return made_list(root);
  const auto text = list_call_text(plan_, expr);
  if (!text) return std::nullopt;
  need("cuda/fragments/list_values.cuh");
  std::map<char, std::string> names;
  std::string null;
  const std::string type = value_type(plan_, root);
  for (size_t i = 0; i < expr.args.size(); ++i) {
    const Value arg = emit(expr.args[i]);
    names[static_cast<char>('a' + i)] = arg.value;
    if (arg.nullable()) null += (null.empty() ? "" : " | ") + arg.null;
  }
  const Value out = declare(type, text->may_be_null || !null.empty());
  names['r'] = out.value;
  names['n'] = out.null;
  if (!null.empty()) {
    line(out.null + " = " + null + ";");
    open("if (!" + out.null + ")");
  }
  line(filled(text->statement, names));
  if (!null.empty()) close();
  return out;
}

// Lists that NULL arguments do not make NULL.
Value ExpressionText::made_list(ExprIndex root) {
  const Expr& expr = plan_.exprs[static_cast<size_t>(root)];
  const std::string type = list_value_type(plan_, root), element = list_element_type(*expr.type);
  need("cuda/fragments/list_values.cuh");
  std::vector<Value> args;
  for (const ExprIndex arg : expr.args) args.push_back(emit(arg));
  const auto list = [&](size_t i) { return "or_empty(" + args[i].value + ", " + args[i].null + ")"; };
  const auto values = [&](size_t first, size_t count) {
    std::string items, nulls = "0u";
    for (size_t i = 0; i < count; ++i) {
      const Value& value = args[first + i];
      items += (i > 0 ? ", " : "") + value.value;
      if (value.nullable()) nulls += " | (" + value.null + " ? 1u : 0u) << " + std::to_string(i);
    }
    const std::string number = std::to_string(count);
    return "Values<" + element + ", " + number + ">{{" + items + "}, " + nulls + ", " + number + "}";
  };
  const Value out = declare(type, false);
  if (expr.fn == "list_concat")
    line(out.value + " = joined(" + list(0) + ", " + list(1) + ");");
  else if (expr.fn == "list_append")
    line(out.value + " = joined(" + list(0) + ", " + values(1, 1) + ");");
  else if (expr.fn == "list_prepend")
    line(out.value + " = joined(" + values(0, 1) + ", " + list(1) + ");");
  else
    line(out.value + " = " + values(0, args.size()) + ";");
  return out;
}

}  // namespace quern::jit
