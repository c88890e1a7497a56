#include "arrow/byte_source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "common/error.hpp"

namespace quern::arrow {
namespace {

constexpr int64_t chunk_size = 1 << 20;

Error system_error(const std::string& path, const char* action, int code) {
  const ErrorCode kind = code == EACCES || code == EPERM ? ErrorCode::permission : ErrorCode::io;
  return {ErrorSource::io, kind, std::string(action) + " failed: " + path + ": " + std::strerror(code)};
}

}  // namespace

ByteSource::ByteSource(Memory& memory, const std::string& path) : path_(path) {
  if (path == "-" || path == "/dev/stdin") {
    descriptor_ = STDIN_FILENO;
  } else {
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) throw system_error(path, "open", errno);
    owned_ = true;
  }
  try {
    struct stat info{};
    if (::fstat(descriptor_, &info) != 0) throw system_error(path_, "stat", errno);
    // Standard input that is a file begins where the shell left it, so it is read, not addressed.
    if (S_ISREG(info.st_mode) && owned_) {
      size_ = info.st_size;
    } else {
      read_to_end(memory);
    }
  } catch (...) {
    if (owned_) ::close(descriptor_);
    throw;
  }
}

ByteSource::~ByteSource() {
  if (owned_) ::close(descriptor_);
}

void ByteSource::read_to_end(Memory& memory) {
  while (true) {
    const int64_t inside = size_ % chunk_size;
    if (inside == 0 && static_cast<int64_t>(chunks_.size()) * chunk_size == size_) {
      chunks_.push_back(memory.allocate(chunk_size));
    }
    const ssize_t got = ::read(descriptor_, chunks_.back()->data() + inside, static_cast<size_t>(chunk_size - inside));
    if (got < 0) {
      if (errno == EINTR) continue;
      throw system_error(path_, "read", errno);
    }
    if (got == 0) return;
    size_ += got;
  }
}

void ByteSource::read(int64_t offset, int64_t length, uint8_t* out) const {
  while (length > 0) {
    int64_t part;
    if (!chunks_.empty()) {
      const int64_t inside = offset % chunk_size;
      part = std::min(length, chunk_size - inside);
      std::memcpy(out, chunks_[static_cast<size_t>(offset / chunk_size)]->data() + inside, static_cast<size_t>(part));
    } else {
      part = ::pread(descriptor_, out, static_cast<size_t>(length), offset);
      if (part < 0) {
        if (errno == EINTR) continue;
        throw system_error(path_, "read", errno);
      }
      if (part == 0) throw io_error("file ended early: " + path_ + " at byte " + std::to_string(offset));
    }
    offset += part;
    out += part;
    length -= part;
  }
}

}  // namespace quern::arrow
