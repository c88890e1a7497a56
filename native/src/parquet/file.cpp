#include "parquet/file.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace quern::parquet {

namespace {

Error system_error(const std::string& path, const char* action, int code) {
  ErrorCode kind = code == EACCES || code == EPERM ? ErrorCode::permission : ErrorCode::io;
  return {ErrorSource::io, kind, std::string(action) + " failed: " + path + ": " + std::strerror(code)};
}

}  // namespace

FileHandle::FileHandle(const std::string& path) : path_(path) {
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw system_error(path, "open", errno);
  struct stat info{};
  if (fstat(descriptor_, &info) != 0) {
    int code = errno;
    ::close(descriptor_);
    throw system_error(path, "stat", code);
  }
  if (!S_ISREG(info.st_mode)) {
    ::close(descriptor_);
    throw io_error("not a regular file: " + path);
  }
  identity_ = {static_cast<uint64_t>(info.st_dev), static_cast<uint64_t>(info.st_ino),
               static_cast<int64_t>(info.st_size),
               static_cast<int64_t>(info.st_mtim.tv_sec) * 1000000000 + info.st_mtim.tv_nsec};
}

FileHandle::~FileHandle() { ::close(descriptor_); }

void FileHandle::read(int64_t offset, std::span<uint8_t> out) const {
  size_t done = 0;
  while (done < out.size()) {
    ssize_t got = ::pread(descriptor_, out.data() + done, out.size() - done, offset + static_cast<int64_t>(done));
    if (got < 0) {
      if (errno == EINTR) continue;
      throw system_error(path_, "read", errno);
    }
    if (got == 0) {
      throw io_error("file ended early: " + path_ + " at byte " + std::to_string(offset + static_cast<int64_t>(done)));
    }
    done += static_cast<size_t>(got);
  }
}

std::shared_ptr<const FileHandle> File::handle() const {
  std::lock_guard lock(mutex_);
  if (auto alive = handle_.lock()) return alive;
  auto opened = std::make_shared<const FileHandle>(path);
  if (!(opened->identity() == identity_)) throw io_error("file changed while it was read: " + path);
  handle_ = opened;
  return opened;
}

Error File::locate(const Error& error, const std::string& where) const {
  Error located = error;
  if (error.code() == ErrorCode::corrupt_file || error.code() == ErrorCode::unsupported) {
    located.with_message(path + ": " + (where.empty() ? "" : where + ": ") + error.message());
  } else if (error.code() == ErrorCode::oom) {
    located.with_message(error.message() + ", reading " + path + (where.empty() ? "" : " (" + where + ")"));
  }
  return located;
}

}  // namespace quern::parquet
