// Pairs of a probe row and a row of the table, collected into vectors: tested by what is left of the residual, then
// given on as the join's kind asks. One thread's.
#pragma once
#include "cpu/expression.hpp"
#include "cpu/hash_join.hpp"
#include "cpu/join_columns.hpp"

namespace quern::cpu {

// Row and id of each pair; id -1 = no row of the table. Room is kept when there are fewer.
class JoinPairs {
 public:
  int64_t count() const { return count_; }
  // New ones are not set.
  void resize(int64_t count) {
    if (count > static_cast<int64_t>(rows_.size())) {
      rows_.resize(static_cast<size_t>(count));
      ids_.resize(static_cast<size_t>(count));
    }
    count_ = count;
  }
  uint32_t* rows() { return rows_.data(); }
  int64_t* ids() { return ids_.data(); }

 private:
  std::vector<uint32_t> rows_;
  std::vector<int64_t> ids_;
  int64_t count_ = 0;
};

class JoinOutput {
 public:
  JoinOutput(Context& context, std::shared_ptr<const plan::Plan> plan, plan::NodeIndex node, JoinBuild& build);

  // Begins a batch of the first input. `residual` is what pairs must still pass; nullptr = nothing.
  void start(const Batch& batch, Predicate* residual, const Emit& emit);
  // Pairs that may be added before the next flush; at least one.
  int64_t room();
  // Candidates of one row in a run: adds some of `count` and returns how many. `id_of(i)` gives the row's id.
  template <typename IdOf>
  int64_t add(uint32_t row, int64_t count, IdOf&& id_of) {
    const int64_t take = std::min(room(), count);
    const int64_t start = pairs_.count();
    pairs_.resize(start + take);
    std::fill_n(pairs_.rows() + start, take, row);
    int64_t* ids = pairs_.ids() + start;
    for (int64_t i = 0; i < take; ++i) ids[i] = id_of(i);
    return take;
  }
  // All candidates of each of `rows` rows; ends them. Not where a pair may decide a row.
  void add_lists(const JoinMatches* matches, int64_t rows);
  // Of each of `rows` rows its only candidate, -1 = none; ends them.
  void add_single(const int64_t* ids, int64_t rows);
  // All candidates of `row` were added: where the join keeps rows without a match, the row is given if it has none.
  void end_row(uint32_t row);
  // Whether a semi, anti or mark join needs no further pair of `row`.
  bool is_decided(uint32_t row) const { return decides_ && has_match_[row] != 0; }
  // The row has a match; no pair is wanted.
  void set_match(uint32_t row) { has_match_[row] = 1; }
  bool has_match(uint32_t row) const { return has_match_[row] != 0; }
  // A joined batch that needs no pairs.
  void give(Batch&& out);
  // Tests and gives what was added.
  void flush();
  // Ends the batch. `key`: of a null-aware mark join.
  void end(Batch&& batch, const ColumnPtr& key);

  void count_tested(int64_t pairs) { context_.metrics().pairs_tested.fetch_add(pairs, std::memory_order_relaxed); }
  void count_written(int64_t pairs) { context_.metrics().pairs_written.fetch_add(pairs, std::memory_order_relaxed); }

  bool decides() const { return decides_; }
  bool keeps_probe_rows() const { return keeps_probe_rows_; }
  bool marks_build_rows() const { return marks_build_rows_; }
  const JoinColumns& columns() const { return columns_; }
  // Of the second input, with nothing but NULLs.
  ColumnPtr absent_column(int32_t column, int64_t rows) const;
  Error several_rows() const;

 private:
  // The end of a row stands after so many of the pairs.
  struct RowEnd {
    int64_t after;
    uint32_t row;
  };

  int64_t waiting() const { return pairs_.count() + static_cast<int64_t>(ends_.size()); }
  void note_one_row();
  void keep_passing();
  void end_rows();
  void check_single();
  Batch residual_input();
  ColumnPtr column_of(int32_t column);
  void give_pairs();
  ColumnPtr mark_column(int64_t rows, const ColumnPtr& key);

  Context& context_;
  std::shared_ptr<const plan::Plan> plan_;
  plan::NodeIndex node_;
  const plan::Join& join_;  // of the plan
  JoinBuild& build_;
  JoinColumns columns_;
  bool decides_, keeps_probe_rows_, marks_build_rows_;
  const Batch* batch_ = nullptr;
  Predicate* residual_ = nullptr;
  const Emit* emit_ = nullptr;
  int64_t limit_ = 0;               // pairs of a vector
  std::vector<uint8_t> has_match_;  // by row of the batch: bit 0, and bit 1 where a single join has seen its pair
  JoinPairs pairs_, merged_;
  std::vector<RowEnd> ends_;
  bool is_one_row_ = false;  // all pairs are of one row
  std::vector<uint32_t> selected_;
};

}  // namespace quern::cpu
