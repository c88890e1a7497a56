#include <algorithm>

#include "cpu/expression.hpp"
#include "cpu/hash_join.hpp"
#include "cpu/join_columns.hpp"
#include "cpu/table.hpp"

namespace quern::cpu {

namespace {

using plan::JoinType;

// Pairs of a probe row and a row of the table; id -1 = no row.
struct Pairs {
  std::vector<uint32_t> rows;
  std::vector<int64_t> ids;

  int64_t count() const { return static_cast<int64_t>(rows.size()); }
  void add(uint32_t row, int64_t id) {
    rows.push_back(row);
    ids.push_back(id);
  }
  void resize(int64_t count) {
    rows.resize(static_cast<size_t>(count));
    ids.resize(static_cast<size_t>(count));
  }
};

class JoinProbe : public Step {
 public:
  JoinProbe(Context& context, std::shared_ptr<const plan::Plan> plan, plan::NodeIndex node,
            std::shared_ptr<JoinBuild> build)
      : context_(context),
        plan_(std::move(plan)),
        node_(node),
        join_(std::get<plan::Join>(plan_->nodes[static_cast<size_t>(node)].op)),
        build_(std::move(build)),
        columns_(*plan_, node),
        residual_(context, plan_, join_.residual) {
    for (const auto& key : join_.keys) keys_.emplace_back(context_, plan_, key.probe);
  }

  std::unique_ptr<Step> fork() const override { return std::make_unique<JoinProbe>(context_, plan_, node_, build_); }

  void process(Batch&& batch, const Emit& emit) override {
    has_match_.assign(static_cast<size_t>(batch.rows), 0);
    evaluate_keys(batch);
    const JoinIndex* index = build_->table().index();
    if (!join_.keys.empty() && index == nullptr)
      join_without_rows(batch, emit);
    else if (index != nullptr && index->is_single())
      join_single(batch, emit);
    else
      join_lists(batch, emit);
    if (decides_rows(join_.type)) decide(std::move(batch), emit);
  }

 private:
  bool keeps_probe_rows() const {
    return join_.type == JoinType::left || join_.type == JoinType::full || join_.type == JoinType::single;
  }
  bool marks_build_rows() const { return join_.type == JoinType::right || join_.type == JoinType::full; }

  void evaluate_keys(const Batch& batch) {
    key_columns_.clear();
    for (auto& key : keys_) key_columns_.push_back(key.evaluate(batch));
    if (const JoinIndex* index = build_->table().index(); index != nullptr && !finder_) finder_ = index->finder();
  }

  // Pairs that are tested and written at a time.
  int64_t most_pairs(const Batch& batch) const {
    if (decides_rows(join_.type)) return context_.settings().batch_rows;
    return std::min(vector_rows(context_, batch), build_->table().vector_rows());
  }

  // The second input is empty.
  void join_without_rows(const Batch& batch, const Emit& emit) {
    if (!keeps_probe_rows()) return;
    const int64_t limit = most_pairs(batch);
    for (int64_t start = 0; start < batch.rows; start += limit) {
      for (int64_t row = start; row < std::min(batch.rows, start + limit); ++row)
        pairs_.add(static_cast<uint32_t>(row), -1);
      flush(batch, false, emit);
    }
  }

  // At most one candidate a row.
  void join_single(const Batch& batch, const Emit& emit) {
    ids_.resize(static_cast<size_t>(batch.rows));
    finder_->find_single(key_columns_, batch.rows, ids_.data());
    if (decides_rows(join_.type) && join_.residual.empty()) {
      for (size_t row = 0; row < ids_.size(); ++row) has_match_[row] = ids_[row] >= 0;
      return;
    }
    const int64_t limit = most_pairs(batch);
    const bool keeps = keeps_probe_rows();
    for (int64_t start = 0; start < batch.rows; start += limit) {
      const int64_t end = std::min(batch.rows, start + limit);
      pairs_.resize(end - start);
      int64_t count = 0;
      for (int64_t row = start; row < end; ++row) {
        const int64_t id = ids_[static_cast<size_t>(row)];
        pairs_.rows[static_cast<size_t>(count)] = static_cast<uint32_t>(row);
        pairs_.ids[static_cast<size_t>(count)] = id;
        count += keeps || id >= 0;
      }
      pairs_.resize(count);
      flush(batch, false, emit);
    }
  }

