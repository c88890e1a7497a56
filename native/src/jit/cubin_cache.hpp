// Compiled kernels on disk. A file holds a hash of its own content: a damaged one is compiled anew, never trusted. A
// file appears complete (written under another name, then renamed); one that cannot be written is not missed.
#pragma once
#include <filesystem>
#include <optional>
#include <string>

namespace quern::jit {

class CubinFile {
 public:
  // `key`: everything that the machine code depends on.
  explicit CubinFile(const std::string& key);
  std::optional<std::string> read() const;
  void write(const std::string& cubin) const;
  // Empty where there is no place for a cache.
  const std::filesystem::path& path() const { return path_; }

 private:
  std::string key_hash_;
  std::filesystem::path path_;
};

}  // namespace quern::jit
