#include "plan/functions.hpp"

#include <algorithm>
#include <sstream>
#include <unordered_map>

namespace quern::plan {

namespace {

std::vector<std::string> words(const char* text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

// A class stands for several kinds; everything else stands for itself.
std::vector<std::string> expand_classes(const char* over) {
  std::vector<std::string> out;
  const auto add = [&](std::initializer_list<const char*> kinds) { out.insert(out.end(), kinds.begin(), kinds.end()); };
  for (const auto& word : words(over)) {
    if (word == "signed" || word == "integers") add({"int8", "int16", "int32", "int64"});
    if (word == "integers") add({"uint8", "uint16", "uint32", "uint64"});
    if (word == "floats") add({"float32", "float64"});
    if (word == "moments") add({"date", "timestamp"});
    if (word != "signed" && word != "integers" && word != "floats" && word != "moments") out.push_back(word);
  }
  return out;
}

Function make_row(bool aggregate, const char* name, const char* over, const char* arguments, const char* result,
                  bool strict, bool fallible) {
  Function row;
  row.name = name;
  row.aggregate = aggregate;
  row.over = expand_classes(over);
  row.arguments = words(arguments);
  if (!row.arguments.empty() && row.arguments.back().ends_with("...")) {
    row.variadic = true;
    row.arguments.back().resize(row.arguments.back().size() - 3);
  }
  row.result = result;
  row.strict = strict;
  row.fallible = fallible;
  return row;
}

constexpr bool strict = true;
constexpr bool custom = false;
constexpr bool fallible = true;
constexpr bool infallible = false;

std::vector<Function> make_table() {
  std::vector<Function> table;
#define FUNCTION(name, over, arguments, result, nulls, fails) \
  table.push_back(make_row(false, #name, over, arguments, result, nulls, fails));
#define AGGREGATE(name, over, arguments, result) \
  table.push_back(make_row(true, #name, over, arguments, result, false, true));
#include "plan/functions.def"
#undef FUNCTION
#undef AGGREGATE
  return table;
}

// Whether `type` fits the pattern. `variable` is what T is so far, if anything.
bool fits(std::string_view pattern, const TypePtr& type, const Function& function, TypePtr& variable) {
  if (pattern == "any" || pattern == "lambda") return true;  // the type of a lambda is that of its body
  if (pattern == "T") {
    if (variable) return same_type(*variable, *type);
    const auto kind = kind_name(type->kind);
    const auto in = [&](const std::string& word) { return word == "any" || word == kind; };
    if (std::none_of(function.over.begin(), function.over.end(), in)) return false;
    variable = type;
    return true;
  }
  if (pattern.starts_with("list<")) {
    return type->kind == TypeKind::list &&
           fits(pattern.substr(5, pattern.size() - 6), type->children[0], function, variable);
  }
  return pattern == kind_name(type->kind);
}

bool arguments_fit(const Function& function, const std::vector<TypePtr>& arguments, TypePtr& variable) {
  const size_t patterns = function.arguments.size();
  if (function.variadic ? arguments.size() < patterns : arguments.size() != patterns) return false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!fits(function.arguments[std::min(i, patterns - 1)], arguments[i], function, variable)) return false;
  }
  return true;
}

bool equal_scales(const std::vector<TypePtr>& arguments) {
  return std::all_of(arguments.begin(), arguments.end(),
                     [&](const TypePtr& t) { return t->scale == arguments[0]->scale; });
}

const Function* find_row(bool aggregate, std::string_view name, const std::vector<TypePtr>& arguments) {
  static const auto by_name = [] {
    std::unordered_map<std::string_view, std::vector<const Function*>> rows;
    for (const auto& row : function_table()) rows[row.name].push_back(&row);
    return rows;
  }();
  const auto found = by_name.find(name);
  if (found == by_name.end()) return nullptr;
  for (const auto* row : found->second) {
    TypePtr variable;
    if (row->aggregate == aggregate && arguments_fit(*row, arguments, variable) &&
        (row->result != "decimal_sum" || equal_scales(arguments))) {
      return row;
    }
  }
  return nullptr;
}

std::string json_list(const std::vector<std::string>& items) {
  std::string out = "[";
  for (size_t i = 0; i < items.size(); ++i) out += (i > 0 ? ",\"" : "\"") + items[i] + "\"";
  return out + "]";
}

}  // namespace

const std::vector<Function>& function_table() {
  static const std::vector<Function> table = make_table();
  return table;
}

const Function* find_function(std::string_view name, const std::vector<TypePtr>& arguments) {
  return find_row(false, name, arguments);
}

const Function* find_aggregate(std::string_view name, const std::vector<TypePtr>& arguments) {
  return find_row(true, name, arguments);
}

bool result_fits(const Function& function, const std::vector<TypePtr>& arguments, const TypePtr& result) {
  TypePtr variable;
  if (!arguments_fit(function, arguments, variable)) return false;
  const auto& rule = function.result;
  const auto is = [&](const TypePtr& type) { return same_type(*type, *result); };
  if (rule == "given") return true;
  if (rule == "T" || rule == "element") return variable && is(variable);
  if (rule == "list<T>") return variable && is(make_list(variable));
  if (rule.starts_with("list<"))
    return result->kind == TypeKind::list && rule == "list<" + std::string(kind_name(result->children[0]->kind)) + ">";
  if (rule == "time") return is(make_time(TimeUnit::us));
  if (rule == "timestamp") return is(make_timestamp(TimeUnit::us, false));
  if (rule == "timestamptz") return is(make_timestamp(TimeUnit::us, true));
  if (rule == "hugeint") return is(make_decimal(38, 0));
  if (rule == "decimal_any") return result->kind == TypeKind::decimal;
  if (rule == "decimal_sum") return result->kind == TypeKind::decimal && result->scale == arguments[0]->scale;
  if (rule == "decimal_product") {
    return result->kind == TypeKind::decimal && result->scale == arguments[0]->scale + arguments[1]->scale;
  }
  if (rule == "decimal_sum38") return is(make_decimal(38, variable ? variable->scale : arguments[0]->scale));
  if (rule == "map_value") return is(arguments[0]->children[1]);
  if (rule == "map_values") return is(make_list(arguments[0]->children[1]));
  if (rule == "map_keys") return is(make_list(arguments[0]->children[0]));
  if (rule == "map_entries") return is(make_list(map_entry_type(*arguments[0])));
  return rule == kind_name(result->kind);
}

std::string_view kind_name(TypeKind kind) {
  switch (kind) {
    case TypeKind::null:
      return "null";
    case TypeKind::boolean:
      return "bool";
    case TypeKind::int8:
      return "int8";
    case TypeKind::int16:
      return "int16";
    case TypeKind::int32:
      return "int32";
    case TypeKind::int64:
      return "int64";
    case TypeKind::uint8:
      return "uint8";
    case TypeKind::uint16:
      return "uint16";
    case TypeKind::uint32:
      return "uint32";
    case TypeKind::uint64:
      return "uint64";
    case TypeKind::float16:
      return "float16";
    case TypeKind::bfloat16:
      return "bfloat16";
    case TypeKind::float32:
      return "float32";
    case TypeKind::float64:
      return "float64";
    case TypeKind::decimal:
      return "decimal";
    case TypeKind::date:
      return "date";
    case TypeKind::time:
      return "time";
    case TypeKind::timestamp:
      return "timestamp";
    case TypeKind::interval:
      return "interval";
    case TypeKind::string:
      return "string";
    case TypeKind::binary:
      return "binary";
    case TypeKind::uuid:
      return "uuid";
    case TypeKind::list:
      return "list";
    case TypeKind::structure:
      return "struct";
    case TypeKind::map:
      return "map";
  }
  return "?";
}

std::string function_table_json() {
  std::string out = "[";
  for (const auto& row : function_table()) {
    if (out.size() > 1) out += ",\n";
    out += "{\"name\":\"" + row.name + "\",\"aggregate\":" + (row.aggregate ? "true" : "false") +
           ",\"over\":" + json_list(row.over) + ",\"arguments\":" + json_list(row.arguments) +
           ",\"variadic\":" + (row.variadic ? "true" : "false") + ",\"result\":\"" + row.result + "\",\"nulls\":\"" +
           (row.strict ? "strict" : "custom") + "\",\"fallible\":" + (row.fallible ? "true" : "false") + "}";
  }
  return out + "]\n";
}

namespace {

// FNV-1a: any change of a row is a change of the hash, which is all that is asked.
std::string hash_of(const std::string& text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  static const char digits[] = "0123456789abcdef";
  std::string out(16, '0');
  for (int i = 15; i >= 0; --i, hash >>= 4) out[static_cast<size_t>(i)] = digits[hash & 15];
  return out;
}

}  // namespace

// Every plan is compared with it.
std::string function_table_hash() {
  static const std::string hash = hash_of(function_table_json());
  return hash;
}

}  // namespace quern::plan
