#include "cpu/join_output.hpp"

#include <algorithm>

#include "cpu/table.hpp"

namespace quern::cpu {

using plan::JoinType;

JoinOutput::JoinOutput(Context& context, std::shared_ptr<const plan::Plan> plan, plan::NodeIndex node, JoinBuild& build)
    : context_(context),
      plan_(std::move(plan)),
      node_(node),
      join_(std::get<plan::Join>(plan_->nodes[static_cast<size_t>(node)].op)),
      build_(build),
      columns_(*plan_, node),
      decides_(decides_rows(join_.type)),
      keeps_probe_rows_(join_.type == JoinType::left || join_.type == JoinType::full || join_.type == JoinType::single),
      marks_build_rows_(join_.type == JoinType::right || join_.type == JoinType::full) {}

void JoinOutput::start(const Batch& batch, Predicate* residual, const Emit& emit) {
  batch_ = &batch;
  residual_ = residual;
  emit_ = &emit;
  has_match_.assign(static_cast<size_t>(batch.rows), 0);
  limit_ =
      decides_ ? context_.settings().batch_rows : std::min(vector_rows(context_, batch), build_.table().vector_rows());
}

void JoinOutput::add_single(const int64_t* ids, int64_t rows) {
  for (int64_t start = 0; start < rows;) {
    const int64_t end = std::min(rows, start + room());
    int64_t pairs = pairs_.count();
    auto ends = static_cast<int64_t>(ends_.size());
    pairs_.resize(pairs + end - start);
    if (keeps_probe_rows_) ends_.resize(static_cast<size_t>(ends + end - start));
    for (int64_t row = start; row < end; ++row) {
      pairs_.rows()[pairs] = static_cast<uint32_t>(row);
      pairs_.ids()[pairs] = ids[row];
      pairs += ids[row] >= 0;
      if (!keeps_probe_rows_) continue;
      ends_[static_cast<size_t>(ends)] = {pairs, static_cast<uint32_t>(row)};
      ends += residual_ != nullptr || ids[row] < 0;
    }
    pairs_.resize(pairs);
    if (keeps_probe_rows_) ends_.resize(static_cast<size_t>(ends));
    start = end;
  }
}

void JoinOutput::add_lists(const JoinMatches* matches, int64_t rows) {
  const JoinTable& table = build_.table();
  const auto ends_row = [&](int64_t row) {
    return keeps_probe_rows_ && (residual_ != nullptr || matches[row].count == 0);
  };
  for (int64_t row = 0; row < rows;) {
    // Rows of one candidate at most, as many as there is room for.
    const int64_t end = std::min(rows, row + room());
    int64_t pairs = pairs_.count();
    pairs_.resize(pairs + end - row);
    for (; row < end && matches[row].count <= 1 && !ends_row(row); ++row) {
      if (matches[row].count == 0) continue;
      pairs_.rows()[pairs] = static_cast<uint32_t>(row);
      pairs_.ids()[pairs++] = table.row_of(matches[row].ids[0]);
    }
    pairs_.resize(pairs);
    if (row == end) continue;
    for (uint32_t at = 0; at < matches[row].count;) {
      const uint32_t* ids = matches[row].ids + at;
      at += static_cast<uint32_t>(
          add(static_cast<uint32_t>(row), matches[row].count - at, [&](int64_t i) { return table.row_of(ids[i]); }));
    }
    if (keeps_probe_rows_) end_row(static_cast<uint32_t>(row));
    ++row;
  }
}

int64_t JoinOutput::room() {
  if (waiting() >= limit_) flush();
  return limit_ - waiting();
}

void JoinOutput::end_row(uint32_t row) {
  if (!keeps_probe_rows_ || has_match_[row] != 0) return;
  // Without a residual a pair that waits is a match.
  if (residual_ == nullptr && pairs_.count() > 0 && pairs_.rows()[pairs_.count() - 1] == row) return;
  room();
  ends_.push_back({pairs_.count(), row});
}

// Candidates of one row with many.
void JoinOutput::note_one_row() {
  const uint32_t first = pairs_.rows()[0];
  is_one_row_ =
      first == pairs_.rows()[pairs_.count() - 1] &&
      std::all_of(pairs_.rows(), pairs_.rows() + pairs_.count(), [first](uint32_t row) { return row == first; });
}

void JoinOutput::flush() {
  context_.check_cancelled();
  if (waiting() == 0) return;
  if (residual_ != nullptr && pairs_.count() > 0) keep_passing();
  if (keeps_probe_rows_ || decides_) {
    for (int64_t i = 0; i < pairs_.count(); ++i) has_match_[pairs_.rows()[i]] |= 1;
  }
  if (join_.type == JoinType::single) check_single();
  if (marks_build_rows_) {
    for (int64_t i = 0; i < pairs_.count(); ++i) build_.table().mark(pairs_.ids()[i]);
  }
  if (!ends_.empty()) end_rows();
  if (!decides_) give_pairs();
  pairs_.resize(0);
}

// Takes out pairs that the residual refuses.
void JoinOutput::keep_passing() {
  selected_.resize(static_cast<size_t>(pairs_.count()));
  note_one_row();
  const int64_t passing = residual_->select(residual_input(), selected_.data());
  size_t end = 0;  // of ends_
  for (int64_t kept = 0; kept < passing; ++kept) {
    const int64_t at = selected_[static_cast<size_t>(kept)];
    for (; end < ends_.size() && ends_[end].after <= at; ++end) ends_[end].after = kept;
    pairs_.rows()[kept] = pairs_.rows()[at];
    pairs_.ids()[kept] = pairs_.ids()[at];
  }
  for (; end < ends_.size(); ++end) ends_[end].after = passing;
  pairs_.resize(passing);
}

// Puts rows without a match where they ended.
void JoinOutput::end_rows() {
  const int64_t pairs = pairs_.count();
  merged_.resize(waiting());
  int64_t from = 0, to = 0;
  const auto copy_until = [&](int64_t end) {
    for (; from < end; ++from, ++to) {
      merged_.rows()[to] = pairs_.rows()[from];
      merged_.ids()[to] = pairs_.ids()[from];
    }
  };
  for (const auto& [after, row] : ends_) {
    if (has_match_[row] != 0) continue;
    copy_until(after);
    merged_.rows()[to] = row;
    merged_.ids()[to++] = -1;
  }
  copy_until(pairs);
  merged_.resize(to);
  std::swap(pairs_, merged_);
  ends_.clear();
}

// The columns that the residual reads, a row a pair.
Batch JoinOutput::residual_input() {
  Batch input;
  input.rows = pairs_.count();
  input.columns.resize(static_cast<size_t>(columns_.probe_count) + columns_.payload_at.size());
  for (const int32_t column : columns_.residual) input.columns[static_cast<size_t>(column)] = column_of(column);
  return input;
}

ColumnPtr JoinOutput::absent_column(int32_t column, int64_t rows) const {
  const auto& input = plan_->nodes[static_cast<size_t>(plan_->nodes[static_cast<size_t>(node_)].inputs[1])];
  return make_null_column(input.output[static_cast<size_t>(column - columns_.probe_count)].type, rows);
}

ColumnPtr JoinOutput::column_of(int32_t column) {
  Memory& memory = context_.memory();
  const int64_t count = pairs_.count();
  if (column < columns_.probe_count) {
    const auto& from = batch_->columns[static_cast<size_t>(column)];
    if (is_one_row_) return make_constant(from, pairs_.rows()[0], count);
    return gather(memory, from, pairs_.rows(), count);
  }
  const JoinTable& table = build_.table();
  if (table.rows() == 0) return absent_column(column, count);
  const auto place = static_cast<size_t>(columns_.payload_at[static_cast<size_t>(column - columns_.probe_count)]);
  return table.payload().gather_column(memory, place, pairs_.ids(), count);
}

void JoinOutput::check_single() {
  for (int64_t i = 0; i < pairs_.count(); ++i) {
    auto& seen = has_match_[pairs_.rows()[i]];
    if ((seen & 2) != 0) throw several_rows();
    seen |= 2;
  }
}

Error JoinOutput::several_rows() const {
  Error error(ErrorSource::user, ErrorCode::runtime, "a scalar subquery gives more than one row");
  error.with_hint("add LIMIT 1 or an aggregate");
  if (join_.span) error.at(*join_.span);
  return error;
}

void JoinOutput::give_pairs() {
  const int64_t count = pairs_.count();
  if (count == 0) return;
  count_written(count);
  note_one_row();
  bool whole = count == batch_->rows;  // every row once
  for (int64_t i = 0; whole && i < count; ++i) whole = pairs_.rows()[i] == i;
  Batch out;
  out.rows = count;
  for (const int32_t column : join_.keep) {
    out.columns.push_back(whole && column < columns_.probe_count ? batch_->columns[static_cast<size_t>(column)]
                                                                 : column_of(column));
  }
  (*emit_)(std::move(out));
}

void JoinOutput::give(Batch&& out) {
  count_written(out.rows);
  (*emit_)(std::move(out));
}

void JoinOutput::end(Batch&& batch, const ColumnPtr& key) {
  flush();
  if (!decides_) return;
  Batch kept;
  kept.rows = batch.rows;
  for (const int32_t column : join_.keep) kept.columns.push_back(batch.columns[static_cast<size_t>(column)]);
  if (join_.type == JoinType::mark) {
    kept.columns.push_back(mark_column(batch.rows, key));
    return (*emit_)(std::move(kept));
  }
  const uint8_t wanted = join_.type == JoinType::semi ? 1 : 0;
  selected_.clear();
  for (size_t row = 0; row < has_match_.size(); ++row) {
    if (has_match_[row] == wanted) selected_.push_back(static_cast<uint32_t>(row));
  }
  const auto rows = static_cast<int64_t>(selected_.size());
  if (rows == 0) return;
  (*emit_)(rows == kept.rows ? std::move(kept) : gather(context_.memory(), kept, selected_.data(), rows));
}

// true, false, or NULL where a NULL among the keys may be the match.
ColumnPtr JoinOutput::mark_column(int64_t rows, const ColumnPtr& key) {
  const JoinTable& table = build_.table();
  ColumnBuilder out(context_.memory(), make_type(TypeKind::boolean), rows, true);
  for (int64_t row = 0; row < rows; ++row) {
    const bool match = has_match_[static_cast<size_t>(row)] != 0;
    if (match || !join_.null_aware || table.rows() == 0) {
      out.data<uint8_t>()[row] = match ? 1 : 0;
      continue;
    }
    const bool null_key = key->form == Form::constant ? key->null_count > 0 : !key->is_valid(row);
    if (null_key || table.has_null_key()) out.set_null(row);
  }
  return out.finish();
}

}  // namespace quern::cpu
