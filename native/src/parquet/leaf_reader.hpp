// Reads rows of one leaf column of one row group: level entries into level arrays, values into a column of leaf slots.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "columnar/column.hpp"
#include "parquet/leaf_output.hpp"
#include "parquet/levels.hpp"
#include "parquet/page_index.hpp"
#include "parquet/values.hpp"

namespace quern::parquet {

// Where a leaf stands in its field.
struct LeafPlace {
  int32_t leaf = 0;
  LeafType type;
  int max_definition = 0, max_repetition = 0;
  // Entries below hold no slot of this leaf: a null or empty list stands there.
  int slot_level = 0;
  bool nullable = false;          // the slot may be null: some level between slot_level and max_definition
  bool keep_levels = false;       // the field has structure to assemble
  bool allow_dictionary = false;  // codes may be delivered
};

class LeafReader {
 public:
  LeafReader(Context& context, FilePtr file, int32_t row_group, LeafPlace place);

  // The next `rows` rows (which must exist): their slots as a column. With keep_levels, levels are appended to the
  // arrays.
  ColumnPtr read(int64_t rows, LevelArray* repetition, LevelArray* definition);
  void skip(int64_t rows);
  int64_t rows_left() const { return rows_left_; }

 private:
  // Entries of one page that are handled alike.
  struct Step {
    int64_t entries = 0;
    int64_t rows = 0;                     // row starts among them
    const uint8_t* repetition = nullptr;  // null: all are repetition_level
    uint8_t repetition_level = 0;
    const uint32_t* starts = nullptr;  // of a leaf in one list: positions of the row starts, in place of the levels
  };

  // Runs `action`, giving errors about the file's content their place.
  template <typename Action>
  void guarded(Action action);
  std::string where() const;
  // Moves on to a page with entries left; false at the end of the chunk. Its body is not read yet.
  bool more();
  // Makes the level cursors of the page at hand.
  void open_page();
  PageValues& values();
  Step next_step(int64_t rows_wanted);
  Step next_starts(int64_t rows_wanted);
  template <typename OnStep>
  void each_step(int64_t rows, OnStep on_step);
  // Calls on_run(level, count) and on_levels(levels, count) for the next definition levels, in order.
  template <typename OnRun, typename OnLevels>
  void each_definition(int64_t entries, OnRun on_run, OnLevels on_levels);
  void take(const Step& step, LeafOutput& output, LevelArray* repetition, LevelArray* definition);
  void pass(const Step& step);
  ColumnPtr try_constant(int64_t rows);
  void skip_rows(int64_t rows);
  bool jump(int64_t target);
  int64_t page_rows();

  Context& context_;
  FilePtr file_;
  int32_t row_group_;
  LeafPlace place_;
  ColumnChunk chunk_;
  int64_t total_rows_ = 0;
  int64_t rows_left_ = 0;  // not read nor skipped
  std::unique_ptr<PageStream> pages_;
  bool page_open_ = false;
  int64_t page_left_ = 0;  // entries of the page not taken
  LevelCursor repetition_, definition_;
  std::unique_ptr<PageValues> values_;
  int64_t values_to_skip_ = 0;
  std::shared_ptr<const Dictionary> dictionary_;
  std::vector<uint32_t> starts_;  // of the step at hand, with room for start_window
  // Repetition levels that were decoded but not taken.
  uint8_t window_[level_window];
  int64_t window_start_ = 0, window_end_ = 0;
  bool index_read_ = false;
  std::vector<PageLocation> index_;  // empty: none, or not to be trusted
};

}  // namespace quern::parquet
