#include "cpu/filter.hpp"

#include "cpu/expression.hpp"

namespace quern::cpu {

namespace {

class FilterStep : public Step {
 public:
  FilterStep(Context& context, std::shared_ptr<const plan::Plan> plan, std::vector<plan::ExprIndex> conjuncts)
      : context_(context),
        plan_(std::move(plan)),
        conjuncts_(std::move(conjuncts)),
        predicate_(context, plan_, conjuncts_) {}

  std::unique_ptr<Step> fork() const override { return std::make_unique<FilterStep>(context_, plan_, conjuncts_); }

  void process(Batch&& batch, const Emit& emit) override {
    selected_.resize(static_cast<size_t>(batch.rows));
    const int64_t rows = predicate_.select(batch, selected_.data());
    if (rows == 0) return;
    emit(rows == batch.rows ? std::move(batch) : gather(context_.memory(), batch, selected_.data(), rows));
  }

 private:
  Context& context_;
  std::shared_ptr<const plan::Plan> plan_;
  std::vector<plan::ExprIndex> conjuncts_;
  Predicate predicate_;
  std::vector<uint32_t> selected_;
};

}  // namespace

std::unique_ptr<Step> make_filter(Context& context, std::shared_ptr<const plan::Plan> plan,
                                  std::vector<plan::ExprIndex> conjuncts) {
  return std::make_unique<FilterStep>(context, std::move(plan), std::move(conjuncts));
}

}  // namespace quern::cpu
