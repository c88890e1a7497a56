#include "cpu/project.hpp"

#include "cpu/expression.hpp"

namespace quern::cpu {

namespace {

class ProjectStep : public Step {
 public:
  ProjectStep(Context& context, std::shared_ptr<const plan::Plan> plan, const std::vector<plan::ExprIndex>& exprs)
      : context_(context), plan_(std::move(plan)), exprs_(exprs) {
    evaluators_.reserve(exprs.size());
    for (plan::ExprIndex expr : exprs) evaluators_.emplace_back(context_, plan_, expr);
  }

  std::unique_ptr<Step> fork() const override { return std::make_unique<ProjectStep>(context_, plan_, exprs_); }

  void process(Batch&& batch, const Emit& emit) override {
    Batch out;
    out.rows = batch.rows;
    out.columns.reserve(evaluators_.size());
    for (auto& evaluator : evaluators_) out.columns.push_back(evaluator.evaluate(batch));
    emit(std::move(out));
  }

 private:
  Context& context_;
  std::shared_ptr<const plan::Plan> plan_;
  const std::vector<plan::ExprIndex>& exprs_;  // of the plan
  std::vector<Evaluator> evaluators_;
};

}  // namespace

std::unique_ptr<Step> make_project(Context& context, std::shared_ptr<const plan::Plan> plan,
                                   const plan::Project& project) {
  return std::make_unique<ProjectStep>(context, std::move(plan), project.exprs);
}

}  // namespace quern::cpu
