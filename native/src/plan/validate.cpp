#include "plan/validate.hpp"

#include "plan/functions.hpp"

namespace quern::plan {

namespace {

// Types of the columns that an expression may refer to; nullptr = any (a lambda's parameters).
using Schema = std::vector<TypePtr>;

template <class... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};
template <class... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;

[[noreturn]] void refuse(const std::string& message) { throw internal_error(message); }

void expect_type(const DataType& actual, const DataType& wanted, const std::string& what) {
  if (!same_type(actual, wanted)) refuse(what + " is " + type_name(actual) + ", not " + type_name(wanted));
}

bool is_boolean(const Plan& plan, ExprIndex expr) { return plan.exprs[expr].type->kind == TypeKind::boolean; }

void check_call(const Plan& plan, const Expr& expr) {
  std::vector<TypePtr> types;
  std::string text;
  for (ExprIndex arg : expr.args) {
    types.push_back(plan.exprs[arg].type);
    text += (text.empty() ? "" : ", ") + type_name(*types.back());
  }
  const auto* function = find_function(expr.fn, types);
  if (function == nullptr) refuse("no function " + expr.fn + "(" + text + ")");
  if (!result_fits(*function, types, expr.type))
    refuse(expr.fn + "(" + text + ") does not give " + type_name(*expr.type));
}

// What can be said of an expression without knowing its input.
void check_expr(const Plan& plan, const Expr& expr) {
  const auto& exprs = plan.exprs;
  const auto same_as_result = [&](ExprIndex arg) { expect_type(*exprs[arg].type, *expr.type, "an operand"); };
  switch (expr.kind) {
    case ExprKind::column:
    case ExprKind::literal:
      return;
    case ExprKind::call:
      return check_call(plan, expr);
    case ExprKind::cast:
      if (expr.args.size() != 1) refuse("a cast has one operand");
      return;
    case ExprKind::conjunction:
    case ExprKind::disjunction:
      if (expr.args.empty() || expr.type->kind != TypeKind::boolean) refuse("and, or: boolean with operands");
      for (ExprIndex arg : expr.args) same_as_result(arg);
      return;
    case ExprKind::case_when:
      if (expr.args.size() < 3 || expr.args.size() % 2 == 0) refuse("case: pairs and an else");
      for (size_t i = 0; i + 1 < expr.args.size(); i += 2) {
        if (!is_boolean(plan, expr.args[i])) refuse("case: a condition is not boolean");
        same_as_result(expr.args[i + 1]);
      }
      return same_as_result(expr.args.back());
    case ExprKind::coalesce:
      if (expr.args.empty()) refuse("coalesce: no operands");
      for (ExprIndex arg : expr.args) same_as_result(arg);
      return;
    case ExprKind::in_list:
      if (expr.args.size() < 2 || expr.type->kind != TypeKind::boolean)
        refuse("in: boolean with an operand and a list");
      for (size_t i = 1; i < expr.args.size(); ++i) {
        if (exprs[expr.args[i]].kind != ExprKind::literal) refuse("in: the list holds literals only");
        expect_type(*exprs[expr.args[i]].type, *exprs[expr.args[0]].type, "in: an item");
      }
      return;
    case ExprKind::lambda:
      if (expr.args.empty() || expr.parameters < 1) refuse("lambda: a body and parameters");
      return expect_type(*exprs[expr.args[0]].type, *expr.type, "lambda: the body");
  }
}

// Column references below `root` against the input they will see.
void check_columns(const Plan& plan, ExprIndex root, const Schema& schema) {
  std::vector<ExprIndex> stack{root};
  std::vector<bool> seen(plan.exprs.size(), false);
  while (!stack.empty()) {
    const ExprIndex at = stack.back();
    stack.pop_back();
    if (seen[at]) continue;
    seen[at] = true;
    const Expr& expr = plan.exprs[at];
    if (expr.kind == ExprKind::column) {
      if (expr.column >= static_cast<int32_t>(schema.size())) {
        refuse("expr " + std::to_string(at) + ": column " + std::to_string(expr.column) + " of " +
               std::to_string(schema.size()));
      }
      const auto& type = schema[expr.column];
      if (type)
        expect_type(*expr.type, *type, "expr " + std::to_string(at) + ": column " + std::to_string(expr.column));
    }
    if (expr.kind == ExprKind::lambda) {
      Schema inner(static_cast<size_t>(expr.parameters));
      for (size_t i = 1; i < expr.args.size(); ++i) inner.push_back(plan.exprs[expr.args[i]].type);
      check_columns(plan, expr.args[0], inner);
      stack.insert(stack.end(), expr.args.begin() + 1, expr.args.end());
    } else {
      stack.insert(stack.end(), expr.args.begin(), expr.args.end());
    }
  }
}

// Derives a node's output types and checks its expressions against its input.
class NodeCheck {
 public:
  NodeCheck(const Plan& plan, const Node& node) : plan_(plan), node_(node) {}

