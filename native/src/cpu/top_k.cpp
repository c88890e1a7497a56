// Top-k: each thread keeps its best rows in a buffer, drops what cannot come before the worst it must keep, and prunes
// the buffer when it has doubled. Input order breaks ties: it is the last part of the key.
#include "cpu/top_k.hpp"

#include <algorithm>
#include <limits>

#include "cpu/expression.hpp"
#include "cpu/sort_key.hpp"
#include "cpu/table.hpp"

namespace quern::cpu {

namespace {

// Rows beyond the wanted ones that a buffer holds before it is pruned.
constexpr int64_t slack_rows = 4096;

ColumnPtr int64_column(Memory& memory, int64_t rows, int64_t start, int64_t step) {
  ColumnBuilder builder(memory, make_type(TypeKind::int64), rows);
  for (int64_t i = 0; i < rows; ++i) builder.data<int64_t>()[i] = start + i * step;
  return builder.finish();
}

class TopKSink : public StoringSink {
 public:
  TopKSink(Context& context, std::shared_ptr<const plan::Plan> plan, const plan::TopK& top_k)
      : context_(context), plan_(std::move(plan)), top_k_(top_k) {
    for (const auto& key : top_k.keys) order_.push_back({plan_->exprs[key.expr].type, key.descending, key.nulls_first});
    for (int i = 0; i < 2; ++i) order_.push_back({make_type(TypeKind::int64), false, false});  // morsel, row in it
    need_ = top_k.limit > std::numeric_limits<int64_t>::max() - top_k.offset ? std::numeric_limits<int64_t>::max()
                                                                             : top_k.offset + top_k.limit;
  }

  std::unique_ptr<Source> source() override {
    auto self = std::static_pointer_cast<TopKSink>(shared_from_this());
    return std::make_unique<TableSource>(context_, [self] { return self->table_; });
  }

  std::unique_ptr<Sink::Local> make_local() override { return std::make_unique<State>(*this); }

  void consume(Local& local, int64_t morsel, Batch&& batch) override {
    auto& state = static_cast<State&>(local);
    if (morsel != state.morsel) {
      state.morsel = morsel;
      state.row = 0;
    }
    Batch rows = batch;
    for (auto& evaluator : state.evaluators) rows.columns.push_back(evaluator.evaluate(batch));
    const int64_t first = std::exchange(state.row, state.row + batch.rows);
    ColumnPtr numbers = int64_column(context_.memory(), rows.rows, first, 1);
    if (state.has_worst) {
      const auto selected = candidates(state, *rows.columns[batch.columns.size()], rows.rows);
      const auto count = static_cast<int64_t>(selected.size());
      if (count == 0) return;
      rows = gather(context_.memory(), rows, selected.data(), count);
      numbers = gather(context_.memory(), numbers, selected.data(), count);
    }
    rows.columns.push_back(int64_column(context_.memory(), rows.rows, morsel, 0));
    rows.columns.push_back(std::move(numbers));
    if (state.has_worst) {
      rows = keep_better(state, rows);
      if (rows.rows == 0) return;
      // A few rows must not hold the lists and texts of their whole batch.
      for (auto& column : rows.columns) column = compact(context_.memory(), column);
    }
    state.rows += rows.rows;
    state.buffer.push_back(std::move(rows));
    if (state.rows - need_ >= std::max(need_, slack_rows)) prune(state);
  }

  void combine(Local& local) override {
    auto& state = static_cast<State&>(local);
    if (state.rows > need_) prune(state);
    std::lock_guard lock(mutex_);
    for (auto& batch : state.buffer) kept_.push_back(std::move(batch));
    state.buffer.clear();
  }

  void finish(const Parallel&) override {
    auto table = std::make_shared<Table>();
    if (!kept_.empty()) {
      const Batch all = join_batches(context_, kept_);
      kept_.clear();
      const auto best = best_rows(all, need_).first;
      const int64_t start = std::min<int64_t>(top_k_.offset, static_cast<int64_t>(best.size()));
      Batch out;
      out.rows = static_cast<int64_t>(best.size()) - start;
      for (size_t i = 0; i + order_.size() < all.columns.size(); ++i) {
        out.columns.push_back(
            compact(context_.memory(), gather(context_.memory(), all.columns[i], best.data() + start, out.rows)));
      }
      if (out.rows > 0) table->batches.push_back(std::move(out));
    }
    table_ = std::move(table);
  }

  bool done() const override { return need_ == 0 || top_k_.limit == 0; }

