#include <algorithm>

#include "cpu/expression.hpp"
#include "cpu/hash_join.hpp"
#include "cpu/join_operands.hpp"
#include "cpu/join_output.hpp"

namespace quern::cpu {

namespace {

// Candidates up to which one at a time costs less than the loop over values that lie side by side.
constexpr uint32_t few_candidates = 3;
// Candidates of a row that are tested at a time, while the first that passes may be enough.
constexpr int64_t tested_until_decided = 256;

class JoinProbe : public Step {
 public:
  JoinProbe(Context& context, std::shared_ptr<const plan::Plan> plan, plan::NodeIndex node,
            std::shared_ptr<JoinBuild> build)
      : context_(context),
        plan_(std::move(plan)),
        node_(node),
        join_(std::get<plan::Join>(plan_->nodes[static_cast<size_t>(node)].op)),
        build_(std::move(build)),
        output_(context, plan_, node, *build_),
        residual_(context, plan_, join_.residual) {
    for (const auto& key : join_.keys) keys_.emplace_back(context_, plan_, key.probe);
  }

  std::unique_ptr<Step> fork() const override { return std::make_unique<JoinProbe>(context_, plan_, node_, build_); }

  void process(Batch&& batch, const Emit& emit) override {
    prepare();
    key_columns_.clear();
    for (auto& key : keys_) key_columns_.push_back(key.evaluate(batch));
    const bool tested = operands_ && operands_->read(batch);
    Predicate* pairs = tested ? (pairs_ ? &*pairs_ : nullptr) : (join_.residual.empty() ? nullptr : &residual_);
    output_.start(batch, pairs, emit);
    const bool first_decides = output_.decides() && pairs == nullptr;
    const JoinIndex* index = build_->table().index();
    if (index == nullptr) {
      for (int64_t row = 0; row < batch.rows; ++row) output_.end_row(static_cast<uint32_t>(row));
    } else if (index->is_single()) {
      join_single(batch.rows, tested, first_decides);
    } else {
      join_lists(batch.rows, tested, first_decides);
    }
    output_.end(std::move(batch), key_columns_[0]);
  }

 private:
  // What follows from the table, which is complete when the first batch comes.
  void prepare() {
    if (is_prepared_) return;
    is_prepared_ = true;
    if (const JoinIndex* index = build_->table().index(); index != nullptr) finder_ = index->finder();
    const JoinResidual* early = build_->residual();
    if (early == nullptr || !early->parts().decides_early()) return;
    operands_.emplace(context_, plan_, *early);
    if (!early->parts().pairs.empty()) pairs_.emplace(context_, plan_, early->parts().pairs);
  }

  // At most one candidate a row.
  void join_single(int64_t rows, bool tested, bool first_decides) {
    ids_.resize(static_cast<size_t>(rows));
    finder_->find_single(key_columns_, rows, ids_.data());
    int64_t candidates = 0;
    for (const int64_t id : ids_) candidates += id >= 0;
    output_.count_tested(candidates);
    if (tested) {
      for (int64_t row = 0; row < rows; ++row) {
        int64_t& id = ids_[static_cast<size_t>(row)];
        if (id >= 0 && !(operands_->may_match(row) && operands_->passes(row, id))) id = -1;
      }
    }
    if (!first_decides) return output_.add_single(ids_.data(), rows);
    for (int64_t row = 0; row < rows; ++row) {
      if (ids_[static_cast<size_t>(row)] >= 0) output_.set_match(static_cast<uint32_t>(row));
    }
  }

