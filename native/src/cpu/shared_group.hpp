// One row group read by several threads: its columns are decoded window after window, each by whichever thread comes
// first, so that nothing is decoded twice and columns are decoded side by side.
#pragma once
#include <map>
#include <mutex>
#include <set>

#include "cpu/scan_file.hpp"

namespace quern::cpu {

class SharedGroup {
 public:
  // `fields`: of the file, by scan column; -1 = not read.
  SharedGroup(Context& context, std::unique_ptr<ScanFile> file, int32_t group, const std::vector<int32_t>& fields,
              int64_t rows, int64_t window_rows);

  int64_t windows() const { return windows_; }
  int64_t window_start(int64_t window) const { return window * window_rows_; }
  int64_t window_end(int64_t window) const { return std::min(rows_, (window + 1) * window_rows_); }
  const ScanFile& file() const { return *file_; }

  // A column's rows of a window. Decodes the windows before it as well, for the threads that will ask for them.
  ColumnPtr window(size_t column, int64_t window);
  // The same, or nullptr where another thread has the column.
  ColumnPtr try_window(size_t column, int64_t window);
  // Nobody asks for the window again.
  void release(int64_t window);

 private:
  // One column's place in the group. `failed`: a read threw; what it would give next is unknown.
  struct Cursor {
    std::mutex mutex;
    std::unique_ptr<parquet::FieldReader> stream;
    int64_t next = 0;
    std::map<int64_t, ColumnPtr> ready;
    std::set<int64_t> passed;  // released before they were decoded
    bool failed = false;
  };

  ColumnPtr advance(Cursor& cursor, size_t column, int64_t window);

  Context& context_;
  std::unique_ptr<ScanFile> file_;
  int32_t group_;
  std::vector<int32_t> fields_;
  int64_t rows_;
  int64_t window_rows_;
  int64_t windows_;
  std::vector<std::unique_ptr<Cursor>> cursors_;  // null where no field is read
};

}  // namespace quern::cpu
