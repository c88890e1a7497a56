#include <map>
#include <mutex>

#include "cpu/expression.hpp"
#include "cpu/hash_join.hpp"
#include "cpu/join_columns.hpp"
#include "cpu/table.hpp"

namespace quern::cpu {

namespace {

class HashJoinBuild : public JoinBuild {
 public:
  HashJoinBuild(Context& context, std::shared_ptr<const plan::Plan> plan, plan::NodeIndex node,
                std::shared_ptr<JoinFilters> filters, NodeCounters& counters)
      : filters_(std::move(filters)),
        counters_(counters),
        context_(context),
        plan_(std::move(plan)),
        node_(node),
        join_(std::get<plan::Join>(plan_->nodes[static_cast<size_t>(node)].op)),
        columns_(*plan_, node) {
    for (const auto& key : join_.keys) {
      input_.keys.types.push_back(plan_->exprs[static_cast<size_t>(key.build)].type);
      input_.keys.null_safe.push_back(key.null_safe);
    }
    input_.payload_columns = static_cast<int32_t>(columns_.payload.size());
    input_.one_is_enough = plan::decides_rows(join_.type) && join_.residual.empty();
    input_.marks_matches = join_.type == plan::JoinType::right || join_.type == plan::JoinType::full;
  }

  const JoinTable& table() const override { return *table_; }
  const JoinResidual* residual() const override { return residual_.get(); }
  const JoinListTests* list_tests() const override { return list_tests_.get(); }
  const JoinSorted* sorted() const override { return sorted_.get(); }

  std::unique_ptr<Local> make_local() override {
    auto local = std::make_unique<Rows>(context_);
    for (const auto& key : join_.keys) local->keys.emplace_back(context_, plan_, key.build);
    return local;
  }

  void consume(Local& local, int64_t, Batch&& batch) override {
    auto& rows = static_cast<Rows&>(local);
    Batch kept;
    kept.rows = batch.rows;
    for (const int32_t column : columns_.payload) kept.columns.push_back(batch.columns[static_cast<size_t>(column)]);
    for (auto& key : rows.keys) kept.columns.push_back(key.evaluate(batch));
    rows.collector.add(std::move(kept));
  }

  void end_morsel(Local& local, int64_t morsel) override {
    auto batches = static_cast<Rows&>(local).collector.take();
    if (batches.empty()) return;
    std::lock_guard lock(mutex_);
    morsels_[morsel] = std::move(batches);
  }

  void finish(const Parallel& parallel) override {
    std::vector<Batch> chunks;
    for (auto& [morsel, batches] : morsels_) {
      for (auto& batch : batches) chunks.push_back(std::move(batch));
    }
    morsels_.clear();
    make_filters(chunks);
    table_ = std::make_unique<JoinTable>(context_, input_, std::move(chunks), parallel);
    if (table_->index() != nullptr) counters_.index = table_->index()->name();
    if (!join_.residual.empty() && (!join_.keys.empty() || join_.sorted)) prepare_residual(parallel);
    if (join_.keys.empty()) counters_.index = sorted_ ? "sorted" : "nested loop";
  }

 private:
  struct Rows : Local {
    explicit Rows(Context& context) : collector(context) {}
    std::vector<Evaluator> keys;
    Collector collector;
  };

  void prepare_residual(const Parallel& parallel) {
    const ChunkedRows& rows = table_->payload();
    residual_ = std::make_unique<JoinResidual>(context_, plan_, node_, columns_, rows);
    if (residual_->parts().tests.empty()) return;
    if (const JoinIndex* index = table_->index(); index != nullptr && !index->is_single()) {
      list_tests_ = std::make_unique<JoinListTests>(context_, *residual_, index->lists(), table_->packing(), parallel);
    } else if (join_.keys.empty() && JoinSorted::test_to_sort_by(residual_->parts()) >= 0) {
      sorted_ = std::make_unique<JoinSorted>(context_, *residual_, rows, table_->packing(), parallel);
    }
  }

  void make_filters(const std::vector<Batch>& chunks) const {
    for (size_t key = 0; key < join_.keys.size(); ++key) {
      if (join_.keys[key].filter < 0) continue;
      std::vector<ColumnPtr> columns;
      for (const auto& chunk : chunks) columns.push_back(chunk.columns[columns_.payload.size() + key]);
      filters_->set(join_.keys[key].filter, std::make_shared<JoinFilter>(context_, input_.keys.types[key], columns,
                                                                         join_.keys[key].filters_rows));
    }
  }

  std::shared_ptr<JoinFilters> filters_;
  NodeCounters& counters_;
  Context& context_;
  std::shared_ptr<const plan::Plan> plan_;
  plan::NodeIndex node_;
  const plan::Join& join_;  // of the plan
  JoinColumns columns_;
  JoinInput input_;
  std::mutex mutex_;
  std::map<int64_t, std::vector<Batch>> morsels_;
  std::unique_ptr<JoinTable> table_;
  std::unique_ptr<JoinResidual> residual_;
  std::unique_ptr<JoinListTests> list_tests_;
  std::unique_ptr<JoinSorted> sorted_;
};

}  // namespace

std::shared_ptr<JoinBuild> make_join_build(Context& context, std::shared_ptr<const plan::Plan> plan,
                                           plan::NodeIndex node, std::shared_ptr<JoinFilters> filters,
                                           NodeCounters& counters) {
  return std::make_shared<HashJoinBuild>(context, std::move(plan), node, std::move(filters), counters);
}

}  // namespace quern::cpu