  Schema derive() const {
    return std::visit(
        Overloaded{[&](const Scan& op) { return scan(op); },
                   [&](const Filter& op) {
                     predicates(op.predicate, input());
                     return input();
                   },
                   [&](const Project& op) { return expressions(op.exprs); },
                   [&](const HashGroupBy& op) { return group_by(op); }, [&](const Sort& op) { return sorted(op.keys); },
                   [&](const TopK& op) { return sorted(op.keys); }, [&](const Limit&) { return input(); },
                   [&](const UnionAll&) { return union_all(); }, [&](const Values& op) { return values(op); },
                   [&](const Range& op) {
                     inputs(0);
                     if (op.step == 0) refuse("step is 0");
                     return Schema{make_type(TypeKind::int64)};
                   },
                   [&](const Unnest& op) { return unnest(op); },
                   [&](const Generate&) {
                     inputs(0);
                     return declared(node_);  // the generator checks
                   },
                   [&](const Join& op) { return join(op); }, [&](const WriteParquet& op) { return write(op); },
                   [&](const Exchange& op) {
                     for (ExprIndex key : op.keys) check_columns(plan_, key, input());
                     return input();
                   }},
        node_.op);
  }

  static Schema declared(const Node& node) {
    Schema out;
    for (const auto& field : node.output) out.push_back(field.type);
    return out;
  }

 private:
  void inputs(size_t wanted) const {
    if (node_.inputs.size() != wanted)
      refuse("has " + std::to_string(node_.inputs.size()) + " inputs, not " + std::to_string(wanted));
  }

  Schema input() const {
    inputs(1);
    return declared(plan_.nodes[node_.inputs[0]]);
  }

  void predicates(const std::vector<ExprIndex>& conjuncts, const Schema& schema) const {
    for (ExprIndex conjunct : conjuncts) {
      if (!is_boolean(plan_, conjunct)) refuse("a conjunct is not boolean");
      check_columns(plan_, conjunct, schema);
    }
  }

  Schema scan(const Scan& op) const {
    inputs(0);
    Schema out;
    for (const auto& column : op.columns) {
      if (column.source == ColumnSource::filename) expect_type(*column.type, *make_type(TypeKind::string), "filename");
      if (column.source == ColumnSource::file_row_number || column.source == ColumnSource::row_number)
        expect_type(*column.type, *make_type(TypeKind::int64), "a row number");
      out.push_back(column.type);
    }
    predicates(op.filter, out);
    return out;
  }

  Schema expressions(const std::vector<ExprIndex>& exprs) const {
    const Schema schema = input();
    Schema out;
    for (ExprIndex expr : exprs) {
      check_columns(plan_, expr, schema);
      out.push_back(plan_.exprs[expr].type);
    }
    return out;
  }

  void keys(const std::vector<SortKey>& keys, const Schema& schema) const {
    for (const auto& key : keys) check_columns(plan_, key.expr, schema);
  }

  Schema sorted(const std::vector<SortKey>& order) const {
    if (order.empty()) refuse("no keys");
    keys(order, input());
    return input();
  }

