#include "cpu/values.hpp"

#include "cpu/expression.hpp"
#include "cpu/table.hpp"

namespace quern::cpu {

namespace {

// Rows of one morsel.
constexpr size_t chunk_rows = 4096;

ColumnPtr evaluate_once(Context& context, const std::shared_ptr<const plan::Plan>& plan, plan::ExprIndex expr) {
  if (plan->exprs[expr].kind == plan::ExprKind::literal) return plan->exprs[expr].literal;
  Batch one;
  one.rows = 1;
  return Evaluator(context, plan, expr).evaluate(one);
}

TablePtr build_table(Context& context, const std::shared_ptr<const plan::Plan>& plan, const plan::Node& node) {
  const auto& rows = std::get<plan::Values>(node.op).rows;
  auto table = std::make_shared<Table>();
  for (size_t start = 0; start < rows.size(); start += chunk_rows) {
    const size_t end = std::min(rows.size(), start + chunk_rows);
    Batch batch;
    batch.rows = static_cast<int64_t>(end - start);
    for (size_t column = 0; column < node.output.size(); ++column) {
      std::vector<ColumnPtr> pieces;
      for (size_t row = start; row < end; ++row) pieces.push_back(evaluate_once(context, plan, rows[row][column]));
      batch.columns.push_back(concat(context.memory(), node.output[column].type, pieces));
    }
    context.check_cancelled();
    table->batches.push_back(std::move(batch));
  }
  return table;
}

}  // namespace

std::unique_ptr<Source> make_values(Context& context, std::shared_ptr<const plan::Plan> plan, const plan::Node& node) {
  return std::make_unique<TableSource>(context, [&context, plan, &node] { return build_table(context, plan, node); });
}

}  // namespace quern::cpu
