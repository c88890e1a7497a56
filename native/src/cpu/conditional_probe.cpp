// Joins without an equality: by search in the sorted table where there is one, else every pair.
#include <algorithm>
#include <optional>

#include "cpu/hash_join.hpp"
#include "cpu/join_operands.hpp"
#include "cpu/join_tiles.hpp"

namespace quern::cpu {

namespace {

class ConditionalProbe : public Step {
 public:
  ConditionalProbe(Context& context, std::shared_ptr<const plan::Plan> plan, plan::NodeIndex node,
                   std::shared_ptr<JoinBuild> build)
      : context_(context),
        plan_(std::move(plan)),
        node_(node),
        build_(std::move(build)),
        output_(context, plan_, node, *build_),
        tiles_(context, plan_, node, *build_) {}

  std::unique_ptr<Step> fork() const override {
    return std::make_unique<ConditionalProbe>(context_, plan_, node_, build_);
  }

  void process(Batch&& batch, const Emit& emit) override {
    const JoinSorted* sorted = build_->sorted();
    if (sorted != nullptr && !operands_) prepare();
    if (sorted != nullptr && operands_->read(batch)) {
      Predicate* pairs = pairs_ ? &*pairs_ : nullptr;
      output_.start(batch, pairs, emit);
      for (int64_t row = 0; row < batch.rows; ++row) search(*sorted, row);
    } else {
      output_.start(batch, nullptr, emit);
      tiles_.join(batch, output_);
    }
    output_.end(std::move(batch), nullptr);
  }

 private:
  void prepare() {
    const JoinResidual& early = *build_->residual();
    operands_.emplace(context_, plan_, early);
    if (!early.parts().pairs.empty()) pairs_.emplace(context_, plan_, early.parts().pairs);
  }

  void search(const JoinSorted& sorted, int64_t at) {
    const auto row = static_cast<uint32_t>(at);
    if (operands_->may_match(at)) {
      const auto& tests = operands_->tests_of(at);
      const JoinSorted::Run run = sorted.find(tests);
      if (sorted.is_only_test()) {
        add(row, run.end - run.start, [&](int64_t i) { return id_of(sorted, run.start + i); });
        output_.count_tested(run.end - run.start);
      } else {
        output_.count_tested(sorted.visit(tests, run, [&](const uint32_t* numbers, int64_t count) {
          return add(row, count, [&](int64_t i) { return id_of(sorted, numbers[i]); });
        }));
      }
    }
    output_.end_row(row);
  }

  int64_t id_of(const JoinSorted& sorted, int64_t number) const { return build_->table().row_of(sorted.ids()[number]); }

  // False when the row needs no more.
  template <typename IdOf>
  bool add(uint32_t row, int64_t count, IdOf&& id_of) {
    if (output_.decides() && !pairs_) {
      if (count > 0) output_.set_match(row);
      return count == 0;
    }
    for (int64_t next = 0; next < count && !output_.is_decided(row);) {
      const int64_t start = next;
      next += output_.add(row, count - next, [&](int64_t i) { return id_of(start + i); });
    }
    return !output_.is_decided(row);
  }

  Context& context_;
  std::shared_ptr<const plan::Plan> plan_;
  plan::NodeIndex node_;
  std::shared_ptr<JoinBuild> build_;
  JoinOutput output_;
  JoinTiles tiles_;
  std::optional<JoinOperands> operands_;
  std::optional<Predicate> pairs_;  // what the search leaves of the residual
};

}  // namespace

std::unique_ptr<Step> make_conditional_probe(Context& context, std::shared_ptr<const plan::Plan> plan,
                                             plan::NodeIndex node, std::shared_ptr<JoinBuild> build) {
  return std::make_unique<ConditionalProbe>(context, std::move(plan), node, std::move(build));
}

}  // namespace quern::cpu
