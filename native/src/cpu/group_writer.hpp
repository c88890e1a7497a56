// Row groups and files of one thread, or of one part of the rows.
#pragma once
#include "cpu/group_cutter.hpp"
#include "cpu/write_files.hpp"

namespace quern::cpu {

// Used by one thread at a time.
class GroupWriter {
 public:
  // `folder`: as for FileSequence.
  GroupWriter(Context& context, WriteFiles& files, std::string folder = {})
      : context_(context), files_(files), sequence_(files, std::move(folder)), cutter_(files.options()) {}

  void add(parquet::Shred&& shred);
  // Ends the row group at hand.
  void flush();
  // Ends the file at hand.
  void close() { sequence_.finish(); }
  void finish();
  int64_t rows() const { return rows_; }
  // Bytes of shreds that are not written yet.
  int64_t held() const { return held_; }

 private:
  void write_groups();

  Context& context_;
  WriteFiles& files_;
  FileSequence sequence_;
  GroupCutter cutter_;
  int64_t rows_ = 0;
  int64_t held_ = 0;
};

}  // namespace quern::cpu