  // Goes through all candidates, so many at a time that work and memory do not depend on how many a row has.
  void join_lists(const Batch& batch, const Emit& emit) {
    const JoinTable& table = build_->table();
    if (join_.keys.empty()) {
      matches_.assign(static_cast<size_t>(batch.rows), table.all());
    } else {
      matches_.resize(static_cast<size_t>(batch.rows));
      finder_->find(key_columns_, batch.rows, matches_.data());
    }
    if (decides_rows(join_.type) && join_.residual.empty()) {
      for (size_t row = 0; row < matches_.size(); ++row) has_match_[row] = matches_[row].count > 0;
      return;
    }
    const int64_t limit = most_pairs(batch);
    for (int64_t row = 0; row < batch.rows; ++row) {
      const JoinMatches& found = matches_[static_cast<size_t>(row)];
      if (found.count == 0 && keeps_probe_rows()) pairs_.add(static_cast<uint32_t>(row), -1);
      for (int64_t at = 0; at < found.count;) {
        const int64_t take = std::min(limit - pairs_.count(), found.count - at);
        const int64_t start = pairs_.count();
        pairs_.resize(start + take);
        std::fill_n(pairs_.rows.data() + start, take, static_cast<uint32_t>(row));
        for (int64_t i = 0; i < take; ++i) pairs_.ids[static_cast<size_t>(start + i)] = table.row_of(found.ids[at + i]);
        at += take;
        if (pairs_.count() < limit) continue;
        flush(batch, at < found.count, emit);
        if (decides_rows(join_.type) && has_match_[static_cast<size_t>(row)] != 0) break;
      }
      if (pairs_.count() >= limit) flush(batch, false, emit);
    }
    flush(batch, false, emit);
  }

  // `unfinished`: the last row has further candidates.
  void flush(const Batch& batch, bool unfinished, const Emit& emit) {
    context_.check_cancelled();
    if (pairs_.count() == 0) return;
    int64_t tested = 0;
    for (const int64_t id : pairs_.ids) tested += id >= 0;
    context_.metrics().pairs_tested.fetch_add(tested, std::memory_order_relaxed);
    if (!join_.residual.empty()) keep_passing(batch, unfinished);
    if (join_.type == JoinType::single) check_single();
    if (decides_rows(join_.type)) {
      for (const uint32_t row : pairs_.rows) has_match_[row] = 1;
    } else {
      if (marks_build_rows()) {
        for (const int64_t id : pairs_.ids) {
          if (id >= 0) build_->table().mark(id);
        }
      }
      give(batch, emit);
    }
    pairs_.resize(0);
  }

  // Takes out pairs that the residual refuses; a row without any other pair stays where it must.
  void keep_passing(const Batch& batch, bool unfinished) {
    selected_.resize(static_cast<size_t>(pairs_.count()));
    const Batch input = residual_input(batch);
    const int64_t passing = residual_.select(input, selected_.data());
    Pairs kept;
    int64_t next = 0;  // of selected_
    const int64_t count = pairs_.count();
    for (int64_t at = 0; at < count; ++at) {
      const uint32_t row = pairs_.rows[static_cast<size_t>(at)];
      const int64_t id = pairs_.ids[static_cast<size_t>(at)];
      const bool passes = next < passing && selected_[static_cast<size_t>(next)] == at;
      next += passes;
      if (id < 0 || passes) {
        // A row may appear again after a vector that ended in its midst: then it had a match before.
        kept.add(row, id);
        has_match_[row] = 1;
        continue;
      }
      const bool last = at + 1 == count ? !unfinished : pairs_.rows[static_cast<size_t>(at + 1)] != row;
      if (last && keeps_probe_rows() && has_match_[row] == 0) kept.add(row, -1);
    }
    pairs_ = std::move(kept);
  }

  // The columns that the residual reads, a row a pair.
  Batch residual_input(const Batch& batch) {
    Batch input;
    input.rows = pairs_.count();
    input.columns.resize(static_cast<size_t>(columns_.probe_count) + columns_.payload_at.size());
    for (const int32_t column : columns_.residual)
      input.columns[static_cast<size_t>(column)] = column_of(batch, column);
    return input;
  }

