#include "parquet/leaf_reader.hpp"

#include <algorithm>

namespace quern::parquet {

namespace {

// Entries handled between two looks at cancellation.
constexpr int64_t longest_step = 1 << 20;

}  // namespace

LeafReader::LeafReader(Context& context, FilePtr file, int32_t row_group, LeafPlace place)
    : context_(context), file_(std::move(file)), row_group_(row_group), place_(std::move(place)) {
  chunk_ = file_->chunk(row_group, place_.leaf);
  guarded([&] {
    total_rows_ = rows_left_ = row_group_rows(*file_, row_group);
    pages_ = std::make_unique<PageStream>(context_, *file_, chunk_, place_.max_definition, place_.max_repetition,
                                          PageValues::can_stream(place_.type));
  });
}

std::string LeafReader::where() const {
  std::string where =
      "row group " + std::to_string(row_group_) + ", column " + file_->schema.path(file_->schema.leaves[place_.leaf]);
  if (pages_ && pages_->position() > 0) {
    where += ", page " + std::to_string(std::max<int64_t>(pages_->page_ordinal(), 0)) + " @" +
             std::to_string(pages_->position());
  }
  return where;
}

template <typename Action>
void LeafReader::guarded(Action action) {
  try {
    action();
  } catch (const Error& error) {
    throw file_->locate(error, where());
  }
}

bool LeafReader::more() {
  while (page_left_ == 0) {
    context_.check_cancelled();
    values_.reset();
    values_to_skip_ = 0;
    page_open_ = false;
    if (!pages_->next()) return false;
    page_left_ = pages_->page().entries;
  }
  return true;
}

void LeafReader::open_page() {
  if (page_open_) return;
  int64_t entries = pages_->page().entries;
  repetition_ = LevelCursor(context_.memory(), pages_->repetition_levels(), place_.max_repetition, entries);
  definition_ = LevelCursor(context_.memory(), pages_->definition_levels(), place_.max_definition, entries);
  window_start_ = window_end_ = 0;
  page_open_ = true;
}

PageValues& LeafReader::values() {
  if (!values_) {
    if (!dictionary_ && pages_->dictionary_page()) {
      dictionary_ = read_dictionary(context_.memory(), place_.type, *pages_->dictionary_page());
    }
    if (auto stream = pages_->value_stream()) {
      values_ = std::make_unique<PageValues>(context_.memory(), place_.type, std::move(stream));
    } else {
      BufferPtr owner;
      Bytes bytes = pages_->values(owner);
      const Page& page = pages_->page();
      values_ = std::make_unique<PageValues>(context_.memory(), place_.type, page.header.encoding, bytes,
                                             std::move(owner), page.entries, dictionary_);
    }
  }
  if (values_to_skip_ > 0) {
    values_->skip(values_to_skip_);
    values_to_skip_ = 0;
  }
  return *values_;
}

// The next entries of the page that begin at most `rows_wanted` rows; none when the next one begins a row too many.
LeafReader::Step LeafReader::next_step(int64_t rows_wanted) {
  Step step;
  if (place_.max_repetition == 0) {
    step.entries = step.rows = std::min(rows_wanted, page_left_);
    return step;
  }
  open_page();
  if (place_.max_repetition == 1) return next_starts(rows_wanted);
  if (window_start_ == window_end_) {
    HybridDecoder::Run run = repetition_.peek(page_left_);
    if (run.repeated && run.count >= long_run) {
      step.repetition_level = static_cast<uint8_t>(run.value);
      step.entries = run.value == 0 ? std::min(run.count, rows_wanted) : run.count;
      step.rows = run.value == 0 ? step.entries : 0;
      repetition_.advance(step.entries);
      return step;
    }
    window_start_ = window_end_ = 0;
    // Short runs are gathered; a long one is left for the next step.
    while (window_end_ < std::min(level_window, page_left_)) {
      run = repetition_.peek(std::min(level_window, page_left_) - window_end_);
      if (window_end_ > 0 && run.repeated && run.count >= long_run) break;
      repetition_.read(window_ + window_end_, run.count);
      window_end_ += run.count;
    }
  }
  const uint8_t* levels = window_ + window_start_;
  step.entries = find_zero(levels, window_end_ - window_start_, rows_wanted, step.rows);
  step.repetition = levels;
  window_start_ += step.entries;
  return step;
}

// The same where a level only tells whether a row starts.
LeafReader::Step LeafReader::next_starts(int64_t rows_wanted) {
  if (starts_.empty()) starts_.resize(start_window);
  Step step;
  step.entries = repetition_.take_starts(std::min(page_left_, start_window), rows_wanted, starts_.data(), step.rows);
  step.starts = starts_.data();
  step.repetition_level = step.rows > 0 && starts_[0] == 0 ? 0 : 1;
  return step;
}

template <typename OnRun, typename OnLevels>
void LeafReader::each_definition(int64_t entries, OnRun on_run, OnLevels on_levels) {
  uint8_t levels[level_window];
  while (entries > 0) {
    HybridDecoder::Run run = definition_.peek(std::min(entries, longest_step));
    int64_t count = run.count;
    if (run.repeated && (count == entries || count >= long_run)) {
      if (count == longest_step) context_.check_cancelled();
      definition_.advance(count);
      on_run(static_cast<uint8_t>(run.value), count);
    } else {
      count = std::min(entries, level_window);
      definition_.read(levels, count);
      on_levels(levels, count);
    }
    entries -= count;
  }
}

void LeafReader::take(const Step& step, LeafOutput& output, LevelArray* repetition, LevelArray* definition) {
  open_page();
  if (repetition != nullptr && place_.max_repetition > 0) {
    if (step.starts != nullptr)
      repetition->append_starts(step.starts, step.rows, step.entries);
    else if (step.repetition != nullptr)
      repetition->append(step.repetition, step.entries);
    else
      repetition->append_run(step.repetition_level, step.entries);
  }
  auto most = static_cast<uint8_t>(place_.max_definition);
  auto slot = static_cast<uint8_t>(place_.slot_level);
  each_definition(
      step.entries,
      [&](uint8_t level, int64_t count) {
        if (definition != nullptr) definition->append_run(level, count);
        if (level == most)
          output.add_values(values(), count);
        else if (level >= slot)
          output.add_nulls(count);
      },
      [&](const uint8_t* levels, int64_t count) {
        if (definition != nullptr) definition->append(levels, count);
        uint8_t valid[level_window];
        if (slot == 0) {
          int64_t set = compare_levels(levels, count, most, valid);
          return output.add(values(), valid, count, set);
        }
        int64_t slots = 0, set = 0;
        for (int64_t i = 0; i < count; ++i) {
          valid[slots] = levels[i] == most;
          set += levels[i] == most;
          slots += levels[i] >= slot;
        }
        if (slots > 0) output.add(values(), valid, slots, set);
      });
  page_left_ -= step.entries;
}

void LeafReader::pass(const Step& step) {
  open_page();
  auto most = static_cast<uint8_t>(place_.max_definition);
  each_definition(
      step.entries, [&](uint8_t level, int64_t count) { values_to_skip_ += level == most ? count : 0; },
      [&](const uint8_t* levels, int64_t count) {
        for (int64_t i = 0; i < count; ++i) values_to_skip_ += levels[i] == most;
      });
  page_left_ -= step.entries;
}

// Takes the entries of `rows` rows, step by step.
template <typename OnStep>
void LeafReader::each_step(int64_t rows, OnStep on_step) {
  bool nested = place_.max_repetition > 0;
  int64_t wanted = rows;
  bool first = true;
  while (nested || wanted > 0) {
    if (!more()) break;
    // A page that begins with a row has nothing of the row before it, and others may be reading it.
    if (wanted == 0 && !page_open_ && pages_->peek_repetition_level() == 0) break;
    Step step = next_step(wanted);
    if (step.entries == 0) break;
    if (first) {
      uint8_t level = step.repetition != nullptr ? step.repetition[0] : step.repetition_level;
      if (level != 0) throw corrupt_file("first repetition level of the column chunk is " + std::to_string(level));
      first = false;
    }
    wanted -= step.rows;
    on_step(step);
  }
  if (wanted > 0) {
    throw corrupt_file("column chunk ends after " + std::to_string(total_rows_ - rows_left_ + rows - wanted) +
                       " rows, expected " + std::to_string(total_rows_));
  }
  rows_left_ -= rows;
  if (rows_left_ == 0 && page_left_ > 0) {
    throw corrupt_file("column chunk has more rows than the row group's " + std::to_string(total_rows_));
  }
}

// A flat leaf whose next `rows` rows are one run: a constant column, whatever the run's length.
ColumnPtr LeafReader::try_constant(int64_t rows) {
  if (place_.max_repetition > 0 || place_.keep_levels || !more() || page_left_ < rows) return nullptr;
  open_page();
  bool all_null = false;
  if (place_.max_definition > 0) {
    HybridDecoder::Run run = definition_.peek(rows);
    if (!run.repeated || run.count < rows) return nullptr;
    all_null = run.value < static_cast<uint32_t>(place_.max_definition);
  }
  ColumnPtr column;
  if (all_null) {
    column = make_null_column(place_.type.type, rows);
  } else {
    PageValues& page_values = values();
    if (!page_values.is_dictionary()) return nullptr;
    HybridDecoder::Run run = page_values.peek_codes(rows);
    if (!run.repeated || run.count < rows) return nullptr;
    column = make_constant(page_values.dictionary()->values, run.value, rows);
    page_values.skip(rows);
  }
  definition_.advance(rows);
  page_left_ -= rows;
  rows_left_ -= rows;
  if (rows_left_ == 0 && page_left_ > 0) {
    throw corrupt_file("column chunk has more rows than the row group's " + std::to_string(total_rows_));
  }
  return column;
}

ColumnPtr LeafReader::read(int64_t rows, LevelArray* repetition, LevelArray* definition) {
  ColumnPtr column;
  guarded([&] {
    if (rows > rows_left_) throw internal_error("read past the end of a row group");
    if (rows > 0) column = try_constant(rows);
    if (column) return;
    int64_t expected = rows;
    if (place_.max_repetition > 0 && total_rows_ > 0) {
      // By the chunk's average, with some room; lists may be of any length.
      double each = static_cast<double>(chunk_.value_count) / static_cast<double>(total_rows_);
      expected = static_cast<int64_t>(
          std::min(static_cast<double>(chunk_.value_count), static_cast<double>(rows) * each * 1.1 + 16));
    }
    LeafOutput output(context_.memory(), place_.type, expected, place_.allow_dictionary);
    if (rows > 0) each_step(rows, [&](const Step& step) { take(step, output, repetition, definition); });
    column = output.finish();
  });
  return column;
}

void LeafReader::skip(int64_t rows) {
  guarded([&] {
    if (rows > rows_left_) throw internal_error("skip past the end of a row group");
    skip_rows(rows);
  });
}

void LeafReader::skip_rows(int64_t rows) {
  if (rows == 0) return;
  int64_t target = total_rows_ - rows_left_ + rows;
  // Nothing is read after the last row: what would be passed over need not be looked at.
  if (rows == rows_left_) {
    rows_left_ = page_left_ = 0;
    return;
  }
  if (jump(target)) rows = target - (total_rows_ - rows_left_);
  if (place_.max_repetition > 0) {
    if (rows > 0) each_step(rows, [&](const Step& step) { pass(step); });
    return;
  }
  while (rows > 0) {
    if (!more()) throw corrupt_file("column chunk ends after " + std::to_string(total_rows_ - rows_left_) + " rows");
    int64_t part = std::min(rows, page_left_);
    if (part == page_left_) {
      if (!page_open_) context_.metrics().pages_skipped.fetch_add(1, std::memory_order_relaxed);
      page_left_ = 0;
    } else {
      Step step;
      step.entries = step.rows = part;
      pass(step);
    }
    rows -= part;
    rows_left_ -= part;
  }
}

// Moves to the page of the offset index that holds row `target`, when that lies beyond the page at hand. The page's own
// row count must agree with the index; otherwise the chunk is read from its start without the index.
bool LeafReader::jump(int64_t target) {
  if (target >= total_rows_) return false;
  if (page_left_ > 0 && place_.max_repetition == 0 && total_rows_ - rows_left_ + page_left_ > target) return false;
  if (!index_read_) {
    index_ = load_offset_index(context_, *file_, chunk_, total_rows_);
    index_read_ = true;
  }
  if (index_.empty()) return false;
  auto after = std::upper_bound(index_.begin(), index_.end(), target,
                                [](int64_t row, const PageLocation& page) { return row < page.first_row; });
  int64_t ordinal = after - index_.begin() - 1;
  // The first page header is always read: a dictionary page may stand before it. Of the page itself no more is wanted.
  if (pages_->page_ordinal() < 0) {
    pages_->expect_up_to(index_.front().offset);
    if (!more()) return false;
  }
  int64_t now = pages_->page_ordinal();
  if (ordinal <= now + (page_left_ > 0 ? 0 : 1)) return false;
  const PageLocation& location = index_[static_cast<size_t>(ordinal)];
  int64_t rows_of_page = (after == index_.end() ? total_rows_ : after->first_row) - location.first_row;
  bool agrees = true;
  int64_t back_to = total_rows_ - rows_left_;
  int64_t unread = page_left_ > 0 && !page_open_ ? 1 : 0;
  try {
    page_left_ = 0;
    pages_->jump(location, ordinal, static_cast<int64_t>(index_.size()));
    agrees = more() && pages_->page().offset == location.offset && pages_->page_ordinal() == ordinal &&
             page_rows() == rows_of_page;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::corrupt_file) throw;
    agrees = false;
  }
  if (agrees) {
    context_.metrics().pages_skipped.fetch_add(ordinal - now - 1 + unread, std::memory_order_relaxed);
    rows_left_ = total_rows_ - location.first_row;
    return true;
  }
  index_.clear();
  page_left_ = 0;
  window_start_ = window_end_ = 0;
  pages_->restart();
  rows_left_ = total_rows_;
  skip_rows(back_to);
  return true;
}

// Rows that begin on the page at hand, which must begin with one; -1 when it does not.
int64_t LeafReader::page_rows() {
  const Page& page = pages_->page();
  if (place_.max_repetition == 0) return page.entries;
  LevelCursor levels(context_.memory(), pages_->repetition_levels(), place_.max_repetition, page.entries);
  int64_t rows = 0;
  for (int64_t left = page.entries; left > 0;) {
    HybridDecoder::Run run = levels.peek(left);
    int64_t count = run.count;
    if (run.repeated) {
      if (left == page.entries && run.value != 0) return -1;
      rows += run.value == 0 ? count : 0;
      levels.advance(count);
    } else {
      count = std::min(count, level_window);
      uint8_t part[level_window];
      levels.read(part, count);
      if (left == page.entries && part[0] != 0) return -1;
      rows += count_zeros(part, count);
    }
    left -= count;
  }
  return rows;
}

}  // namespace quern::parquet
