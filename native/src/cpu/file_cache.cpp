#include "cpu/file_cache.hpp"

#include <sys/stat.h>

namespace quern::cpu {

FileCache::Stamp FileCache::stamp_of(const std::string& path) {
  // What comes through a pipe comes once: it is kept for every later reader.
  if (path == "-") return {0, 0, 0};
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) return {};
  if (!S_ISREG(status.st_mode)) return {0, 0, status.st_ino};
  return {status.st_size, status.st_mtim.tv_sec * 1000000000LL + status.st_mtim.tv_nsec, status.st_ino};
}

FileCache::Entry* FileCache::find(const std::string& path, const Stamp& stamp) {
  const auto found = by_path_.find(path);
  if (found == by_path_.end() || stamp.size < 0 || !(found->second->stamp == stamp)) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return &entries_.front();
}

void FileCache::keep(Entry entry) {
  if (entry.stamp.size < 0) return;
  const auto found = by_path_.find(entry.path);
  if (found != by_path_.end()) {
    entries_.erase(found->second);
    by_path_.erase(found);
  }
  entries_.push_front(std::move(entry));
  by_path_[entries_.front().path] = entries_.begin();
  if (entries_.size() > capacity) {
    by_path_.erase(entries_.back().path);
    entries_.pop_back();
  }
}

parquet::FilePtr FileCache::open_parquet(const std::string& path) {
  const Stamp stamp = stamp_of(path);
  {
    std::lock_guard lock(mutex_);
    if (const auto* entry = find(path, stamp); entry != nullptr && entry->parquet) return entry->parquet;
  }
  auto file = parquet::open(memory_, path);
  std::lock_guard lock(mutex_);
  keep({path, stamp, file, nullptr});
  return file;
}

arrow::FilePtr FileCache::open_arrow(const std::string& path) {
  const Stamp stamp = stamp_of(path);
  {
    std::lock_guard lock(mutex_);
    if (const auto* entry = find(path, stamp); entry != nullptr && entry->arrow) return entry->arrow;
  }
  auto file = arrow::open(memory_, path);
  std::lock_guard lock(mutex_);
  keep({path, stamp, nullptr, file});
  return file;
}

}  // namespace quern::cpu