  // Goes through all candidates, so many at a time that work and memory do not depend on how many a row has.
  void join_lists(int64_t rows, bool tested, bool first_decides) {
    matches_.resize(static_cast<size_t>(rows));
    finder_->find(key_columns_, rows, matches_.data());
    int64_t candidates = 0;
    if (!tested && !output_.decides()) {
      for (const JoinMatches& found : matches_) candidates += found.count;
      output_.count_tested(candidates);
      return output_.add_lists(matches_.data(), rows);
    }
    for (int64_t at = 0; at < rows; ++at) {
      const JoinMatches& found = matches_[static_cast<size_t>(at)];
      const auto row = static_cast<uint32_t>(at);
      if (tested && !operands_->may_match(at))
        candidates += found.count;  // refused together
      else if (tested && operands_->has_tests())
        candidates += add_passing(row, found, first_decides);
      else if (first_decides && found.count > 0)
        output_.set_match(row);
      else
        candidates += add_all(row, found);
      output_.end_row(row);
    }
    output_.count_tested(candidates);
  }

  int64_t add_all(uint32_t row, const JoinMatches& found) {
    const JoinTable& table = build_->table();
    int64_t at = 0;
    while (at < found.count && !output_.is_decided(row)) {
      const uint32_t* ids = found.ids + at;
      at += output_.add(row, found.count - at, [&](int64_t i) { return table.row_of(ids[i]); });
    }
    return at;
  }

  // Candidates that pass the tests; returns how many were tested.
  int64_t add_passing(uint32_t row, const JoinMatches& found, bool first_decides) {
    if (found.count == 0) return 0;
    const JoinTable& table = build_->table();
    if (found.count <= few_candidates || found.list == JoinMatches::no_list || build_->list_tests() == nullptr) {
      for (uint32_t i = 0; i < found.count && !output_.is_decided(row); ++i) {
        const int64_t id = table.row_of(found.ids[i]);
        if (!operands_->passes(row, id)) continue;
        if (first_decides)
          output_.set_match(row);
        else
          output_.add(row, 1, [id](int64_t) { return id; });
      }
      return found.count;
    }
    auto& tests = operands_->tests_of(row);
    const int64_t first = build_->list_tests()->place(found, tests);
    const uint32_t* ids = found.ids - first;
    const int64_t step = output_.decides() ? tested_until_decided : context_.settings().batch_rows;
    passing_.resize(static_cast<size_t>(step));
    int64_t at = 0;
    for (; at < found.count && !output_.is_decided(row); at += step) {
      const int64_t end = std::min<int64_t>(at + step, found.count);
      const int64_t count =
          select_(tests.data(), static_cast<int64_t>(tests.size()), first + at, first + end, passing_.data());
      context_.check_cancelled();
      if (count > 0 && first_decides) output_.set_match(row);
      for (int64_t next = 0; next < count && !output_.is_decided(row);) {
        const uint32_t* passing = passing_.data() + next;
        next += output_.add(row, count - next, [&](int64_t i) { return table.row_of(ids[passing[i]]); });
      }
    }
    return std::min<int64_t>(at, found.count);
  }

  Context& context_;
  std::shared_ptr<const plan::Plan> plan_;
  plan::NodeIndex node_;
  const plan::Join& join_;  // of the plan
  std::shared_ptr<JoinBuild> build_;
  JoinOutput output_;
  Predicate residual_;              // all of it
  std::optional<Predicate> pairs_;  // what operands_ leave of it
  std::optional<JoinOperands> operands_;
  SelectValues select_ = select_values();
  std::vector<Evaluator> keys_;
  std::vector<ColumnPtr> key_columns_;
  std::unique_ptr<JoinFinder> finder_;
  bool is_prepared_ = false;
  std::vector<int64_t> ids_;
  std::vector<JoinMatches> matches_;
  std::vector<uint32_t> passing_;
};

}  // namespace

std::unique_ptr<Step> make_join_probe(Context& context, std::shared_ptr<const plan::Plan> plan, plan::NodeIndex node,
                                      std::shared_ptr<JoinBuild> build) {
  const auto& join = std::get<plan::Join>(plan->nodes[static_cast<size_t>(node)].op);
  if (join.keys.empty()) return make_conditional_probe(context, std::move(plan), node, std::move(build));
  return std::make_unique<JoinProbe>(context, std::move(plan), node, std::move(build));
}

}  // namespace quern::cpu
