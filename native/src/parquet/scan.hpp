// Reading Parquet as columns: what the scan operator (cpu/scan.cpp) and `describe` need.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "columnar/column.hpp"
#include "context/context.hpp"

namespace quern::parquet {

// A parsed, checked footer with its open file. Immutable, shared, cached by the engine by (path, size, mtime).
class File;
using FilePtr = std::shared_ptr<const File>;

// Throws io (absent, unreadable), corrupt_file "PATH: what" or unsupported.
FilePtr open(Memory& memory, const std::string& path);

// Options that change the types a file's columns have.
struct ReadOptions {
  bool binary_as_string = false;
  std::vector<std::string> bfloat16;
};

struct FieldInfo {
  std::string name;
  TypePtr type;  // nullptr when unsupported: `reason` says why, and reading it throws
  std::string reason;
};

int64_t row_count(const File& file);
int32_t row_group_count(const File& file);
int64_t row_group_rows(const File& file, int32_t row_group);
std::vector<FieldInfo> fields(const File& file, const ReadOptions& options);

// Bounds of one top-level flat column in one row group (or page), only when statistics are safe to use (parquet.md §2).
struct Bounds {
  ColumnPtr min, max;  // one-row columns of the field's type; null when unknown
  bool min_exact = false, max_exact = false;
  std::optional<int64_t> null_count;
  bool may_hold_nan = false;  // floats: NaN may be present beyond the bounds
};
std::optional<Bounds> row_group_bounds(const File& file, int32_t row_group, int32_t field, const ReadOptions& options);

// Entries of the dictionary of one top-level flat column in one row group: a lower bound of its distinct values.
// Reads the first bytes of the chunk. Empty: there is no dictionary, or it cannot be read.
std::optional<int64_t> dictionary_entries(Context& context, const File& file, int32_t row_group, int32_t field,
                                          const ReadOptions& options);

// Ranges of rows of a row group, ascending, disjoint, not empty.
struct RowRange {
  int64_t start, end;
};

// Per page of a flat column, where a column index and offset index exist and agree: rows and bounds. Empty otherwise.
struct PageBounds {
  RowRange rows;
  Bounds bounds;
  bool all_null = false;
};
std::vector<PageBounds> page_bounds(Context& context, const File& file, int32_t row_group, int32_t field,
                                    const ReadOptions& options);

// First rows of the pages of a field (of its first leaf), ascending from 0. Empty where there is no offset index.
std::vector<int64_t> page_starts(Context& context, const File& file, int32_t row_group, int32_t field,
                                 const ReadOptions& options);

// False only when the bloom filter of the column proves that `value` (one-row column of the field's type) is absent.
bool bloom_may_contain(Context& context, const File& file, int32_t row_group, int32_t field, const ColumnPtr& value);

// Decodes the rows `ranges` of one top-level field of one row group into one column (flat or dictionary form; list and
// struct children flat). Reads only the pages that hold those rows where an offset index exists, else the chunk once.
// `ranges` = nullptr: all rows. Charges metrics (bytes_read, pages_read, pages_skipped).
ColumnPtr read_field(Context& context, const File& file, int32_t row_group, int32_t field, const ReadOptions& options,
                     const std::vector<RowRange>* ranges);

// As a stream, for batches bounded in rows and bytes: `read(n)` decodes the next at most n rows; skip(n) drops rows
// (whole pages unread where an offset index allows).
class FieldReader {
 public:
  virtual ~FieldReader() = default;
  virtual ColumnPtr read(int64_t rows) = 0;
  virtual void skip(int64_t rows) = 0;
};
std::unique_ptr<FieldReader> make_field_reader(Context& context, FilePtr file, int32_t row_group, int32_t field,
                                               const ReadOptions& options);

// JSON for `inspect`, `describe`: schema tree, row groups, encodings, sizes, statistics, page counts. Footers only,
// except when `scan_levels` asks to count list leaves exactly.
std::string inspect_json(Context& context, const File& file, bool scan_levels);

}  // namespace quern::parquet