  Schema group_by(const HashGroupBy& op) const {
    Schema out = expressions(op.keys);
    for (const auto& aggregate : op.aggregates) {
      std::vector<TypePtr> types;
      for (ExprIndex arg : aggregate.args) {
        check_columns(plan_, arg, input());
        types.push_back(plan_.exprs[arg].type);
      }
      if (aggregate.filter) predicates({*aggregate.filter}, input());
      keys(aggregate.order, input());
      const auto* function = find_aggregate(aggregate.fn, types);
      if (function == nullptr) refuse("no aggregate " + aggregate.fn + " of these types");
      if (!result_fits(*function, types, aggregate.type))
        refuse(aggregate.fn + " does not give " + type_name(*aggregate.type));
      out.push_back(aggregate.type);
    }
    return out;
  }

  Schema union_all() const {
    if (node_.inputs.empty()) refuse("has no inputs");
    const Schema first = declared(plan_.nodes[node_.inputs[0]]);
    for (NodeIndex other : node_.inputs) {
      const Schema types = declared(plan_.nodes[other]);
      if (types.size() != first.size()) refuse("inputs differ in their number of columns");
      for (size_t i = 0; i < first.size(); ++i)
        expect_type(*types[i], *first[i], "column " + std::to_string(i) + " of an input");
    }
    return first;
  }

  Schema values(const Values& op) const {
    inputs(0);
    const Schema out = declared(node_);
    for (const auto& row : op.rows) {
      if (row.size() != out.size())
        refuse("a row has " + std::to_string(row.size()) + " values, not " + std::to_string(out.size()));
      for (size_t i = 0; i < row.size(); ++i) {
        check_columns(plan_, row[i], {});
        expect_type(*plan_.exprs[row[i]].type, *out[i], "value " + std::to_string(i));
      }
    }
    return out;
  }

  Schema join(const Join& op) const {
    inputs(2);
    const Schema probe = declared(plan_.nodes[node_.inputs[0]]);
    const Schema build = declared(plan_.nodes[node_.inputs[1]]);
    for (const auto& key : op.keys) {
      check_columns(plan_, key.probe, probe);
      check_columns(plan_, key.build, build);
      expect_type(*plan_.exprs[key.build].type, *plan_.exprs[key.probe].type, "a key of the second input");
      const bool drops = op.type == JoinType::inner || op.type == JoinType::right || op.type == JoinType::semi;
      if (key.filter >= 0 && (key.null_safe || !drops)) refuse("a filter of rows that the join keeps");
    }
    Schema both = probe;
    both.insert(both.end(), build.begin(), build.end());
    predicates(op.residual, both);
    const bool probe_only = op.type == JoinType::semi || op.type == JoinType::anti || op.type == JoinType::mark;
    if (op.null_aware && (op.type != JoinType::mark || op.keys.size() != 1 || !op.residual.empty()))
      refuse("null-aware: a mark join with one key");
    Schema out;
    for (int32_t column : op.keep) {
      const auto columns = static_cast<int32_t>(probe_only ? probe.size() : both.size());
      if (column >= columns) refuse("keep: column " + std::to_string(column) + " of " + std::to_string(columns));
      out.push_back(both[column]);
    }
    if (op.type == JoinType::mark) out.push_back(make_type(TypeKind::boolean));
    return out;
  }

  // A text a key at the end of the input, and something to write before them.
  void write_partitions(const WriteParquet& op) const {
    const Schema columns = input();
    if (!op.partition_by.empty() && op.partition_by.size() >= columns.size()) refuse("nothing but partition columns");
    for (size_t i = columns.size() - op.partition_by.size(); i < columns.size(); ++i) {
      if (columns[i]->kind != TypeKind::string) refuse("a partition column that is no text");
    }
    if (!op.partition_by.empty() && op.per_thread) refuse("partitions of each thread");
  }

  Schema write(const WriteParquet& op) const {
    inputs(1);
    if (op.group_rows < 1 || op.group_bytes < 1) refuse("row groups without rows");
    if (op.file_bytes < 0) refuse("files of fewer than no bytes");
    if (op.file_name.empty() || op.file_name.find('/') != std::string::npos) refuse("name of files in a folder");
    write_partitions(op);
    if (!(op.bloom_ratio >= 0 && op.bloom_ratio < 1)) refuse("wrong hits of a bloom filter outside 0..1");
    constexpr struct {
      const char* word;
      int least, most;  // levels; none where least > most
    } codecs[] = {{"none", 1, 0}, {"snappy", 1, 0},  {"lz4", 1, 0},
                  {"gzip", 1, 9}, {"brotli", 0, 11}, {"zstd", -131072, 22}};
    for (const auto& codec : codecs) {
      if (op.compression != codec.word) continue;
      if (op.level && (*op.level < codec.least || *op.level > codec.most)) refuse("compression level");
      return {make_type(TypeKind::int64)};
    }
    refuse("unknown compression " + op.compression);
  }

