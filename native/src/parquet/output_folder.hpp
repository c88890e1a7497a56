// A folder of files that appears under its name only when all of them are complete.
#pragma once
#include <string>

namespace quern::parquet {

// Made as `.NAME.PID.tmp` beside the target and renamed by commit(); without commit it is removed. The target may be an
// empty folder; anything else that stands there is an error. Errors: permission, disk_full, io.
class OutputFolder {
 public:
  explicit OutputFolder(const std::string& path);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  // Where the file of this name is to be written.
  std::string file(const std::string& name) const { return temporary_ + "/" + name; }
  void commit();

 private:
  std::string path_;       // the user's, for messages
  std::string target_;     // without a slash at the end
  std::string temporary_;  // empty once renamed
};

}  // namespace quern::parquet
