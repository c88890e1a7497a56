// A file that appears under its name only when it is complete.
#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace quern::parquet {

// Written as `.NAME.PID.tmp` beside the target and renamed by commit(); without commit it is removed. What a killed
// process left beside the target is removed as well. A target that is no regular file (a pipe, a device) is written
// itself. Errors: permission, disk_full, io.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::span<const uint8_t> bytes);
  int64_t position() const { return position_; }
  void commit();

 private:
  std::string path_;       // the user's, for messages
  std::string target_;     // symbolic links resolved
  std::string temporary_;  // empty when the target itself is written
  int descriptor_ = -1;
  int64_t position_ = 0;
};

}  // namespace quern::parquet
