#include "parquet/output_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <utility>

#include "parquet/output_path.hpp"
#include "parquet/unfinished.hpp"

namespace quern::parquet {

namespace {

// Opening such a path anew fails where stdout is a socket, and a file there would be replaced.
bool is_stdout(const std::string& path) {
  return path == "/dev/stdout" || path == "/dev/fd/1" || path == "/proc/self/fd/1";
}

// Whoever shares stdout may have made it one that does not block.
void wait_for_room(int descriptor) {
  pollfd waiting{descriptor, POLLOUT, 0};
  ::poll(&waiting, 1, -1);
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : path_(path), target_(path) {
  if (is_stdout(path)) {
    descriptor_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (descriptor_ < 0) throw write_error(path, errno);
    return;
  }
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
  temporary_ = temporary_of(folder, name);
  const mode_t mode = exists ? info.st_mode & 0777 : 0666;
  descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (descriptor_ < 0) {
    const int code = errno;
    temporary_.clear();
    throw write_error(path, code);
  }
  register_unfinished(temporary_);
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (temporary_.empty()) return;
  ::unlink(temporary_.c_str());
  forget_unfinished(temporary_);
}

void OutputFile::write(std::span<const uint8_t> bytes) {
  // Linux writes at most 2^31 - 4096 bytes a call.
  constexpr size_t most = 1 << 30;
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), std::min(bytes.size(), most));
    if (written < 0) {
      if (errno == EINTR) continue;
      if (errno == EAGAIN) {
        wait_for_room(descriptor_);
        continue;
      }
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
  forget_unfinished(temporary_);
  temporary_.clear();
}

}  // namespace quern::parquet
