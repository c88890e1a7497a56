#include "parquet/output_path.hpp"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>

namespace quern::parquet {

namespace {

bool is_gone(pid_t process) { return ::kill(process, 0) != 0 && errno == ESRCH; }

}  // namespace

void for_each_name(const std::string& folder, const std::function<void(const std::string&)>& visit) {
  struct Close {
    void operator()(DIR* open) const { ::closedir(open); }
  };
  const std::unique_ptr<DIR, Close> open(::opendir(folder.c_str()));
  if (!open) return;
  while (const dirent* entry = ::readdir(open.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") visit(name);
  }
}

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
    case EPIPE:
    case ECONNRESET:
      // Whoever reads the output wants no more of it: the command line says nothing then.
      return make(ErrorSource::io, ErrorCode::cancelled, "its reader has gone");
    case ENOENT:
      return make(ErrorSource::io, ErrorCode::io, "no such file or directory");
    case EISDIR:
      return make(ErrorSource::io, ErrorCode::io, "is a directory");
    case ENOTDIR:
      return make(ErrorSource::io, ErrorCode::io, "is not a directory");
    case ENOTEMPTY:
      return make(ErrorSource::io, ErrorCode::io, "the directory is not empty");
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

std::string temporary_of(const std::string& folder, const std::string& name) {
  return folder + "/." + name + "." + std::to_string(::getpid()) + ".tmp";
}

void remove_stale(const std::string& folder, const std::string& name) {
  const std::string start = "." + name + ".";
  for_each_name(folder, [&](const std::string& found) {
    if (!found.starts_with(start) || !found.ends_with(".tmp") || found.size() <= start.size() + 4) return;
    const char* end = found.data() + found.size() - 4;
    pid_t process = 0;
    const auto [stop, error] = std::from_chars(found.data() + start.size(), end, process);
    if (error != std::errc() || stop != end || process <= 0 || !is_gone(process)) return;
    remove_output(folder + "/" + found);
  });
}

bool is_empty_folder(const std::string& path) {
  bool is_empty = true;
  for_each_name(path, [&](const std::string&) { is_empty = false; });
  return is_empty;
}

void remove_output(const std::string& path) {
  if (::unlink(path.c_str()) == 0) return;
  for_each_name(path, [&](const std::string& name) { remove_output(path + "/" + name); });
  ::rmdir(path.c_str());
}

}  // namespace quern::parquet
