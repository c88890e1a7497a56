// One file of a scan, whatever its format: groups of rows (row groups, record batches) and streams of their columns.
#pragma once
#include "cpu/file_cache.hpp"
#include "plan/plan.hpp"

namespace quern::cpu {

// What the scan needs to know of a file for as long as it runs; the file itself may be closed and opened again.
struct FileLayout {
  std::string path;
  std::vector<int64_t> group_rows;
  int64_t first_row = 0;        // of the file among the rows of all files
  std::vector<int32_t> fields;  // a scan column: index of the file's field; -1 = none (virtual, or absent: NULL)
  std::vector<TypePtr> types;   // of those fields in the file
};

class ScanFile {
 public:
  virtual ~ScanFile() = default;
  virtual std::unique_ptr<parquet::FieldReader> stream(Context& context, int32_t group, int32_t field) const = 0;
  // How a field of a group is stored.
  struct Storage {
    int64_t row_bytes = 1;    // of a row, about
    bool page_index = false;  // pages can be found by row
  };
  virtual Storage storage(int32_t /*group*/, int32_t /*field*/) const { return {}; }
  // First rows of the pages of a field; empty where they cannot be found by row.
  virtual std::vector<int64_t> page_starts(Context& /*context*/, int32_t /*group*/, int32_t /*field*/) const {
    return {};
  }
  // nullptr: a format without statistics.
  virtual const parquet::File* parquet() const { return nullptr; }
};

parquet::ReadOptions read_options(const plan::Scan& scan);
std::unique_ptr<ScanFile> open_scan_file(FileCache& files, const plan::Scan& scan, const std::string& path);
// Opens the file and finds the scan's columns in it. Throws for a column that is absent or cannot be read.
FileLayout read_layout(FileCache& files, const plan::Scan& scan, const std::string& path);

}  // namespace quern::cpu