 private:
  struct State : Local {
    explicit State(TopKSink& sink) {
      for (const auto& key : sink.top_k_.keys) evaluators.emplace_back(sink.context_, sink.plan_, key.expr);
    }
    std::vector<Evaluator> evaluators;
    int64_t morsel = -1;
    int64_t row = 0;
    std::vector<Batch> buffer;  // payload, keys, morsel, row
    int64_t rows = 0;
    EncodedKeys worst_key;  // of the last row that must be kept
    SortEntry worst{};
    bool has_worst = false;
  };

  std::vector<ColumnPtr> key_columns(const Batch& rows) const {
    return {rows.columns.end() - static_cast<int64_t>(order_.size()), rows.columns.end()};
  }

  // Rows whose first key alone does not put them behind the worst row to be kept.
  std::vector<uint32_t> candidates(const State& state, const Column& first_key, int64_t rows) const {
    std::vector<uint64_t> prefixes(static_cast<size_t>(rows));
    std::vector<uint32_t> selected;
    uint64_t mask = 0;
    const bool known = first_prefixes(order_[0], first_key, rows, prefixes.data(), mask);
    for (int64_t row = 0; row < rows; ++row) {
      if (!known || (prefixes[static_cast<size_t>(row)] & mask) <= (state.worst.prefix & mask))
        selected.push_back(static_cast<uint32_t>(row));
    }
    return selected;
  }

  Batch keep_better(State& state, const Batch& rows) {
    const auto keys = encode_keys(context_.memory(), order_, key_columns(rows), 0, rows.rows);
    std::vector<SortEntry> entries(static_cast<size_t>(rows.rows));
    make_entries(keys, rows.rows, 0, entries.data());
    std::vector<uint32_t> selected;
    for (const auto& entry : entries) {
      if (compare_keys(entry, state.worst) < 0) selected.push_back(static_cast<uint32_t>(entry.row));
    }
    return gather(context_.memory(), rows, selected.data(), static_cast<int64_t>(selected.size()));
  }

  // The first `count` rows of the order, in order, and the key of the last.
  std::pair<std::vector<int64_t>, EncodedKeys> best_rows(const Batch& rows, int64_t count) {
    const auto keys = encode_keys(context_.memory(), order_, key_columns(rows), 0, rows.rows);
    const auto buffer =
        context_.memory().allocate(static_cast<size_t>(std::max<int64_t>(rows.rows, 1)) * sizeof(SortEntry));
    auto* entries = buffer->as<SortEntry>();
    make_entries(keys, rows.rows, 0, entries);
    const int64_t kept = std::min(count, rows.rows);
    if (kept < rows.rows) std::nth_element(entries, entries + kept, entries + rows.rows);
    std::sort(entries, entries + kept);
    std::vector<int64_t> best(static_cast<size_t>(kept));
    for (int64_t i = 0; i < kept; ++i) best[static_cast<size_t>(i)] = entries[i].row;
    EncodedKeys last;
    if (kept > 0) last = encode_keys(context_.memory(), order_, key_columns(rows), entries[kept - 1].row, 1);
    return {std::move(best), std::move(last)};
  }

  void prune(State& state) {
    const Batch all = join_batches(context_, state.buffer);
    state.buffer.clear();
    auto [best, last] = best_rows(all, need_);
    Batch kept;
    kept.rows = static_cast<int64_t>(best.size());
    for (const auto& column : all.columns) {
      kept.columns.push_back(compact(context_.memory(), gather(context_.memory(), column, best.data(), kept.rows)));
    }
    state.rows = kept.rows;
    if (kept.rows > 0) {
      state.worst_key = std::move(last);
      make_entries(state.worst_key, 1, 0, &state.worst);
      state.has_worst = true;
      state.buffer.push_back(std::move(kept));
    }
    context_.check_cancelled();
  }

  Context& context_;
  std::shared_ptr<const plan::Plan> plan_;
  const plan::TopK& top_k_;  // of the plan
  std::vector<KeyOrder> order_;
  int64_t need_ = 0;  // offset + limit
  std::mutex mutex_;
  std::vector<Batch> kept_;
  TablePtr table_;
};

}  // namespace

std::shared_ptr<StoringSink> make_top_k(Context& context, std::shared_ptr<const plan::Plan> plan,
                                        const plan::TopK& top_k) {
  return std::make_shared<TopKSink>(context, std::move(plan), top_k);
}

}  // namespace quern::cpu