  ColumnPtr column_of(const Batch& batch, int32_t column) {
    Memory& memory = context_.memory();
    const int64_t count = pairs_.count();
    if (column < columns_.probe_count)
      return gather(memory, batch.columns[static_cast<size_t>(column)], pairs_.rows.data(), count);
    const auto place = static_cast<size_t>(column - columns_.probe_count);
    const JoinTable& table = build_->table();
    if (table.rows() == 0) {
      const auto& input = plan_->nodes[static_cast<size_t>(plan_->nodes[static_cast<size_t>(node_)].inputs[1])];
      return make_null_column(input.output[place].type, count);
    }
    return table.payload().gather_column(memory, static_cast<size_t>(columns_.payload_at[place]), pairs_.ids.data(),
                                         count);
  }

  void check_single() {
    for (size_t i = 0; i < pairs_.rows.size(); ++i) {
      if (pairs_.ids[i] < 0) continue;
      auto& seen = has_match_[pairs_.rows[i]];
      const bool first = i == 0 || pairs_.rows[i - 1] != pairs_.rows[i];
      // has_match_ is set by the residual too: only a second pair of the row tells.
      if (!first || seen == 2) throw several_rows();
      seen = 2;
    }
  }

  Error several_rows() const {
    Error error(ErrorSource::user, ErrorCode::runtime, "a scalar subquery gives more than one row");
    error.with_hint("add LIMIT 1 or an aggregate");
    if (join_.span) error.at(*join_.span);
    return error;
  }

  void give(const Batch& batch, const Emit& emit) {
    const int64_t count = pairs_.count();
    if (count == 0) return;
    context_.metrics().pairs_written.fetch_add(count, std::memory_order_relaxed);
    bool whole = count == batch.rows;  // every row once
    for (int64_t i = 0; whole && i < count; ++i) whole = pairs_.rows[static_cast<size_t>(i)] == i;
    Batch out;
    out.rows = count;
    for (const int32_t column : join_.keep) {
      out.columns.push_back(whole && column < columns_.probe_count ? batch.columns[static_cast<size_t>(column)]
                                                                   : column_of(batch, column));
    }
    emit(std::move(out));
  }

  void decide(Batch&& batch, const Emit& emit) {
    Batch kept;
    kept.rows = batch.rows;
    for (const int32_t column : join_.keep) kept.columns.push_back(batch.columns[static_cast<size_t>(column)]);
    if (join_.type == JoinType::mark) {
      kept.columns.push_back(mark_column(batch.rows));
      return emit(std::move(kept));
    }
    const uint8_t wanted = join_.type == JoinType::semi ? 1 : 0;
    selected_.clear();
    for (size_t row = 0; row < has_match_.size(); ++row) {
      if (has_match_[row] == wanted) selected_.push_back(static_cast<uint32_t>(row));
    }
    const auto rows = static_cast<int64_t>(selected_.size());
    if (rows == 0) return;
    emit(rows == kept.rows ? std::move(kept) : gather(context_.memory(), kept, selected_.data(), rows));
  }

  // true, false, or NULL where a NULL among the keys may be the match.
  ColumnPtr mark_column(int64_t rows) {
    const JoinTable& table = build_->table();
    ColumnBuilder out(context_.memory(), make_type(TypeKind::boolean), rows, true);
    for (int64_t row = 0; row < rows; ++row) {
      const bool match = has_match_[static_cast<size_t>(row)] != 0;
      if (match || !join_.null_aware || table.rows() == 0) {
        out.data<uint8_t>()[row] = match ? 1 : 0;
        continue;
      }
      const auto& key = *key_columns_[0];
      const bool null_key = key.form == Form::constant ? key.null_count > 0 : !key.is_valid(row);
      if (null_key || table.has_null_key()) out.set_null(row);
    }
    return out.finish();
  }

  Context& context_;
  std::shared_ptr<const plan::Plan> plan_;
  plan::NodeIndex node_;
  const plan::Join& join_;  // of the plan
  std::shared_ptr<JoinBuild> build_;
  JoinColumns columns_;
  Predicate residual_;
  std::vector<Evaluator> keys_;
  std::vector<ColumnPtr> key_columns_;
  std::unique_ptr<JoinFinder> finder_;
  std::vector<int64_t> ids_;
  std::vector<JoinMatches> matches_;
  std::vector<uint8_t> has_match_;  // a probe row
  Pairs pairs_;
  std::vector<uint32_t> selected_;
};

}  // namespace

std::unique_ptr<Step> make_join_probe(Context& context, std::shared_ptr<const plan::Plan> plan, plan::NodeIndex node,
                                      std::shared_ptr<JoinBuild> build) {
  return std::make_unique<JoinProbe>(context, std::move(plan), node, std::move(build));
}

}  // namespace quern::cpu
