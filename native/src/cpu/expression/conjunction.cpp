// AND and OR, three-valued. An operand is evaluated for all rows when that is cheap and cannot fail, otherwise only for
// rows that the operands before it have not decided.
#include "cpu/expression/tree.hpp"

namespace quern::cpu {

namespace {

class Conjunction final : public Expression {
 public:
  Conjunction(Context& context, const plan::Expr& expr, std::vector<ExpressionPtr> operands)
      : Expression(context, expr.type),
        operands_(std::move(operands)),
        is_and_(expr.kind == plan::ExprKind::conjunction) {
    for (const auto& operand : operands_) adopt(*operand);
  }

  ColumnPtr evaluate(const Batch& input) override {
    const int64_t rows = input.rows;
    if (rows == 0) return make_null_column(type_, 0);
    decided_.reset(rows, false);
    nulls_.reset(rows, false);
    for (size_t i = 0; i < operands_.size(); ++i) {
      auto& operand = *operands_[i];
      if (i == 0 || !operand.guarded()) {
        add(*operand.evaluate(input));
        continue;
      }
      Mask open = decided_;
      open.invert();
      open.write_rows(rows_);
      if (rows_.empty()) break;
      add_rows(*operand.evaluate_rows(input, rows_));
    }
    nulls_.and_not(decided_);
    return make_column(rows);
  }

 private:
  // Marks rows that the operand decides (false for AND, true for OR) and rows where it is NULL.
  void split(const Column& operand, Mask& deciding, Mask& null_rows) {
    null_rows.assign_valid(operand);
    deciding.assign_true(operand);
    if (is_and_) {
      deciding.invert();
      deciding.and_with(null_rows);
    }
    null_rows.invert();
  }

  void add(const Column& operand) {
    split(operand, deciding_, null_rows_);
    decided_.or_with(deciding_);
    nulls_.or_with(null_rows_);
  }

  void add_rows(const Column& operand) {
    split(operand, deciding_, null_rows_);
    decided_.set_rows(rows_, deciding_);
    nulls_.set_rows(rows_, null_rows_);
  }

  ColumnPtr make_column(int64_t rows) {
    Result result(scratch_, type_, rows);
    Mask truth = decided_;
    if (is_and_) truth.invert();
    if (nulls_.count() > 0) {
      truth.and_not(nulls_);
      nulls_.invert();
      std::copy_n(nulls_.words(), validity_words(rows), result.validity());
    }
    truth.write_bytes(result.data<uint8_t>());
    return result.finish();
  }

  std::vector<ExpressionPtr> operands_;
  bool is_and_;
  Mask decided_, nulls_, deciding_, null_rows_;
  std::vector<uint32_t> rows_;
};

}  // namespace

ExpressionPtr bind_conjunction(Context& context, const plan::Plan& plan, const plan::Expr& expr) {
  std::vector<ExpressionPtr> operands;
  for (const auto arg : expr.args) operands.push_back(bind_expression(context, plan, arg));
  return std::make_unique<Conjunction>(context, expr, std::move(operands));
}

}  // namespace quern::cpu
