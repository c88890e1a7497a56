// A field of a file on its way into a scan column: rows in ascending order, cast where the file stores another type.
#pragma once
#include <optional>

#include "cpu/column_cast.hpp"
#include "cpu/shared_group.hpp"

namespace quern::cpu {

class FieldStream {
 public:
  // Reads for itself.
  FieldStream(Context& context, const ScanFile& file, int32_t group, int32_t field, const TypePtr& from,
              const TypePtr& to);
  // Takes one window of a group that several threads read. `column` of the scan.
  FieldStream(Context& context, SharedGroup& shared, int64_t window, size_t column, const TypePtr& from,
              const TypePtr& to);

  // Rows [start, start + rows) of the group; never before an earlier call's end.
  ColumnPtr read(int64_t start, int64_t rows);
  // Rows at `base` + rows[0..count), ascending.
  ColumnPtr read_rows(int64_t base, const uint32_t* rows, int64_t count);
  // Rows that one vector may have: few at first where nothing is known, then growing, for the next rows may be wider.
  int64_t vector_rows() const;
  // Fetches the window if no other thread has the column at the moment; true when it is there.
  bool try_fetch();
  void fetch();

 private:
  FieldStream(Context& context, const TypePtr& from, const TypePtr& to);
  ColumnPtr take(int64_t start, int64_t rows);
  bool is_wide() const;

  Context& context_;
  std::optional<ColumnCast> cast_;
  // One of the two: a stream of its own, or a window of a shared group.
  const ScanFile* file_ = nullptr;
  int32_t group_ = 0;
  int32_t field_ = 0;
  std::unique_ptr<parquet::FieldReader> stream_;
  SharedGroup* shared_ = nullptr;
  int64_t window_ = 0;
  size_t column_ = 0;
  ColumnPtr rows_of_window_;
  int64_t at_ = 0;
  int64_t row_bytes_ = 0;  // of a row, as last seen; 0 = not known
  int64_t last_rows_ = 0;  // of the last read; 0 for fixed widths
};

}  // namespace quern::cpu
