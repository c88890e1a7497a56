// Open files of one engine, by path, size and time of change, so that describing and scanning read a footer once.
#pragma once
#include <list>
#include <mutex>
#include <string>
#include <unordered_map>

#include "arrow/source.hpp"
#include "parquet/scan.hpp"

namespace quern::cpu {

class FileCache {
 public:
  explicit FileCache(Memory& memory) : memory_(memory) {}
  // As parquet::open and arrow::open, from the cache where the file has not changed.
  parquet::FilePtr open_parquet(const std::string& path);
  arrow::FilePtr open_arrow(const std::string& path);

 private:
  struct Stamp {
    int64_t size = -1;
    int64_t changed_ns = 0;
    uint64_t inode = 0;
    bool operator==(const Stamp&) const = default;
  };
  struct Entry {
    std::string path;
    Stamp stamp;
    parquet::FilePtr parquet;
    arrow::FilePtr arrow;
  };
  // Open descriptors kept; more files than this are opened again for each query.
  static constexpr size_t capacity = 256;

  static Stamp stamp_of(const std::string& path);
  Entry* find(const std::string& path, const Stamp& stamp);
  void keep(Entry entry);

  Memory& memory_;
  std::mutex mutex_;
  std::list<Entry> entries_;  // most recently used first
  std::unordered_map<std::string, std::list<Entry>::iterator> by_path_;
};

}  // namespace quern::cpu
