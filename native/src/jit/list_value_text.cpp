#include "jit/list_value_text.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "jit/call_text.hpp"
#include "jit/device_type.hpp"

namespace quern::jit {

namespace {

using plan::Expr;
using plan::ExprIndex;
using plan::ExprKind;

const Expr& expr_at(const plan::Plan& plan, ExprIndex expr) { return plan.exprs[static_cast<size_t>(expr)]; }
const DataType& type_of(const plan::Plan& plan, ExprIndex expr) { return *expr_at(plan, expr).type; }
bool is_list(const DataType& type) { return type.kind == TypeKind::list; }

void require_elements(const DataType& list) {
  if (list_element_type(list) == "NoElement") throw unsupported("elements of " + type_name(list) + " on the GPU");
}

// Elements that are vectors' elements as well.
bool is_vector(const DataType& list) {
  const DataType& element = *list.children.at(0);
  return is_integer(element) || is_float(element) || element.kind == TypeKind::float16 ||
         element.kind == TypeKind::bfloat16;
}

// Conversions of elements that never fail and round as the host does.
bool converts(const DataType& from, const DataType& to) {
  const bool half = from.kind == TypeKind::float16 || from.kind == TypeKind::bfloat16;
  const bool to_half = to.kind == TypeKind::float16 || to.kind == TypeKind::bfloat16;
  if (half) return is_float(to);
  if (to_half) return from.kind == TypeKind::float32;
  if (is_integer(from)) {
    const bool widens = is_signed_integer(from) == is_signed_integer(to)
                            ? width(to) >= width(from)
                            : is_signed_integer(to) && width(to) > width(from);
    return is_float(to) || (is_integer(to) && widens);
  }
  return from.kind == TypeKind::float32 && to.kind == TypeKind::float64;
}

std::string literal_type(const Expr& expr) {
  const Column& column = *expr.literal;
  if (column.null_count == 0) {
    require_elements(*expr.type);
    if (column.children.at(0)->null_count > 0 || column.children[0]->form != Form::flat)
      throw unsupported("constant lists with NULL on the GPU");
  }
  return "ListOf<" + list_element_type(*expr.type) + ">";
}

std::string cast_type(const plan::Plan& plan, const Expr& expr) {
  const DataType& from = type_of(plan, expr.args[0]);
  if (from.kind == TypeKind::null) return "ListOf<" + list_element_type(*expr.type) + ">";
  const std::string inner = list_value_type(plan, expr.args[0]);
  const DataType &element = *from.children[0], &wanted = *expr.type->children[0];
  if (same_type(element, wanted)) return inner;
  if (!converts(element, wanted))
    throw unsupported("CAST(" + type_name(from) + " AS " + type_name(*expr.type) + ") on the GPU");
  return "Converted<" + list_element_type(*expr.type) + ", " + inner + ">";
}

// list_add and its kin.
const std::map<std::string, std::string>& element_wise() {
  static const std::map<std::string, std::string> all = {
      {"list_add", "Sum"}, {"list_sub", "Difference"}, {"list_mul", "Times"}};
  return all;
}
std::string without_try(const std::string& fn) { return fn.starts_with("try_") ? fn.substr(4) : fn; }

std::string call_type(const plan::Plan& plan, const Expr& expr) {
  const auto list = [&](size_t i) { return list_value_type(plan, expr.args.at(i)); };
  const std::string element = list_element_type(*expr.type);
  if (expr.fn == "list_slice" || expr.fn == "list_part")
    return list(0).starts_with("ListOf<") ? list(0) : "Part<" + list(0) + ">";
  if (expr.fn == "list_reverse") return "Reversed<" + list(0) + ">";
  if (expr.fn == "list_concat" || expr.fn == "list_join" || expr.fn == "list_append" || expr.fn == "list_prepend")
    require_elements(*expr.type);
  if (expr.fn == "list_concat" || expr.fn == "list_join") return "Joined<" + list(0) + ", " + list(1) + ">";
  if (expr.fn == "list_append") return "Joined<" + list(0) + ", Values<" + element + ", 1>>";
  if (expr.fn == "list_prepend") return "Joined<Values<" + element + ", 1>, " + list(1) + ">";
  if (expr.fn == "list_value") {
    require_elements(*expr.type);
    if (expr.args.size() > 32) throw unsupported("list_value of more than 32 values on the GPU");
    return "Values<" + element + ", " + std::to_string(expr.args.size()) + ">";
  }
  if (const auto found = element_wise().find(without_try(expr.fn)); found != element_wise().end()) {
    for (const ExprIndex arg : expr.args) {
      if (!is_vector(type_of(plan, arg)))
        throw unsupported("vectors of " + type_name(type_of(plan, arg)) + " on the GPU");
    }
    return "Combined<" + found->second + ", " + list(0) + ", " + list(1) + ">";
  }
  if (expr.fn == "list_scale" && is_vector(type_of(plan, expr.args[0]))) return "Scaled<" + list(0) + ">";
  std::vector<TypePtr> types;
  for (const ExprIndex arg : expr.args) types.push_back(expr_at(plan, arg).type);
  call_text(expr.fn, types, *expr.type);  // says what is missing
  throw internal_error("a function of lists without a text: " + expr.fn);
}

}  // namespace

std::string list_element_type(const DataType& list) {
  const DataType& element = *list.children.at(0);
  if (element.kind == TypeKind::float16) return "ops::Half";
  if (element.kind == TypeKind::bfloat16) return "ops::BrainFloat";
  return fixed_width(element) ? device_type(element) : "NoElement";
}

std::string value_type(const plan::Plan& plan, ExprIndex index) {
  const DataType& type = type_of(plan, index);
  return is_list(type) ? list_value_type(plan, index) : device_type(type);
}

std::string list_value_type(const plan::Plan& plan, ExprIndex index) {
  const Expr& expr = expr_at(plan, index);
  switch (expr.kind) {
    case ExprKind::column:
      return "ListOf<" + list_element_type(*expr.type) + ">";
    case ExprKind::literal:
      return literal_type(expr);
    case ExprKind::cast:
      return cast_type(plan, expr);
    case ExprKind::call:
      return call_type(plan, expr);
    default:
      throw unsupported("choosing among values of " + type_name(*expr.type) + " on the GPU");
  }
}

std::optional<ListCallText> list_call_text(const plan::Plan& plan, const Expr& call) {
  if (call.fn == "len") return ListCallText{"$r = $a.length;"};
  if (call.fn == "list_slice") return ListCallText{"$r = slice_list($a, $b, $c);"};
  if (call.fn == "list_part") return ListCallText{"$r = take_list($a, $b, $c);"};
  if (call.fn == "list_reverse") return ListCallText{"$r = reversed($a);"};
  if (call.fn == "list_join") return ListCallText{"$r = joined($a, $b);"};
  if (call.fn == "list_scale") return ListCallText{"if (holds_null($a)) $n = true; else $r = scaled($a, $b);", true};
  if (const auto found = element_wise().find(without_try(call.fn)); found != element_wise().end()) {
    const std::string unequal = call.fn.starts_with("try_") ? "$n = true;" : "fail(in, row);";
    return ListCallText{"if ($a.length != $b.length) " + unequal +
                            " else if (holds_null($a) || holds_null($b)) $n = true; else $r = combined<" +
                            found->second + ">($a, $b);",
                        true};
  }
  static const std::map<std::string, std::string> elements = {{"list_extract", "$n = !element_at($a, $b, $r);"},
                                                              {"list_first", "$n = !element_at($a, 1, $r);"},
                                                              {"list_last", "$n = !element_at($a, -1, $r);"},
                                                              {"list_any_value", "$n = !first_known($a, $r);"}};
  const auto found = elements.find(call.fn);
  if (found == elements.end()) return std::nullopt;
  require_elements(type_of(plan, call.args[0]));
  return ListCallText{found->second, true};
}

std::optional<ReductionText> reduction_text(const plan::Plan& plan, const Expr& call) {
  if (call.kind != ExprKind::call || call.args.empty() || !is_list(type_of(plan, call.args[0]))) return std::nullopt;
  const DataType& list = type_of(plan, call.args[0]);
  const DataType& element = *list.children[0];
  if (call.fn == "list_count") return ReductionText{"$w_count_known($a$t)", "int64_t"};
  if (call.fn == "list_has_null") return ReductionText{"$w_has_null($a$t)", "uint8_t"};
  static const std::set<std::string> names = {"list_sum", "list_avg",      "list_product",  "list_min",
                                              "list_max", "list_contains", "list_position", "list_norm"};
  if (!names.contains(call.fn)) return std::nullopt;
  require_elements(list);
  const bool real = is_float(element);
  if (call.fn == "list_sum" && real) return ReductionText{"$w_real_sum<false>($a$t)", "double"};
  if (call.fn == "list_avg" && real) return ReductionText{"$w_real_sum<true>($a$t)", "double"};
  if (call.fn == "list_sum") {
    const std::string type = device_type(*call.type);
    return ReductionText{"$w_exact_sum<" + type + ">($a$t)", type};
  }
  if (call.fn == "list_avg") {
    const std::string power = "ops::power_of_ten(" + std::to_string(is_decimal(element) ? element.scale : 0) + ")";
    return ReductionText{"$w_exact_mean($a$t, " + power + ")", "double"};
  }
  if (call.fn == "list_product") return ReductionText{"$w_product($a$t)", "double"};
  if (call.fn == "list_norm" && is_vector(list)) return ReductionText{"$w_norm($a$t)", "double"};
  const std::string type = device_type(element);
  if (call.fn == "list_contains" || call.fn == "list_position") {
    if (element.kind == TypeKind::interval) throw unsupported("search in " + type_name(list) + " on the GPU");
    return ReductionText{"$w_position($a$t, $b, $m)", "int64_t"};
  }
  if (element.kind == TypeKind::uuid || element.kind == TypeKind::interval || call.fn == "list_norm")
    throw unsupported("function " + call.fn + "(" + type_name(list) + ") on the GPU");
  return ReductionText{"$w_extreme<" + std::string(call.fn == "list_max" ? "true" : "false") + ">($a$t)", type};
}

bool is_harmless(const plan::Plan& plan, ExprIndex index) {
  static const std::set<std::string> calls = {"list_slice",  "list_part",    "list_reverse", "list_concat", "list_join",
                                              "list_append", "list_prepend", "list_value",   "list_scale"};
  const Expr& expr = expr_at(plan, index);
  if (expr.kind == ExprKind::column || expr.kind == ExprKind::literal) return true;
  const bool list_cast = expr.kind == ExprKind::cast && is_list(*expr.type);
  if (!list_cast && (expr.kind != ExprKind::call || !calls.contains(expr.fn))) return false;
  return std::all_of(expr.args.begin(), expr.args.end(), [&](ExprIndex arg) { return is_harmless(plan, arg); });
}

}  // namespace quern::jit
