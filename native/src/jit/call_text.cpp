#include "jit/call_text.hpp"

#include <algorithm>
#include <map>

#include "common/error.hpp"
#include "jit/device_type.hpp"

namespace quern::jit {

namespace {

const std::string fails = " fail(in, row);";

std::string signature(const std::string& fn, const std::vector<TypePtr>& types) {
  std::string out = fn + "(";
  for (const auto& type : types) out += (out.back() == '(' ? "" : ", ") + type_name(*type);
  return out + ")";
}

std::string power(int digits) { return "ops::power_of_ten(" + std::to_string(digits) + ")"; }
bool narrow(const DataType& type) { return type.precision <= 18; }

// + - * of integers, floats and decimals.
std::optional<CallText> arithmetic(const std::string& fn, const std::vector<TypePtr>& types, const DataType& result) {
  static const std::map<std::string, std::pair<const char*, const char*>> operations = {
      {"add", {"ops::add", "+"}}, {"sub", {"ops::subtract", "-"}}, {"mul", {"ops::multiply", "*"}}};
  const auto found = operations.find(fn);
  if (found == operations.end()) return std::nullopt;
  const auto& [checked, sign] = found->second;
  const DataType &left = *types[0], &right = *types.back();
  const std::string type = device_type(result);
  if (is_integer(left) && is_integer(right))
    return CallText{std::string("if (!") + checked + "<" + type + ">($a, $b, $r))" + fails, {"ops/integer.hpp"}};
  if (is_float(left) && is_float(right)) return CallText{std::string("$r = $a ") + sign + " $b;", {}};
  if (!is_decimal(left) || !is_decimal(right)) return std::nullopt;
  // As the CPU: nothing is checked where the result's precision holds every result.
  const bool exact = fn == "mul" ? result.precision >= left.precision + right.precision
                                 : result.precision > std::max(left.precision, right.precision);
  if (exact) return CallText{"$r = static_cast<" + type + ">($a) " + sign + " static_cast<" + type + ">($b);", {}};
  return CallText{std::string("{ int128_t w; const bool fits = ") + checked +
                      "<int128_t>($a, $b, w) && ops::in_precision(w, " + power(result.precision) +
                      "); $r = static_cast<" + type + ">(w); if (!fits)" + fails + " }",
                  {"ops/decimal.hpp"}};
}

// Quotients, remainders and signs.
std::optional<CallText> division(const std::string& fn, const std::vector<TypePtr>& types) {
  if (types.empty()) return std::nullopt;
  const DataType& left = *types[0];
  if (!is_integer(left) && !is_float(left)) {
    if (is_decimal(left) && fn == "neg") return CallText{"$r = -$a;", {}};
    if (is_decimal(left) && fn == "abs") return CallText{"$r = $a < 0 ? -$a : $a;", {}};
    if (is_decimal(left) && fn == "sign") return CallText{"$r = ops::sign($a);", {"ops/integer.hpp"}};
    return std::nullopt;
  }
  const std::string type = device_type(left);
  const bool whole = is_integer(left);
  if (fn == "div" && !whole) return CallText{"$r = $a / $b;", {}};
  if (fn == "int_div" && whole)
    return CallText{
        "if ($b == 0) $n = true; else if (!ops::divide<" + type + ">($a, $b, $r))" + fails, {"ops/integer.hpp"}, true};
  if (fn == "int_div") return CallText{"if ($b == 0) $n = true; else $r = $a / $b;", {}, true};
  if (fn == "mod" && whole)
    return CallText{
        "if ($b == 0) $n = true; else $r = ops::remainder<" + type + ">($a, $b);", {"ops/integer.hpp"}, true};
  if (fn == "mod") return CallText{"$r = ops::real_remainder<" + type + ">($a, $b);", {"ops/real.hpp"}};
  if (fn == "neg" && whole) return CallText{"if (!ops::negate<" + type + ">($a, $r))" + fails, {"ops/integer.hpp"}};
  if (fn == "neg") return CallText{"$r = -$a;", {}};
  if (fn == "abs" && whole) return CallText{"if (!ops::absolute<" + type + ">($a, $r))" + fails, {"ops/integer.hpp"}};
  if (fn == "abs") return CallText{"$r = $a < 0 || ($a == 0 && 1 / $a < 0) ? -$a : $a;", {}};
  if (fn == "sign" && whole) return CallText{"$r = ops::sign<" + type + ">($a);", {"ops/integer.hpp"}};
  if (fn == "sign") return CallText{"$r = ops::real_sign<" + type + ">($a);", {"ops/real.hpp"}};
  return std::nullopt;
}

std::optional<CallText> bits(const std::string& fn, const std::vector<TypePtr>& types) {
  static const std::map<std::string, const char*> operations = {{"and_bits", "&"}, {"or_bits", "|"}, {"xor_bits", "^"}};
  if (types.empty() || !is_integer(*types[0])) return std::nullopt;
  const std::string type = device_type(*types[0]);
  if (const auto found = operations.find(fn); found != operations.end())
    return CallText{"$r = static_cast<" + type + ">($a " + found->second + " $b);", {}};
  if (fn == "not_bits") return CallText{"$r = static_cast<" + type + ">(~$a);", {}};
  if (fn == "shift_left")
    return CallText{"if (!ops::shift_left<" + type + ">($a, $b, $r))" + fails, {"ops/integer.hpp"}};
  if (fn == "shift_right") return CallText{"$r = ops::shift_right<" + type + ">($a, $b);", {"ops/integer.hpp"}};
  if (fn == "bit_count") return CallText{"$r = ops::bit_count<" + type + ">($a);", {"ops/integer.hpp"}};
  return std::nullopt;
}

std::optional<CallText> comparison(const std::string& fn, const std::vector<TypePtr>& types) {
  static const std::map<std::string, const char*> operations = {
      {"eq", "ops::equal<$T>($a, $b)"}, {"ne", "!ops::equal<$T>($a, $b)"}, {"lt", "ops::less<$T>($a, $b)"},
      {"le", "!ops::less<$T>($b, $a)"}, {"gt", "ops::less<$T>($b, $a)"},   {"ge", "!ops::less<$T>($a, $b)"},
      {"is_distinct_from", ""},         {"is_not_distinct_from", ""}};
  const auto found = operations.find(fn);
  if (found == operations.end()) return std::nullopt;
  CallText out{found->second, {"ops/compare.hpp"}};
  if (out.statement.empty()) {
    out.distinct = true;
    out.negated = fn == "is_not_distinct_from";
    out.statement = "!ops::equal<$T>($a, $b)";
  } else {
    out.statement = "$r = " + out.statement + ";";
  }
  const std::string type = device_type(*types[0]);
  for (size_t at; (at = out.statement.find("$T")) != std::string::npos;) out.statement.replace(at, 2, type);
  return out;
}

// Functions of floats that every device rounds alike, and predicates on them.
std::optional<CallText> reals(const std::string& fn, const std::vector<TypePtr>& types) {
  if (types.size() != 1 || !is_float(*types[0])) return std::nullopt;
  const std::string type = device_type(*types[0]);
  for (const char* name : {"ceil", "floor", "trunc", "round"}) {
    if (fn == name)
      return CallText{"$r = static_cast<" + type + ">(::" + name + "(static_cast<double>($a)));", {"ops/real.hpp"}};
  }
  if (fn == "sqrt" && types[0]->kind == TypeKind::float64)
    return CallText{"if (!ops::square_root($a, $r))" + fails, {"ops/real.hpp"}};
  if (fn == "isnan") return CallText{"$r = ops::is_nan<" + type + ">($a);", {"ops/real.hpp"}};
  if (fn == "isinf") return CallText{"$r = ops::is_infinite<" + type + ">($a);", {"ops/real.hpp"}};
  if (fn == "isfinite") return CallText{"$r = ops::is_finite<" + type + ">($a);", {"ops/real.hpp"}};
  return std::nullopt;
}

std::optional<CallText> texts(const std::string& fn, const std::vector<TypePtr>& types) {
  if (types.empty() || types[0]->kind != TypeKind::string) return std::nullopt;
  if (fn == "strlen" || fn == "octet_length") return CallText{"$r = $a.length;", {"ops/text.hpp"}};
  if (fn == "length") return CallText{"$r = ops::code_points(ops::text_of($a));", {"ops/text.hpp"}};
  static const std::map<std::pair<std::string, size_t>, const char*> operations = {
      // parts of a text
      {{"substring", 3}, "view_of_text(ops::substring(ops::text_of($a), $b, $c))"},
      {{"substring", 2}, "view_of_text(ops::slice(ops::text_of($a), $b == 0 ? 1 : $b, 9223372036854775807LL))"},
      {{"left", 2}, "view_of_text(ops::left(ops::text_of($a), $b))"},
      {{"right", 2}, "view_of_text(ops::right(ops::text_of($a), $b))"},
      {{"split_part", 3}, "view_of_text(ops::split_part(ops::text_of($a), ops::text_of($b), $c))"},
      // searches
      {{"starts_with", 2}, "ops::starts_with(ops::text_of($a), ops::text_of($b))"},
      {{"ends_with", 2}, "ops::ends_with(ops::text_of($a), ops::text_of($b))"},
      {{"contains", 2}, "ops::contains(ops::text_of($a), ops::text_of($b))"},
      {{"position", 2}, "ops::position(ops::text_of($a), ops::text_of($b))"},
      {{"like", 2}, "ops::like(ops::text_of($a), ops::text_of($b), 0)"}};
  if (const auto found = operations.find({fn, types.size()}); found != operations.end())
    return CallText{std::string("$r = ") + found->second + ";", {"ops/text.hpp"}};
  return std::nullopt;
}

// Parts of a finite date; infinite ones have none.
std::optional<CallText> dates(const std::string& fn, const std::vector<TypePtr>& types) {
  if (types.size() != 1 || types[0]->kind != TypeKind::date) return std::nullopt;
  for (const char* name : {"year", "quarter", "month", "day", "week", "isoyear", "yearweek", "dow", "isodow", "doy"}) {
    if (fn == name) {
      return CallText{
          "if (!ops::finite_date($a)) $n = true; else $r = ops::part_of_days(ops::DatePart::" + fn + ", $a);",
          {"ops/calendar.hpp"},
          true};
    }
  }
  return std::nullopt;
}

// `f` fills w (int128_t) and says whether it fits.
CallText into_decimal(const std::string& f, const DataType& to, bool try_cast) {
  return {"{ int128_t w = 0; const bool fits = " + f + "; $r = static_cast<" + device_type(to) +
              ">(fits ? w : 0); if (!fits) " + (try_cast ? "$n = true;" : "fail(in, row);") + " }",
          {"ops/cast.hpp"},
          try_cast};
}

}  // namespace

std::optional<bool> null_test(const std::string& fn) {
  if (fn == "is_null") return true;
  if (fn == "is_not_null") return false;
  return std::nullopt;
}

std::string fill(const std::string& statement, const std::string& result, const std::string& null, const std::string& a,
                 const std::string& b, const std::string& c) {
  std::string out;
  for (size_t i = 0; i < statement.size(); ++i) {
    if (statement[i] != '$') {
      out += statement[i];
      continue;
    }
    switch (statement.at(++i)) {
      case 'r':
        out += result;
        break;
      case 'n':
        out += null;
        break;
      case 'a':
        out += a;
        break;
      case 'c':
        out += c;
        break;
      default:
        out += b;
    }
  }
  return out;
}

CallText call_text(const std::string& fn, const std::vector<TypePtr>& types, const DataType& result) {
  if (fn == "not") return {"$r = $a ^ 1;", {}};
  if (auto text = arithmetic(fn, types, result)) return *text;
  if (auto text = division(fn, types)) return *text;
  if (auto text = bits(fn, types)) return *text;
  if (auto text = comparison(fn, types)) return *text;
  if (auto text = reals(fn, types)) return *text;
  if (auto text = texts(fn, types)) return *text;
  if (auto text = dates(fn, types)) return *text;
  throw unsupported("function " + signature(fn, types) + " on the GPU");
}

CallText cast_text(const DataType& from, const DataType& to, bool try_cast) {
  const auto none = [&]() -> CallText {
    throw unsupported("CAST(" + type_name(from) + " AS " + type_name(to) + ") on the GPU");
  };
  const bool number = is_integer(from) || is_float(from) || is_decimal(from) || from.kind == TypeKind::boolean;
  const bool to_number = is_integer(to) || is_float(to) || is_decimal(to) || to.kind == TypeKind::boolean;
  if (!number || !to_number) return none();
  const std::string type = device_type(to);
  const std::string miss = try_cast ? " $n = true;" : fails;
  const auto checked = [&](const std::string& f) {
    return CallText{"if (!" + f + ")" + miss, {"ops/cast.hpp"}, try_cast};
  };
  if (to.kind == TypeKind::boolean) return {"$r = $a != 0;", {}};
  if (from.kind == TypeKind::boolean && !is_decimal(to)) return {"$r = static_cast<" + type + ">($a);", {}};
  if (is_integer(from) && is_integer(to)) return checked("ops::integer_to_integer($a, $r)");
  if (is_integer(from) && is_float(to)) return {"$r = static_cast<" + type + ">($a);", {}};
  if (is_float(from) && is_integer(to)) return checked("ops::real_to_integer($a, $r)");
  if (is_float(from) && to.kind == TypeKind::float64) return {"$r = static_cast<double>($a);", {}};
  if (is_float(from) && to.kind == TypeKind::float32) return checked("ops::double_to_float($a, $r)");
  if (is_decimal(to) && is_float(from)) {
    return into_decimal("ops::real_to_decimal($a, static_cast<double>(" + power(to.scale) + "), static_cast<double>(" +
                            power(to.precision) + "), w)",
                        to, try_cast);
  }
  if (is_decimal(to) && is_decimal(from)) {
    const bool up = to.scale >= from.scale;
    const std::string factor = power(up ? to.scale - from.scale : from.scale - to.scale);
    if (up && to.precision - to.scale >= from.precision - from.scale)
      return {"$r = static_cast<" + type + ">($a) * static_cast<" + type + ">(" + factor + ");", {"ops/decimal.hpp"}};
    return into_decimal(std::string("ops::decimal_to_decimal($a, ") + (up ? "true, " : "false, ") + factor + ", " +
                            power(to.precision) + ", w)",
                        to, try_cast);
  }
  if (is_decimal(to))
    return into_decimal("ops::integer_to_decimal($a, " + power(to.scale) + ", " + power(to.precision) + ", w)", to,
                        try_cast);
  if (is_integer(to)) return checked("ops::decimal_to_integer($a, " + power(from.scale) + ", $r)");
  if (narrow(from) && from.precision <= 15)
    return {"$r = static_cast<" + type + ">(static_cast<double>($a) / static_cast<double>(" + power(from.scale) + "));",
            {"ops/decimal.hpp"}};
  return {"$r = static_cast<" + type + ">(ops::decimal_to_double($a, " + std::to_string(from.scale) + "));",
          {"ops/decimal.hpp"}};
}

}  // namespace quern::jit
