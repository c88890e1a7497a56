#include "cpu/scan_reader.hpp"

#include <algorithm>
#include <numeric>

#include "cpu/column_cast.hpp"
#include "cpu/expression.hpp"
#include "cpu/field_stream.hpp"
#include "cpu/scan_constants.hpp"

namespace quern::cpu {

namespace {

class ScanReader : public Reader {
 public:
  ScanReader(const ScanSetup& setup, const FileLayout& layout, const ScanMorsel& morsel,
             std::shared_ptr<DividedGroup> divided)
      : context_(setup.context),
        setup_(setup),
        layout_(layout),
        morsel_(morsel),
        divided_(std::move(divided)),
        shared_(divided_ ? divided_->shared.get() : nullptr) {
    if (!shared_) file_ = open_scan_file(setup.files, setup.scan, layout.path);
    const ScanFile& file = shared_ ? shared_->file() : *file_;
    const auto& scan = setup.scan;
    left_ = scan.limit.value_or(INT64_MAX);
    constants_ = scan_constants(context_, scan, layout);
    select(file);
    if (ranges_.empty()) return;
    if (!scan.filter.empty()) predicate_.emplace(context_, setup.plan, scan.filter);
    for (const auto& key : setup.keys) {
      if (!key.tests_rows()) continue;
      key_tests_.push_back({key, KeyEncoder(context_.memory(), key.filter->layout()), {}});
      const auto& type = scan.columns[static_cast<size_t>(key.column)].type;
      if (key.is_wider) key_tests_.back().widen.emplace(context_, type, key.filter->type());
    }
    for (size_t i = 0; i < scan.columns.size(); ++i) {
      streams_.emplace_back();
      if (layout.fields[i] < 0) continue;
      const auto& from = layout.types[i];
      const auto& to = scan.columns[i].type;
      streams_.back() = shared_
                            ? std::make_unique<FieldStream>(context_, *shared_, morsel.window, i, from, to)
                            : std::make_unique<FieldStream>(context_, file, morsel.group, layout.fields[i], from, to);
    }
    row_ = ranges_[0].start;
    if (shared_) fetch_window();
  }

  ~ScanReader() override {
    if (shared_) shared_->release(morsel_.window);
  }

  bool next(Batch& batch) override {
    for (;;) {
      if (left_ == 0) return false;
      if (pending_at_ < pending_rows()) {
        emit(batch);
        return true;
      }
      if (!read_pending()) return false;
      context_.check_cancelled();
    }
  }

 private:
  // Every column that all rows need, whichever is free first: two threads decode different columns at a time.
  void fetch_window() {
    std::vector<FieldStream*> wanted;
    for (size_t i = 0; i < streams_.size(); ++i) {
      if (streams_[i] && (!filters() || is_filter_column(i))) wanted.push_back(streams_[i].get());
    }
    if (wanted.empty()) return;
    const auto first = static_cast<int64_t>(wanted.size()) * (morsel_.window % context_.settings().threads) /
                       context_.settings().threads;
    std::rotate(wanted.begin(), wanted.begin() + first, wanted.end());
    while (!wanted.empty()) {
      if (std::erase_if(wanted, [](FieldStream* stream) { return stream->try_fetch(); }) > 0) continue;
      wanted.front()->fetch();
    }
  }

  bool is_filter_column(size_t column) const {
    return std::binary_search(setup_.filter_columns.begin(), setup_.filter_columns.end(), static_cast<int32_t>(column));
  }

  // Rows of the morsel that statistics leave. A group is counted once, by its first morsel.
  void select(const ScanFile& file) {
    const ScanFilter filter{*setup_.plan,    setup_.scan, setup_.keys,
                            setup_.counters, layout_,     layout_.first_row + morsel_.group_start,
                            constants_};
    const auto select = [&] { return select_ranges(context_, filter, file.parquet(), morsel_.group); };
    const auto of_group = divided_ ? divided_->selection.ranges(select) : select();
    ranges_ = clip(of_group, morsel_.start, morsel_.end);
    auto& metrics = context_.metrics();
    const bool skipped = of_group.empty() && morsel_.end > 0;
    if (morsel_.start == 0) ++(skipped ? metrics.row_groups_skipped : metrics.row_groups_read);
  }

  int64_t step(bool filter_only) const {
    int64_t rows = context_.settings().batch_rows;
    for (size_t i = 0; i < streams_.size(); ++i) {
      if (streams_[i] && (!filter_only || is_filter_column(i))) rows = std::min(rows, streams_[i]->vector_rows());
    }
    return rows;
  }

  // The next rows, with their filter columns and which of them pass.
  bool read_pending() {
    while (range_ < ranges_.size() && row_ >= ranges_[range_].end) {
      if (++range_ < ranges_.size()) row_ = ranges_[range_].start;
    }
    if (range_ >= ranges_.size()) return false;
    base_ = row_;
    const int64_t rows = std::min(step(filters()), ranges_[range_].end - row_);
    row_ += rows;
    read_.rows = rows;
    pending_at_ = 0;
    all_pass_ = !filters();
    if (all_pass_) return true;
    read_.columns.clear();
    for (size_t i = 0; i < setup_.scan.columns.size(); ++i) {
      read_.columns.push_back(is_filter_column(i) ? column(i, rows)
                                                  : make_null_column(setup_.scan.columns[i].type, rows));
    }
    selected_.resize(static_cast<size_t>(rows));
    int64_t count = rows;
    if (predicate_)
      count = predicate_->select(read_, selected_.data());
    else
      std::iota(selected_.begin(), selected_.end(), 0U);
    for (auto& test : key_tests_) count = keep_keys(test, count);
    selected_.resize(static_cast<size_t>(count));
    all_pass_ = static_cast<int64_t>(selected_.size()) == rows;
    return true;
  }

