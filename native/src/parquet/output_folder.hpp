// A folder of files that appears under its name only when all of them are complete.
#pragma once
#include <cstdint>
#include <string>

namespace quern::parquet {

// What becomes of the files of a folder that is there: an error, all go, those of the same names go.
enum class PresentFiles : uint8_t { refuse, replace, merge };

// Made as `.NAME.PID.tmp` beside the target and renamed by commit(); without commit it is removed. What stands at the
// target and is no folder is an error. Merged files are put into the target's folders one by one, the others
// appear at once. Errors: permission, disk_full, io.
class OutputFolder {
 public:
  OutputFolder(const std::string& path, PresentFiles present);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  // Where the file of this name is to be written; `folder` is one inside, such as `a=1/b=2`, or empty. Any thread.
  std::string file(const std::string& folder, const std::string& name) const;
  void commit();

 private:
  std::string path_;    // the user's, for messages
  std::string target_;  // without a slash at the end
  PresentFiles present_;
  std::string temporary_;  // empty once renamed
};

}  // namespace quern::parquet
