#include "cpu/join_operands.hpp"

#include <algorithm>

#include "cpu/order_value.hpp"

namespace quern::cpu {

JoinOperands::JoinOperands(Context& context, const std::shared_ptr<const plan::Plan>& plan,
                           const JoinResidual& residual)
    : context_(context), residual_(residual) {
  const ResidualParts& parts = residual.parts();
  if (!parts.rows.empty()) rows_.emplace(context, plan, parts.rows);
  for (const auto& test : parts.tests) {
    evaluators_.emplace_back(context, plan, test.probe);
    ValueTest of;
    of.wide = test.wide;
    of.op = test.op;
    tests_.push_back(of);
  }
  operands_.resize(tests_.size());
}

bool JoinOperands::read(const Batch& batch) {
  const auto rows = static_cast<size_t>(batch.rows);
  try {
    may_match_.assign(rows, rows_ ? 0 : 1);
    if (rows_) {
      selected_.resize(rows);
      const int64_t count = rows_->select(batch, selected_.data());
      for (int64_t i = 0; i < count; ++i) may_match_[selected_[static_cast<size_t>(i)]] = 1;
    }
    for (size_t test = 0; test < tests_.size(); ++test) read_operands(batch, test);
    return true;
  } catch (const Error& error) {
    if (!is_error_of_values(error)) throw;
    return false;
  }
}

void JoinOperands::read_operands(const Batch& batch, size_t test) {
  const auto rows = static_cast<size_t>(batch.rows);
  const auto column = flatten(context_.memory(), evaluators_[test].evaluate(batch));
  auto& out = operands_[test];
  out.resize(rows);
  if (tests_[test].wide) {
    write_order_values(*column, out.data());
  } else {
    narrow_.resize(rows);
    write_order_values(*column, narrow_.data());
    std::copy(narrow_.begin(), narrow_.end(), out.begin());
  }
  if (column->null_count == 0) return;
  for (size_t row = 0; row < rows; ++row) may_match_[row] &= column->is_valid(static_cast<int64_t>(row)) ? 1 : 0;
}

}  // namespace quern::cpu