  // Rows are read in two steps: what filters look at, then the rest.
  bool filters() const { return predicate_ || !key_tests_.empty(); }

  struct KeyTest {
    ScanKeyFilter key;
    KeyEncoder encoder;
    std::optional<ColumnCast> widen;  // to the type of the keys
  };

  // Takes rows out of selected_ that no key can equal.
  int64_t keep_keys(KeyTest& test, int64_t count) {
    if (count == 0 || test.key.use->is_stopped()) return count;
    const auto& stored = read_.columns[static_cast<size_t>(test.key.column)];
    const auto column = test.widen ? test.widen->cast(stored) : stored;
    const int64_t kept = test.key.filter->select(context_.memory(), column, test.encoder, selected_.data(), count);
    if (test.key.use->add(count, kept)) setup_.counters.stopped_filters.fetch_add(1, std::memory_order_relaxed);
    setup_.counters.filtered_rows.fetch_add(count - kept, std::memory_order_relaxed);
    return kept;
  }

  int64_t pending_rows() const { return all_pass_ ? read_.rows : static_cast<int64_t>(selected_.size()); }

  // Passing rows from pending_at_ on, as many as the widest column allows in one vector.
  void emit(Batch& batch) {
    const int64_t count = std::min({left_, pending_rows() - pending_at_, step(false)});
    const bool whole = all_pass_ && count == read_.rows;
    batch.rows = count;
    batch.columns.clear();
    for (size_t i = 0; i < setup_.scan.columns.size(); ++i) {
      if (filters() && is_filter_column(i))
        batch.columns.push_back(whole ? read_.columns[i] : part(read_.columns[i], count));
      else
        batch.columns.push_back(column_part(i, count));
    }
    pending_at_ += count;
    left_ -= count;
  }

  ColumnPtr part(const ColumnPtr& column, int64_t count) const {
    if (all_pass_) return slice(context_.memory(), column, pending_at_, count);
    return gather(context_.memory(), column, selected_.data() + pending_at_, count);
  }

  // Rows [base_, base_ + rows) of a column.
  ColumnPtr column(size_t i, int64_t rows) {
    if (constants_[i]) return make_constant(constants_[i], 0, rows);
    if (streams_[i]) return streams_[i]->read(base_, rows);
    return row_numbers(i, [](int64_t row) { return row; }, base_, rows);
  }

  ColumnPtr column_part(size_t i, int64_t count) {
    if (constants_[i]) return make_constant(constants_[i], 0, count);
    if (all_pass_) {
      if (streams_[i]) return streams_[i]->read(base_ + pending_at_, count);
      return row_numbers(i, [](int64_t row) { return row; }, base_ + pending_at_, count);
    }
    const uint32_t* rows = selected_.data() + pending_at_;
    if (streams_[i]) return streams_[i]->read_rows(base_, rows, count);
    return row_numbers(i, [rows](int64_t row) { return static_cast<int64_t>(rows[row]); }, base_, count);
  }

  // Numbers of rows start + at(i) of the group, in the file or in all files.
  template <typename At>
  ColumnPtr row_numbers(size_t column, At&& at, int64_t start, int64_t count) const {
    const bool of_all = setup_.scan.columns[column].source == plan::ColumnSource::row_number;
    const int64_t first = morsel_.group_start + start + (of_all ? layout_.first_row : 0);
    ColumnBuilder builder(context_.memory(), make_type(TypeKind::int64), count);
    for (int64_t i = 0; i < count; ++i) builder.template data<int64_t>()[i] = first + at(i);
    return builder.finish();
  }

  Context& context_;
  const ScanSetup& setup_;
  const FileLayout& layout_;
  ScanMorsel morsel_;
  std::shared_ptr<DividedGroup> divided_;
  SharedGroup* shared_;  // of divided_; null = the file is the reader's own
  std::unique_ptr<ScanFile> file_;
  std::vector<ColumnPtr> constants_;
  std::vector<parquet::RowRange> ranges_;
  std::vector<std::unique_ptr<FieldStream>> streams_;  // null for columns that no field fills
  std::optional<Predicate> predicate_;
  std::vector<KeyTest> key_tests_;
  size_t range_ = 0;
  int64_t row_ = 0;  // next row of the group to be looked at
  int64_t left_ = 0;
  // Rows that were looked at and not given yet: read_.rows rows from base_, those in selected_ unless all pass.
  Batch read_;
  int64_t base_ = 0;
  bool all_pass_ = true;
  std::vector<uint32_t> selected_;
  int64_t pending_at_ = 0;
};

}  // namespace

std::unique_ptr<Reader> make_scan_reader(const ScanSetup& setup, const FileLayout& layout, const ScanMorsel& morsel,
                                         std::shared_ptr<DividedGroup> divided) {
  return std::make_unique<ScanReader>(setup, layout, morsel, std::move(divided));
}

}  // namespace quern::cpu
