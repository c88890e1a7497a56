// The only file that reads JSON. Everything that comes from the document is checked; nothing is trusted.
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "plan/comparable.hpp"
#include "plan/functions.hpp"
#include "plan/literal.hpp"
#include "plan/plan.hpp"
#include "plan/validate.hpp"

namespace quern::plan {

namespace {

using Json = nlohmann::json;

// Nesting of expressions and of nodes: evaluators and the cut recurse.
constexpr int32_t max_depth = 5000;

const Json& member(const Json& object, const char* name) {
  if (!object.is_object()) throw internal_error("not an object");
  const auto found = object.find(name);
  if (found == object.end()) throw internal_error(std::string("no member ") + name);
  return *found;
}

const Json* optional_member(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

const Json& array(const Json& object, const char* name) {
  const auto& value = member(object, name);
  if (!value.is_array()) throw internal_error(std::string("no array: ") + name);
  return value;
}

std::string text(const Json& value, const char* name) {
  if (!value.is_string()) throw internal_error(std::string("no text: ") + name);
  return value.get<std::string>();
}

std::string text_member(const Json& object, const char* name) { return text(member(object, name), name); }

bool bool_member(const Json& object, const char* name) {
  const auto& value = member(object, name);
  if (!value.is_boolean()) throw internal_error(std::string("no boolean: ") + name);
  return value.get<bool>();
}

// A whole number that a double holds exactly.
int64_t whole(const Json& value, const char* name) {
  if (value.is_number_unsigned() &&
      value.get<uint64_t>() <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    return static_cast<int64_t>(value.get<uint64_t>());
  }
  if (value.is_number_integer() && !value.is_number_unsigned()) return value.get<int64_t>();
  if (value.is_number_float() && std::floor(value.get<double>()) == value.get<double>() &&
      std::fabs(value.get<double>()) < 9e15) {
    return static_cast<int64_t>(value.get<double>());
  }
  throw internal_error(std::string("no whole number: ") + name);
}

int64_t count(const Json& value, const char* name) {
  const int64_t number = whole(value, name);
  if (number < 0) throw internal_error(std::string("negative number: ") + name);
  return number;
}

int32_t index(const Json& value, const char* name, size_t limit) {
  const int64_t number = whole(value, name);
  if (number < 0 || number >= static_cast<int64_t>(limit)) {
    throw internal_error(std::string("index out of range: ") + name + " " + std::to_string(number) + " of " +
                         std::to_string(limit));
  }
  return static_cast<int32_t>(number);
}

std::vector<int32_t> indices(const Json& object, const char* name, size_t limit) {
  std::vector<int32_t> out;
  for (const auto& item : array(object, name)) out.push_back(index(item, name, limit));
  return out;
}

template <typename T>
T integer_text(const Json& object, const char* name) {
  const std::string digits = text_member(object, name);
  T value{};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size())
    throw internal_error(std::string("no integer: ") + name + " " + digits);
  return value;
}

std::optional<SourceSpan> span(const Json& object) {
  const auto* value = optional_member(object, "span");
  if (value == nullptr) return std::nullopt;
  if (!value->is_array() || value->size() != 2) throw internal_error("span is no pair");
  return SourceSpan{index((*value)[0], "span", INT32_MAX), index((*value)[1], "span", INT32_MAX)};
}

TypeKind kind_of(const std::string& word) {
  for (int i = 0; i <= static_cast<int>(TypeKind::map); ++i) {
    if (kind_name(static_cast<TypeKind>(i)) == word) return static_cast<TypeKind>(i);
  }
  throw internal_error("unknown type " + word);
}

TimeUnit unit_of(const std::string& word) {
  if (word == "s") return TimeUnit::s;
  if (word == "ms") return TimeUnit::ms;
  if (word == "us") return TimeUnit::us;
  if (word == "ns") return TimeUnit::ns;
  throw internal_error("unknown time unit " + word);
}

TypeTag tag_of(const std::string& word, TypeKind kind) {
  if (kind == TypeKind::string && word == "json") return TypeTag::json;
  if (kind == TypeKind::string && word == "variant") return TypeTag::variant;
  if (kind == TypeKind::binary && word == "geometry") return TypeTag::geometry;
  throw internal_error("unknown type tag " + word);
}

TypePtr decode_type(const Json& row, const std::vector<TypePtr>& types) {
  const TypeKind kind = kind_of(text_member(row, "kind"));
  const auto children = [&](size_t arity) {
    std::vector<TypePtr> out;
    for (int32_t child : indices(row, "children", types.size())) out.push_back(types[child]);
    if (arity != 0 && out.size() != arity) throw internal_error("wrong number of children");
    return out;
  };
  if (const auto* tag = optional_member(row, "tag")) return make_tagged(tag_of(text(*tag, "tag"), kind));
  switch (kind) {
    case TypeKind::decimal: {
      const int64_t precision = whole(member(row, "precision"), "precision");
      const int64_t scale = whole(member(row, "scale"), "scale");
      if (precision < 1 || precision > 38 || scale < 0 || scale > precision)
        throw internal_error("no decimal of this precision and scale");
      return make_decimal(static_cast<int>(precision), static_cast<int>(scale));
    }
    case TypeKind::time:
      return make_time(unit_of(text_member(row, "unit")),
                       optional_member(row, "zone") != nullptr && bool_member(row, "zone"));
    case TypeKind::timestamp:
      return make_timestamp(unit_of(text_member(row, "unit")), bool_member(row, "zone"));
    case TypeKind::list:
      return make_list(children(1)[0]);
    case TypeKind::map: {
      const auto pair = children(2);
      return make_map(pair[0], pair[1]);
    }
    case TypeKind::structure: {
      std::vector<std::string> names;
      for (const auto& name : array(row, "names")) names.push_back(text(name, "names"));
      auto fields = children(0);
      if (fields.size() != names.size()) throw internal_error("fields and names differ in number");
      return make_structure(std::move(names), std::move(fields));
    }
    default:
      return make_type(kind);
  }
}

LiteralText literal_text(const Json& value, int depth = 0) {
  if (depth > 200) throw internal_error("literal nested too deeply");
  LiteralText out;
  if (value.is_null()) return out;
  if (value.is_boolean()) {
    out.kind = LiteralText::Kind::boolean;
    out.value = value.get<bool>();
  } else if (value.is_string()) {
    out.kind = LiteralText::Kind::text;
    out.text = value.get<std::string>();
  } else if (value.is_array()) {
    out.kind = LiteralText::Kind::array;
    out.items.reserve(value.size());
    for (const auto& item : value) out.items.push_back(literal_text(item, depth + 1));
  } else {
    throw internal_error("a literal is null, a boolean, text or an array");
  }
  return out;
}

Expr decode_expr(const Json& row, size_t before, const std::vector<TypePtr>& types, Memory& memory) {
  Expr expr;
  const std::string kind = text_member(row, "kind");
  expr.type = types[index(member(row, "type"), "type", types.size())];
  expr.span = span(row);
  if (kind == "column") {
    expr.kind = ExprKind::column;
    expr.column = index(member(row, "index"), "index", INT32_MAX);
    return expr;
  }
  if (kind == "literal") {
    expr.kind = ExprKind::literal;
    expr.literal = literal_column(memory, expr.type, literal_text(member(row, "value")));
    return expr;
  }
  expr.args = indices(row, "args", before);
  if (kind == "call") {
    expr.kind = ExprKind::call;
    expr.fn = text_member(row, "fn");
  } else if (kind == "cast") {
    expr.kind = ExprKind::cast;
    expr.try_cast = bool_member(row, "try");
  } else if (kind == "and") {
    expr.kind = ExprKind::conjunction;
  } else if (kind == "or") {
    expr.kind = ExprKind::disjunction;
  } else if (kind == "case") {
    expr.kind = ExprKind::case_when;
  } else if (kind == "coalesce") {
    expr.kind = ExprKind::coalesce;
  } else if (kind == "in") {
    expr.kind = ExprKind::in_list;
  } else if (kind == "lambda") {
    expr.kind = ExprKind::lambda;
    expr.parameters = index(member(row, "parameters"), "parameters", 4);
  } else {
    throw internal_error("unknown kind " + kind);
  }
  return expr;
}

// What rows of the node table refer to.
struct Tables {
  const std::vector<TypePtr>& types;
  size_t exprs;
};

std::vector<SortKey> sort_keys(const Json& object, const char* name, const Tables& tables) {
  std::vector<SortKey> out;
  for (const auto& key : array(object, name)) {
    out.push_back({index(member(key, "expr"), "expr", tables.exprs), bool_member(key, "descending"),
                   bool_member(key, "nullsFirst")});
  }
  return out;
}

Aggregate decode_aggregate(const Json& row, const Tables& tables) {
  Aggregate out;
  out.fn = text_member(row, "fn");
  out.args = indices(row, "args", tables.exprs);
  out.distinct = bool_member(row, "distinct");
  if (const auto* filter = optional_member(row, "filter")) out.filter = index(*filter, "filter", tables.exprs);
  out.order = sort_keys(row, "order", tables);
  out.type = tables.types[index(member(row, "type"), "type", tables.types.size())];
  out.span = span(row);
  return out;
}

WriteParquet decode_write(const Json& row) {
  WriteParquet out;
  out.path = text_member(row, "path");
  out.compression = text_member(row, "compression");
  if (const auto* level = optional_member(row, "level")) {
    out.level = static_cast<int>(std::clamp<int64_t>(whole(*level, "level"), INT32_MIN, INT32_MAX));
  }
  out.group_rows = count(member(row, "group_rows"), "group_rows");
  out.group_bytes = count(member(row, "group_bytes"), "group_bytes");
  out.file_bytes = count(member(row, "file_bytes"), "file_bytes");
  out.per_thread = bool_member(row, "per_thread");
  for (const auto& name : array(row, "partition_by")) out.partition_by.push_back(text(name, "partition_by"));
  const std::string existing = text_member(row, "existing");
  if (existing == "replace")
    out.existing = ExistingFiles::replace;
  else if (existing == "merge")
    out.existing = ExistingFiles::merge;
  else if (existing != "refuse")
    throw internal_error("no treatment of existing files: " + existing);
  out.file_name = text_member(row, "file_name");
  const auto& ratio = member(row, "bloom_ratio");
  if (!ratio.is_number()) throw internal_error("no number: bloom_ratio");
  out.bloom_ratio = ratio.get<double>();
  return out;
}

ScanColumn decode_scan_column(const Json& row, const Tables& tables) {
  ScanColumn out;
  out.name = text_member(row, "name");
  out.type = tables.types[index(member(row, "type"), "type", tables.types.size())];
  out.field = text_member(row, "field");
  if (const auto* nth = optional_member(row, "nth")) out.nth = index(*nth, "nth", std::numeric_limits<int32_t>::max());
  const std::string source = text_member(row, "source");
  if (source == "field")
    out.source = ColumnSource::field;
  else if (source == "filename")
    out.source = ColumnSource::filename;
  else if (source == "file_row_number")
    out.source = ColumnSource::file_row_number;
  else if (source == "row_number")
    out.source = ColumnSource::row_number;
  else if (source == "hive")
    out.source = ColumnSource::hive;
  else
    throw internal_error("unknown column source " + source);
  return out;
}

std::optional<int64_t> optional_count(const Json& row, const char* name) {
  const auto* value = optional_member(row, name);
  if (value == nullptr) return std::nullopt;
  return count(*value, name);
}

// Filters of joins that one plan may number.
constexpr size_t most_join_filters = 1 << 16;

Scan decode_scan(const Json& row, FileFormat format, const Tables& tables) {
  Scan out;
  out.format = format;
  for (const auto& file : array(row, "files")) out.files.push_back(text(file, "files"));
  for (const auto& column : array(row, "columns")) out.columns.push_back(decode_scan_column(column, tables));
  const auto& options = member(row, "options");
  out.options.binary_as_string = bool_member(options, "binary_as_string");
  out.options.union_by_name = bool_member(options, "union_by_name");
  out.options.hive_partitioning = bool_member(options, "hive_partitioning");
  for (const auto& name : array(options, "bfloat16")) out.options.bfloat16.push_back(text(name, "bfloat16"));
  const std::string on_bad_file = text_member(options, "on_bad_file");
  if (on_bad_file != "error" && on_bad_file != "skip") throw internal_error("unknown on_bad_file " + on_bad_file);
  out.options.skip_bad_files = on_bad_file == "skip";
  out.filter = indices(row, "filter", tables.exprs);
  out.limit = optional_count(row, "limit");
  if (optional_member(row, "joinFilters") != nullptr) {
    for (const auto& use : array(row, "joinFilters"))
      out.join_filters.push_back({index(member(use, "column"), "column", out.columns.size()),
                                  index(member(use, "filter"), "filter", most_join_filters)});
  }
  return out;
}

ExchangeMode exchange_mode(const std::string& word) {
  if (word == "to_device") return ExchangeMode::to_device;
  if (word == "to_host") return ExchangeMode::to_host;
  if (word == "hash") return ExchangeMode::hash;
  if (word == "broadcast") return ExchangeMode::broadcast;
  if (word == "gather") return ExchangeMode::gather;
  throw internal_error("unknown exchange mode " + word);
}

JoinType join_type(const std::string& word) {
  if (word == "inner") return JoinType::inner;
  if (word == "left") return JoinType::left;
  if (word == "right") return JoinType::right;
  if (word == "full") return JoinType::full;
  if (word == "semi") return JoinType::semi;
  if (word == "anti") return JoinType::anti;
  if (word == "mark") return JoinType::mark;
  if (word == "single") return JoinType::single;
  throw internal_error("unknown join type " + word);
}

Join decode_join(const Json& row, bool hashed, const Tables& tables) {
  Join out;
  out.type = join_type(text_member(row, "type"));
  out.residual = indices(row, "residual", tables.exprs);
  out.keep = indices(row, "keep", INT32_MAX);
  out.span = span(row);
  if (!hashed) {
    out.sorted = bool_member(row, "sorted");
    return out;
  }
  out.null_aware = bool_member(row, "nullAware");
  for (const auto& key : array(row, "keys")) {
    out.keys.push_back({index(member(key, "probe"), "probe", tables.exprs),
                        index(member(key, "build"), "build", tables.exprs), bool_member(key, "nullSafe")});
    if (const auto* filter = optional_member(key, "filter")) {
      out.keys.back().filter = index(*filter, "filter", most_join_filters);
      out.keys.back().filters_rows = bool_member(key, "filtersRows");
    }
  }
  if (out.keys.empty()) throw internal_error("a hash join has keys");
  return out;
}

void decode_operator(const Json& row, const std::string& kind, const Tables& tables, Node& node) {
  if (kind == "scan_parquet")
    node.op = decode_scan(row, FileFormat::parquet, tables);
  else if (kind == "scan_arrow")
    node.op = decode_scan(row, FileFormat::arrow, tables);
  else if (kind == "filter")
    node.op = Filter{indices(row, "predicate", tables.exprs)};
  else if (kind == "project")
    node.op = Project{indices(row, "exprs", tables.exprs)};
  else if (kind == "sort")
    node.op = Sort{sort_keys(row, "keys", tables)};
  else if (kind == "top_k")
    node.op = TopK{sort_keys(row, "keys", tables), count(member(row, "limit"), "limit"),
                   count(member(row, "offset"), "offset")};
  else if (kind == "limit")
    node.op = Limit{optional_count(row, "limit"), count(member(row, "offset"), "offset")};
  else if (kind == "union_all")
    node.op = UnionAll{};
  else if (kind == "range")
    node.op = Range{integer_text<int64_t>(row, "start"), integer_text<int64_t>(row, "stop"),
                    integer_text<int64_t>(row, "step")};
  else if (kind == "unnest")
    node.op = Unnest{indices(row, "keep", INT32_MAX), indices(row, "lists", tables.exprs),
                     bool_member(row, "ordinality"), bool_member(row, "outer")};
  else if (kind == "exchange")
    node.op = Exchange{exchange_mode(text_member(row, "mode")), indices(row, "keys", tables.exprs)};
  else if (kind == "hash_join" || kind == "conditional_join")
    node.op = decode_join(row, kind == "hash_join", tables);
  else if (kind == "write_parquet")
    node.op = decode_write(row);
  else if (kind == "hash_group_by") {
    HashGroupBy group_by{indices(row, "keys", tables.exprs), {}};
    for (const auto& aggregate : array(row, "aggregates"))
      group_by.aggregates.push_back(decode_aggregate(aggregate, tables));
    if (optional_member(row, "fused") != nullptr) group_by.fused = bool_member(row, "fused");
    node.op = std::move(group_by);
  } else if (kind == "values") {
    Values values;
    for (const auto& items : array(row, "rows")) {
      values.rows.emplace_back();
      if (!items.is_array()) throw internal_error("no array: rows");
      for (const auto& item : items) values.rows.back().push_back(index(item, "rows", tables.exprs));
    }
    node.op = std::move(values);
  } else if (kind == "generate") {
    const auto& scale = member(row, "scale");
    if (!scale.is_number() || !std::isfinite(scale.get<double>())) throw internal_error("no number: scale");
    node.op = Generate{text_member(row, "generator"), scale.get<double>(), integer_text<uint64_t>(row, "seed"),
                       indices(row, "columns", INT32_MAX)};
  } else {
    throw internal_error("unknown kind " + kind);
  }
}

Node decode_node(const Json& row, size_t before, const Tables& tables) {
  Node node;
  node.inputs = indices(row, "inputs", before);
  for (const auto& field : array(row, "output")) {
    node.output.push_back(
        {text_member(field, "name"), tables.types[index(member(field, "type"), "type", tables.types.size())]});
  }
  const std::string device = text_member(row, "device");
  if (device != "cpu" && device != "gpu") throw internal_error("unknown device " + device);
  node.device = device == "gpu" ? Device::gpu : Device::cpu;
  node.instances = index(member(row, "instances"), "instances", INT32_MAX);
  decode_operator(row, text_member(row, "kind"), tables, node);
  return node;
}

// Runs `decode` and names the row in what it throws.
template <typename Decode>
auto named(const char* table, size_t row, Decode&& decode) {
  try {
    return decode();
  } catch (Error& error) {
    if (error.source() == ErrorSource::internal)
      error.with_message(std::string("plan ") + table + " " + std::to_string(row) + ": " + error.message());
    throw;
  }
}

void check_versions(const Json& document) {
  const auto& number = member(document, "format");
  if (!number.is_number_integer() || number.get<int64_t>() != format ||
      text_member(document, "functions") != function_table_hash()) {
    throw internal_error("the addon was built for another version of the plan").with_hint("run `npm run build`");
  }
}

void check_depth(const std::vector<Node>& nodes) {
  std::vector<int32_t> depth(nodes.size(), 1);
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (int32_t input : nodes[i].inputs) depth[i] = std::max(depth[i], depth[input] + 1);
    if (depth[i] > max_depth) throw unsupported("queries nested deeper than " + std::to_string(max_depth));
  }
}

void check_depth(const std::vector<Expr>& exprs) {
  std::vector<int32_t> depth(exprs.size(), 1);
  for (size_t i = 0; i < exprs.size(); ++i) {
    for (int32_t arg : exprs[i].args) depth[i] = std::max(depth[i], depth[arg] + 1);
    if (depth[i] > max_depth) throw unsupported("expressions nested deeper than " + std::to_string(max_depth));
  }
}

}  // namespace

std::shared_ptr<const Plan> decode(const char* json, size_t bytes, Memory& memory) {
  auto plan = std::make_shared<Plan>();
  try {
    const Json document = Json::parse(json, json + bytes);
    check_versions(document);
    std::vector<TypePtr> types;
    for (const auto& row : array(document, "types"))
      types.push_back(named("type", types.size(), [&] { return decode_type(row, types); }));
    for (const auto& row : array(document, "exprs")) {
      plan->exprs.push_back(
          named("expr", plan->exprs.size(), [&] { return decode_expr(row, plan->exprs.size(), types, memory); }));
    }
    check_depth(plan->exprs);
    const Tables tables{types, plan->exprs.size()};
    for (const auto& row : array(document, "nodes")) {
      plan->nodes.push_back(
          named("node", plan->nodes.size(), [&] { return decode_node(row, plan->nodes.size(), tables); }));
    }
    check_depth(plan->nodes);
  } catch (const Json::exception& error) {
    throw internal_error(std::string("plan is no JSON: ") + error.what());
  }
  validate(*plan);
  refuse_comparing_variants(*plan);
  return plan;
}

}  // namespace quern::plan
