#include "parquet/output_folder.hpp"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "parquet/output_path.hpp"
#include "parquet/unfinished.hpp"

namespace quern::parquet {

namespace {

void sync_folder(const std::string& folder, const std::string& path) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) throw write_error(path, errno);
  const int code = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  if (code != 0) throw write_error(path, code);
}

}  // namespace

OutputFolder::OutputFolder(const std::string& path) : path_(path), target_(path) {
  while (target_.size() > 1 && target_.back() == '/') target_.pop_back();
  struct stat info{};
  if (::stat(target_.c_str(), &info) == 0) {
    if (!S_ISDIR(info.st_mode)) throw write_error(path, ENOTDIR);
    if (!is_empty_folder(target_)) throw write_error(path, ENOTEMPTY).with_hint("several files go to a new folder");
  }
  const std::string folder = folder_of(target_), name = name_of(target_);
  remove_stale(folder, name);
  temporary_ = temporary_of(folder, name);
  if (::mkdir(temporary_.c_str(), 0777) != 0) {
    const int code = errno;
    temporary_.clear();
    throw write_error(path, code);
  }
  register_unfinished(temporary_);
}

OutputFolder::~OutputFolder() {
  if (temporary_.empty()) return;
  remove_output(temporary_);
  forget_unfinished(temporary_);
}

void OutputFolder::commit() {
  sync_folder(temporary_, path_);
  // Takes the place of an empty folder; one that has been filled meanwhile is left as it is.
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) throw write_error(path_, errno);
  forget_unfinished(temporary_);
  temporary_.clear();
}

}  // namespace quern::parquet
