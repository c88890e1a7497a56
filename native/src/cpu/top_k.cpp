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

// Rows beyond the wanted ones that a buffer holds before it is pruned. Few: the sooner the worst row that must be kept
// is known well, the fewer rows come that far.
constexpr int64_t slack_rows = 32;

ColumnPtr repeated(Memory& memory, int64_t rows, int64_t value) {
  ColumnBuilder builder(memory, make_type(TypeKind::int64), rows);
  std::fill_n(builder.data<int64_t>(), rows, value);
  return builder.finish();
}

// `first` and the numbers that follow it; of `selected` rows where given.
ColumnPtr numbered(Memory& memory, int64_t rows, int64_t first, const uint32_t* selected) {
  ColumnBuilder builder(memory, make_type(TypeKind::int64), rows);
  for (int64_t i = 0; i < rows; ++i) builder.data<int64_t>()[i] = first + (selected != nullptr ? selected[i] : i);
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
    const uint32_t* selected = nullptr;
    if (state.has_worst) {
      const int64_t count = find_candidates(state, *rows.columns[batch.columns.size()], rows.rows);
      if (count == 0) return;
      selected = state.candidates.data();
      rows = gather(context_.memory(), rows, selected, count);
    }
    rows.columns.push_back(repeated(context_.memory(), rows.rows, morsel));
    rows.columns.push_back(numbered(context_.memory(), rows.rows, first, selected));
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
    std::vector<uint64_t> prefixes;  // of the batch at hand
    std::vector<uint32_t> candidates;
  };

  std::vector<ColumnPtr> key_columns(const Batch& rows) const {
    return {rows.columns.end() - static_cast<int64_t>(order_.size()), rows.columns.end()};
  }

  // Puts into state.candidates the rows whose first key alone does not place them behind the worst row to be kept;
  // returns how many they are.
  int64_t find_candidates(State& state, const Column& first_key, int64_t rows) const {
    state.prefixes.resize(static_cast<size_t>(rows));
    state.candidates.resize(static_cast<size_t>(rows));
    uint64_t mask = 0;
    const bool known = first_prefixes(order_[0], first_key, rows, state.prefixes.data(), mask);
    if (!known) mask = 0;
    const uint64_t worst = state.worst.prefix & mask;
    int64_t count = 0;
    for (int64_t row = 0; row < rows; ++row) {
      state.candidates[static_cast<size_t>(count)] = static_cast<uint32_t>(row);
      count += (state.prefixes[static_cast<size_t>(row)] & mask) <= worst;
    }
    return count;
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
