#include "parquet/output_folder.hpp"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "parquet/output_path.hpp"
#include "parquet/unfinished.hpp"

namespace quern::parquet {

namespace {

void make_folder(const std::string& folder, const std::string& path) {
  if (::mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST) throw write_error(path, errno);
}

bool is_folder(const std::string& path) {
  struct stat info{};
  return ::lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

void sync_folder(const std::string& folder, const std::string& path) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) throw write_error(path, errno);
  const int code = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  if (code != 0) throw write_error(path, code);
}

void sync_folders(const std::string& folder, const std::string& path) {
  for_each_name(folder, [&](const std::string& name) {
    const std::string inner = folder + "/" + name;
    if (is_folder(inner)) sync_folders(inner, path);
  });
  sync_folder(folder, path);
}

// Moves every file of `from` to its place in `to`.
void merge_folders(const std::string& from, const std::string& to, const std::string& path) {
  make_folder(to, path);
  for_each_name(from, [&](const std::string& name) {
    const std::string source = from + "/" + name, place = to + "/" + name;
    if (is_folder(source)) return merge_folders(source, place, path);
    if (::rename(source.c_str(), place.c_str()) != 0) throw write_error(path, errno);
  });
  sync_folder(to, path);
}

}  // namespace

OutputFolder::OutputFolder(const std::string& path, PresentFiles present)
    : path_(path), target_(path), present_(present) {
  while (target_.size() > 1 && target_.back() == '/') target_.pop_back();
  struct stat info{};
  if (::stat(target_.c_str(), &info) == 0) {
    if (!S_ISDIR(info.st_mode)) throw write_error(path, ENOTDIR);
    if (present == PresentFiles::refuse && !is_empty_folder(target_))
      throw write_error(path, ENOTEMPTY).with_hint("OVERWRITE or OVERWRITE_OR_IGNORE replaces files that are there");
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

std::string OutputFolder::file(const std::string& folder, const std::string& name) const {
  std::string inner = temporary_;
  for (size_t start = 0; start < folder.size();) {
    const size_t slash = std::min(folder.find('/', start), folder.size());
    inner += "/" + folder.substr(start, slash - start);
    make_folder(inner, path_);
    start = slash + 1;
  }
  return inner + "/" + name;
}

void OutputFolder::commit() {
  sync_folders(temporary_, path_);
  // Takes the place of an empty folder, or of none.
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
    if (present_ == PresentFiles::refuse || (errno != ENOTEMPTY && errno != EEXIST)) throw write_error(path_, errno);
    if (present_ == PresentFiles::replace) {
      // What was there is removed under the temporary name.
      if (::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) != 0)
        throw write_error(path_, errno);
    } else {
      merge_folders(temporary_, target_, path_);
    }
    remove_output(temporary_);
  }
  forget_unfinished(temporary_);
  temporary_.clear();
}

}  // namespace quern::parquet
