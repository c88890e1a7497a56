#include "parquet/output_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>

#include "common/error.hpp"

namespace quern::parquet {

namespace {

// The words of the command line's own file errors (src/cli/io_error.ts).
Error write_error(const std::string& path, int code) {
  const auto make = [&](ErrorSource source, ErrorCode kind, const std::string& words) {
    return Error(source, kind, "cannot write: " + words + ": " + path);
  };
  switch (code) {
    case EACCES:
      return make(ErrorSource::resource, ErrorCode::permission, "permission denied");
    case EPERM:
      return make(ErrorSource::resource, ErrorCode::permission, "operation not permitted");
    case EROFS:
      return make(ErrorSource::resource, ErrorCode::permission, "read-only file system");
    case ENOSPC:
      return make(ErrorSource::resource, ErrorCode::disk_full, "no space left on device");
    case EDQUOT:
      return make(ErrorSource::resource, ErrorCode::disk_full, "disk quota exceeded");
    case EFBIG:
      return make(ErrorSource::resource, ErrorCode::disk_full, "file too large");
    case ENOENT:
      return make(ErrorSource::io, ErrorCode::io, "no such file or directory");
    case EISDIR:
      return make(ErrorSource::io, ErrorCode::io, "is a directory");
    case EEXIST:
      return make(ErrorSource::io, ErrorCode::io, "it is being written by another statement");
    default:
      return make(ErrorSource::io, ErrorCode::io, std::strerror(code));
  }
}

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// Removes what processes that are gone have left of this target.
void remove_stale(const std::string& folder, const std::string& name) {
  struct Close {
    void operator()(DIR* open) const { ::closedir(open); }
  };
  const std::unique_ptr<DIR, Close> open(::opendir(folder.c_str()));
  if (!open) return;  // a folder that may be written but not listed shows nothing to remove
  const std::string start = "." + name + ".";
  while (const dirent* entry = ::readdir(open.get())) {
    const std::string found = entry->d_name;
    if (!found.starts_with(start) || !found.ends_with(".tmp") || found.size() <= start.size() + 4) continue;
    const char* end = found.data() + found.size() - 4;
    pid_t process = 0;
    const auto [stop, error] = std::from_chars(found.data() + start.size(), end, process);
    if (error != std::errc() || stop != end || process <= 0) continue;
    if (::kill(process, 0) != 0 && errno == ESRCH) ::unlink((folder + "/" + found).c_str());
  }
}

// Never destroyed: a process may end while threads still write.
struct Unfinished {
  std::mutex mutex;
  std::set<std::string> paths;
};

Unfinished& unfinished() {
  static auto* files = new Unfinished;
  return *files;
}

void forget(const std::string& path) {
  std::lock_guard lock(unfinished().mutex);
  unfinished().paths.erase(path);
}

}  // namespace

void discard_unfinished_files() {
  std::lock_guard lock(unfinished().mutex);
  for (const auto& path : unfinished().paths) ::unlink(path.c_str());
}

OutputFile::OutputFile(const std::string& path) : path_(path), target_(path) {
  struct stat info{};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) throw write_error(path, EISDIR);
  if (exists && !S_ISREG(info.st_mode)) {
    descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) throw write_error(path, errno);
    return;
  }
  if (exists) {
    char resolved[PATH_MAX];
    if (::realpath(path.c_str(), resolved) == nullptr) throw write_error(path, errno);
    target_ = resolved;
  }
  const std::string folder = folder_of(target_), name = name_of(target_);
  if (name.empty()) throw write_error(path, EISDIR);
  remove_stale(folder, name);
  temporary_ = folder + "/." + name + "." + std::to_string(::getpid()) + ".tmp";
  const mode_t mode = exists ? info.st_mode & 0777 : 0666;
  descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (descriptor_ < 0) {
    const int code = errno;
    temporary_.clear();
    throw write_error(path, code);
  }
  std::lock_guard lock(unfinished().mutex);
  unfinished().paths.insert(temporary_);
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (temporary_.empty()) return;
  ::unlink(temporary_.c_str());
  forget(temporary_);
}

void OutputFile::write(std::span<const uint8_t> bytes) {
  // Linux writes at most 2^31 - 4096 bytes a call.
  constexpr size_t most = 1 << 30;
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), std::min(bytes.size(), most));
    if (written < 0) {
      if (errno == EINTR) continue;
      throw write_error(path_, errno);
    }
    bytes = bytes.subspan(static_cast<size_t>(written));
    position_ += written;
  }
}

void OutputFile::commit() {
  if (temporary_.empty()) {
    const int code = ::close(std::exchange(descriptor_, -1)) == 0 ? 0 : errno;
    if (code != 0) throw write_error(path_, code);
    return;
  }
  if (::fsync(descriptor_) != 0) throw write_error(path_, errno);
  if (::close(std::exchange(descriptor_, -1)) != 0) throw write_error(path_, errno);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) throw write_error(path_, errno);
  forget(temporary_);
  temporary_.clear();
}

}  // namespace quern::parquet
