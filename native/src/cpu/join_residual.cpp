#include "cpu/join_residual.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "cpu/expression.hpp"
#include "cpu/order_value.hpp"

namespace quern::cpu {

namespace {

struct Comparison {
  std::string_view fn;
  TestOp op, turned;  // turned: with its operands exchanged
};
constexpr std::array comparisons = {
    Comparison{"eq", TestOp::equal, TestOp::equal},  Comparison{"ne", TestOp::unequal, TestOp::unequal},
    Comparison{"lt", TestOp::less, TestOp::greater}, Comparison{"le", TestOp::less_or_equal, TestOp::greater_or_equal},
    Comparison{"gt", TestOp::greater, TestOp::less}, Comparison{"ge", TestOp::greater_or_equal, TestOp::less_or_equal},
};

// Which inputs an expression reads.
struct Reads {
  bool probe = false;
  bool build = false;
};

void collect(const plan::Plan& plan, plan::ExprIndex index, int32_t probe_count, Reads& reads) {
  const auto& expr = plan.exprs[static_cast<size_t>(index)];
  if (expr.kind == plan::ExprKind::column) (expr.column < probe_count ? reads.probe : reads.build) = true;
  for (size_t i = expr.kind == plan::ExprKind::lambda ? 1 : 0; i < expr.args.size(); ++i)
    collect(plan, expr.args[i], probe_count, reads);
}

Reads reads_of(const plan::Plan& plan, plan::ExprIndex index, int32_t probe_count) {
  Reads reads;
  collect(plan, index, probe_count, reads);
  return reads;
}

std::optional<ResidualTest> test_of(const plan::Plan& plan, plan::ExprIndex conjunct, int32_t probe_count) {
  const auto& expr = plan.exprs[static_cast<size_t>(conjunct)];
  if (expr.kind != plan::ExprKind::call) return std::nullopt;
  const auto* found =
      std::find_if(comparisons.begin(), comparisons.end(), [&](const auto& known) { return known.fn == expr.fn; });
  if (found == comparisons.end()) return std::nullopt;
  const auto& type = *plan.exprs[static_cast<size_t>(expr.args[0])].type;
  const auto wide = is_order_wide(type);
  if (!wide || !same_type(type, *plan.exprs[static_cast<size_t>(expr.args[1])].type)) return std::nullopt;
  const Reads first = reads_of(plan, expr.args[0], probe_count), second = reads_of(plan, expr.args[1], probe_count);
  if (!first.probe && first.build && second.probe && !second.build)
    return ResidualTest{found->op, expr.args[1], expr.args[0], *wide};
  if (first.probe && !first.build && !second.probe && second.build)
    return ResidualTest{found->turned, expr.args[0], expr.args[1], *wide};
  return std::nullopt;
}

// Operands of AND are conjuncts of their own.
void flatten(const plan::Plan& plan, plan::ExprIndex index, std::vector<plan::ExprIndex>& into) {
  const auto& expr = plan.exprs[static_cast<size_t>(index)];
  if (expr.kind != plan::ExprKind::conjunction) return into.push_back(index);
  for (const auto arg : expr.args) flatten(plan, arg, into);
}

}  // namespace

JoinResidual::JoinResidual(Context& context, const std::shared_ptr<const plan::Plan>& plan, plan::NodeIndex node,
                           const JoinColumns& columns, const ChunkedRows& rows) {
  std::vector<plan::ExprIndex> conjuncts;
  const auto& join = std::get<plan::Join>(plan->nodes[static_cast<size_t>(node)].op);
  for (const auto conjunct : join.residual) flatten(*plan, conjunct, conjuncts);
  bool open = true;  // no conjunct of `pairs` may fail
  for (const auto conjunct : conjuncts) {
    const Reads reads = reads_of(*plan, conjunct, columns.probe_count);
    if (open && !reads.build) {
      parts_.rows.push_back(conjunct);
      continue;
    }
    if (const auto test = open ? test_of(*plan, conjunct, columns.probe_count) : std::nullopt) {
      std::vector<Values> values;
      if (evaluate(context, plan, columns, rows, *test, values)) {
        parts_.tests.push_back(*test);
        values_.push_back(std::move(values));
        continue;
      }
    }
    parts_.pairs.push_back(conjunct);
    open = open && !Evaluator(context, plan, conjunct).fallible();
  }
}

bool JoinResidual::evaluate(Context& context, const std::shared_ptr<const plan::Plan>& plan, const JoinColumns& columns,
                            const ChunkedRows& rows, const ResidualTest& test, std::vector<Values>& into) {
  Evaluator evaluator(context, plan, test.build);
  bool nulls = false;
  try {
    for (const auto& chunk : rows.chunks()) {
      context.check_cancelled();
      Batch input;
      input.rows = chunk.rows;
      input.columns.resize(static_cast<size_t>(columns.probe_count) + columns.payload_at.size());
      for (size_t place = 0; place < columns.payload.size(); ++place)
        input.columns[static_cast<size_t>(columns.probe_count + columns.payload[place])] = chunk.columns[place];
      Values values;
      values.column = quern::flatten(context.memory(), evaluator.evaluate(input));
      const Column& column = *values.column;
      nulls |= column.null_count > 0;
      values.valid = column.validity;
      const auto kind = physical(*column.type);
      if (kind == Physical::int32 || kind == Physical::int64) {
        values.values = column.data;
      } else {
        values.buffer = context.memory().allocate(static_cast<size_t>(column.length) * (test.wide ? 8 : 4));
        values.values = values.buffer->data();
        if (test.wide)
          write_order_values(column, values.buffer->as<int64_t>());
        else
          write_order_values(column, values.buffer->as<int32_t>());
      }
      into.push_back(std::move(values));
    }
  } catch (const Error& error) {
    if (!is_error_of_values(error)) throw;
    return false;
  }
  has_nulls_ |= nulls;
  return true;
}

}  // namespace quern::cpu
