#include "jit/cubin_cache.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "ops/hash.hpp"

namespace quern::jit {

namespace {

namespace fs = std::filesystem;

// 128 bits as 32 digits.
std::string hash_text(const std::string& text) {
  static const char* digits = "0123456789abcdef";
  const auto length = static_cast<uint32_t>(text.size());
  const uint64_t first = hash_bytes(text.data(), length);
  const uint64_t second = hash_word(hash_bytes(text.data() + length / 2, length - length / 2), first);
  std::string out;
  for (const uint64_t word : {first, second}) {
    for (int shift = 60; shift >= 0; shift -= 4) out += digits[(word >> shift) & 15];
  }
  return out;
}

fs::path cache_folder() {
  const auto variable = [](const char* name) { return std::string(std::getenv(name) ? std::getenv(name) : ""); };
  if (const auto path = variable("XDG_CACHE_HOME"); !path.empty()) return fs::path(path) / "quern" / "jit";
  if (const auto path = variable("HOME"); !path.empty()) return fs::path(path) / ".cache" / "quern" / "jit";
  return {};
}

}  // namespace

CubinFile::CubinFile(const std::string& key) : key_hash_(hash_text(key)) {
  const fs::path folder = cache_folder();
  if (!folder.empty()) path_ = folder / (key_hash_ + ".cubin");
}

std::optional<std::string> CubinFile::read() const {
  if (path_.empty()) return std::nullopt;
  std::ifstream file(path_, std::ios::binary);
  if (!file) return std::nullopt;
  const std::string all((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::string mark = hash_text(std::string());
  if (all.size() <= mark.size()) return std::nullopt;
  std::string cubin = all.substr(mark.size());
  if (hash_text(key_hash_ + cubin) != all.substr(0, mark.size())) return std::nullopt;
  return cubin;
}

void CubinFile::write(const std::string& cubin) const {
  if (path_.empty()) return;
  static std::atomic<int> number{0};
  std::error_code ignored;
  fs::create_directories(path_.parent_path(), ignored);
  const fs::path next = path_.string() + "." + std::to_string(getpid()) + "." + std::to_string(number++) + ".tmp";
  {
    std::ofstream file(next, std::ios::binary);
    file << hash_text(key_hash_ + cubin) << cubin;
    if (!file.good()) {
      fs::remove(next, ignored);
      return;
    }
  }
  fs::rename(next, path_, ignored);
}

}  // namespace quern::jit
