#include "parquet/unfinished.hpp"

#include <mutex>
#include <set>

#include "parquet/output_path.hpp"

namespace quern::parquet {

namespace {

// Never destroyed: a process may end while threads still write.
struct Unfinished {
  std::mutex mutex;
  std::set<std::string> paths;
};

Unfinished& unfinished() {
  static auto* files = new Unfinished;
  return *files;
}

}  // namespace

void register_unfinished(const std::string& path) {
  std::lock_guard lock(unfinished().mutex);
  unfinished().paths.insert(path);
}

void forget_unfinished(const std::string& path) {
  std::lock_guard lock(unfinished().mutex);
  unfinished().paths.erase(path);
}

void discard_unfinished_files() {
  std::lock_guard lock(unfinished().mutex);
  for (const auto& path : unfinished().paths) remove_output(path);
}

}  // namespace quern::parquet
