#include "cpu/expression.hpp"

#include "cpu/expression/tree.hpp"

namespace quern::cpu {

struct Evaluator::Node {
  std::shared_ptr<const plan::Plan> plan;
  ExpressionPtr root;
};

Evaluator::Evaluator(Context& context, std::shared_ptr<const plan::Plan> plan, plan::ExprIndex root)
    : root_(std::make_unique<Node>()) {
  root_->root = bind_expression(context, *plan, root);
  root_->plan = std::move(plan);
}

Evaluator::~Evaluator() = default;
Evaluator::Evaluator(Evaluator&&) noexcept = default;

ColumnPtr Evaluator::evaluate(const Batch& input) { return root_->root->evaluate(input); }

bool Evaluator::fallible() const { return root_->root->fallible(); }

struct Predicate::State {
  std::shared_ptr<const plan::Plan> plan;
  std::vector<ExpressionPtr> conjuncts;
  Mask kept, truth;
  std::vector<uint32_t> rows;

  // Operands of AND are conjuncts of their own: a filter does not tell NULL from false.
  void add(Context& context, const plan::Plan& from, plan::ExprIndex index) {
    const plan::Expr& expr = from.exprs.at(static_cast<size_t>(index));
    if (expr.kind == plan::ExprKind::conjunction) {
      for (const auto arg : expr.args) add(context, from, arg);
    } else {
      conjuncts.push_back(bind_expression(context, from, index));
    }
  }
};

Predicate::Predicate(Context& context, std::shared_ptr<const plan::Plan> plan,
                     const std::vector<plan::ExprIndex>& conjuncts)
    : state_(std::make_unique<State>()) {
  for (const auto index : conjuncts) state_->add(context, *plan, index);
  state_->plan = std::move(plan);
}

Predicate::~Predicate() = default;
Predicate::Predicate(Predicate&&) noexcept = default;

int64_t Predicate::select(const Batch& input, uint32_t* selected) {
  Mask& kept = state_->kept;
  kept.reset(input.rows, true);
  int64_t count = input.rows;
  for (auto& conjunct : state_->conjuncts) {
    if (count == 0) return 0;
    // Computing all rows costs less than gathering a quarter of them.
    if (count == input.rows || (!conjunct->guarded() && count * 4 >= input.rows)) {
      state_->truth.assign_true(*conjunct->evaluate(input));
      kept.and_with(state_->truth);
    } else {
      kept.write_rows(state_->rows);
      state_->truth.assign_true(*conjunct->evaluate_rows(input, state_->rows));
      kept.keep_ranks(state_->truth);
    }
    count = kept.count();
  }
  return kept.write_rows(selected);
}

}  // namespace quern::cpu