  Schema unnest(const Unnest& op) const {
    const Schema schema = input();
    Schema out;
    for (int32_t column : op.keep) {
      if (column >= static_cast<int32_t>(schema.size()))
        refuse("keep: column " + std::to_string(column) + " of " + std::to_string(schema.size()));
      out.push_back(schema[column]);
    }
    if (op.lists.empty()) refuse("no lists");
    for (ExprIndex list : op.lists) {
      check_columns(plan_, list, schema);
      const auto& type = *plan_.exprs[list].type;
      if (type.kind == TypeKind::list)
        out.push_back(type.children[0]);
      else if (type.kind == TypeKind::map)
        out.push_back(map_entry_type(type));
      else
        refuse("no list: " + type_name(type));
    }
    if (op.ordinality) out.push_back(make_type(TypeKind::int64));
    return out;
  }

  const Plan& plan_;
  const Node& node_;
};

bool crosses_devices(const Node& node) {
  const auto* exchange = std::get_if<Exchange>(&node.op);
  return exchange != nullptr && (exchange->mode == ExchangeMode::to_device || exchange->mode == ExchangeMode::to_host);
}

void check_devices(const Plan& plan, const Node& node) {
  if (node.instances < 1) refuse("has no instance");
  for (NodeIndex input : node.inputs) {
    if (plan.nodes[input].device != node.device && !crosses_devices(node))
      refuse("an edge crosses devices without an exchange");
  }
}

void check_node(const Plan& plan, const Node& node) {
  check_devices(plan, node);
  const Schema derived = NodeCheck(plan, node).derive();
  if (derived.size() != node.output.size()) {
    refuse("gives " + std::to_string(derived.size()) + " columns, declared " + std::to_string(node.output.size()));
  }
  for (size_t i = 0; i < derived.size(); ++i)
    expect_type(*node.output[i].type, *derived[i], "declared column " + std::to_string(i));
}

}  // namespace

std::string node_kind(const Node& node) {
  return std::visit(
      Overloaded{
          [](const Scan& op) { return std::string(op.format == FileFormat::arrow ? "scan_arrow" : "scan_parquet"); },
          [](const Filter&) { return std::string("filter"); }, [](const Project&) { return std::string("project"); },
          [](const HashGroupBy&) { return std::string("hash_group_by"); },
          [](const Sort&) { return std::string("sort"); }, [](const TopK&) { return std::string("top_k"); },
          [](const Limit&) { return std::string("limit"); }, [](const UnionAll&) { return std::string("union_all"); },
          [](const Values&) { return std::string("values"); }, [](const Range&) { return std::string("range"); },
          [](const Unnest&) { return std::string("unnest"); }, [](const Generate&) { return std::string("generate"); },
          [](const Join& op) { return std::string(op.keys.empty() ? "conditional_join" : "hash_join"); },
          [](const Exchange&) { return std::string("exchange"); },
          [](const WriteParquet&) { return std::string("write_parquet"); }},
      node.op);
}

void validate(const Plan& plan) {
  if (plan.nodes.empty()) throw internal_error("plan has no nodes");
  for (size_t i = 0; i < plan.exprs.size(); ++i) {
    try {
      check_expr(plan, plan.exprs[i]);
    } catch (Error& error) {
      throw error.with_message("plan expr " + std::to_string(i) + ": " + error.message());
    }
  }
  for (size_t i = 0; i < plan.nodes.size(); ++i) {
    try {
      check_node(plan, plan.nodes[i]);
    } catch (Error& error) {
      throw error.with_message("plan node " + std::to_string(i) + " (" + node_kind(plan.nodes[i]) +
                               "): " + error.message());
    }
  }
}

}  // namespace quern::plan
