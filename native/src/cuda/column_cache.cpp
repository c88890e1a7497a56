#include "cuda/column_cache.hpp"

#include <algorithm>

namespace quern::cuda {

namespace {

int64_t bytes_of(const DeviceBufferPtr& buffer) { return buffer ? static_cast<int64_t>(buffer->size()) : 0; }

int64_t bytes_of(const DeviceColumn& column) {
  return bytes_of(column.validity) + bytes_of(column.offsets) + bytes_of(column.data) +
         (column.child ? bytes_of(*column.child) : 0);
}

}  // namespace

DeviceColumnPtr ColumnCache::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->column;
}

void ColumnCache::keep(const std::string& key, DeviceColumnPtr column) {
  const int64_t bytes = bytes_of(*column);
  if (bytes > limit_) return;
  std::list<Entry> dropped;
  const std::lock_guard lock(mutex_);
  if (by_key_.contains(key)) return;
  dropped = shrink(limit_ - bytes);
  entries_.push_front({key, std::move(column), bytes});
  by_key_[key] = entries_.begin();
  held_ += bytes;
}

void ColumnCache::release(int64_t bytes) {
  std::list<Entry> dropped;
  const std::lock_guard lock(mutex_);
  dropped = shrink(std::max<int64_t>(held_ - bytes, 0));
}

std::list<ColumnCache::Entry> ColumnCache::shrink(int64_t most) {
  std::list<Entry> dropped;
  while (held_ > most) {
    held_ -= entries_.back().bytes;
    by_key_.erase(entries_.back().key);
    dropped.splice(dropped.begin(), entries_, std::prev(entries_.end()));
  }
  return dropped;
}

}  // namespace quern::cuda
