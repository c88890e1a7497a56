// Decoded columns of row groups that stay on the device for the next query, least recently used ones first to go. A key
// names the file as it is (device, inode, size, time of change), row group, leaf and layout.
#pragma once
#include <list>
#include <map>
#include <mutex>
#include <string>

#include "cuda/device_column.hpp"

namespace quern::cuda {

class ColumnCache {
 public:
  // Bytes that the cache may hold.
  explicit ColumnCache(int64_t limit) : limit_(limit) {}

  // nullptr = it is not there.
  DeviceColumnPtr find(const std::string& key);
  void keep(const std::string& key, DeviceColumnPtr column);
  // Lets go of columns of at least so many bytes, if there are so many.
  void release(int64_t bytes);

 private:
  struct Entry {
    std::string key;
    DeviceColumnPtr column;
    int64_t bytes;
  };
  // Until at most `most` bytes are held; what is let go of ends outside of the lock.
  std::list<Entry> shrink(int64_t most);

  const int64_t limit_;
  std::mutex mutex_;
  int64_t held_ = 0;
  std::list<Entry> entries_;  // most recently used first
  std::map<std::string, std::list<Entry>::iterator> by_key_;
};

}  // namespace quern::cuda
