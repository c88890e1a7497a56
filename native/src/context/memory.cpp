#include "context/memory.hpp"

#include <sys/mman.h>

#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include "common/error.hpp"

namespace quern {

namespace {

constexpr size_t alignment = 64;
constexpr size_t padding = 64;           // readable bytes past the end, for vector loads
constexpr size_t smallest = 256;         // bytes of the first size class
constexpr size_t huge_page = 2UL << 20;  // bytes; larger blocks ask for huge pages
constexpr int classes = 64;

// Four classes between powers of two, so that at most a quarter of a block is unused.
size_t class_size(size_t bytes) {
  if (bytes <= smallest) return smallest;
  const size_t step = std::bit_floor(bytes - 1) / 4;
  return (bytes + step - 1) / step * step;
}

int pool_slot(size_t capacity) { return std::bit_width(capacity) - 1; }

void* system_allocate(size_t capacity) {
  if (capacity < huge_page) return std::aligned_alloc(alignment, (capacity + alignment - 1) / alignment * alignment);
  void* data = mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) return nullptr;
  madvise(data, capacity, MADV_HUGEPAGE);
  return data;
}

void system_free(void* data, size_t capacity) {
  if (capacity < huge_page) {
    std::free(data);
  } else {
    munmap(data, capacity);
  }
}

std::string bytes_text(int64_t bytes) {
  if (bytes < (1 << 20)) return std::to_string(bytes) + " bytes";
  const int64_t tenths = bytes / ((1 << 20) / 10);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " MiB";
}

Error out_of_memory(int64_t asked, int64_t used, int64_t limit) {
  return Error(ErrorSource::resource, ErrorCode::oom,
               "out of memory: asked for " + bytes_text(asked) + " with " + bytes_text(used) + " in use, limit " +
                   bytes_text(limit))
      .with_hint("raise --memory-limit, or read fewer columns or groups");
}

}  // namespace

// Free blocks by power of two of their capacity. Bytes here are part of the process but not of used_; the pool keeps at
// most what the budget leaves over.
struct Memory::Pool {
  std::mutex mutex;
  std::array<std::vector<std::pair<void*, size_t>>, classes> free;
  int64_t held = 0;

  void* take(size_t capacity) {
    std::lock_guard lock(mutex);
    auto& blocks = free[pool_slot(capacity)];
    for (size_t i = blocks.size(); i-- > 0;) {
      if (blocks[i].second == capacity) {
        void* data = blocks[i].first;
        blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(i));
        held -= static_cast<int64_t>(capacity);
        return data;
      }
    }
    return nullptr;
  }

  // Keeps the block unless the pool would hold more than `room` bytes.
  bool keep(void* data, size_t capacity, int64_t room) {
    std::lock_guard lock(mutex);
    if (held + static_cast<int64_t>(capacity) > room) return false;
    free[pool_slot(capacity)].emplace_back(data, capacity);
    held += static_cast<int64_t>(capacity);
    return true;
  }

  // Gives blocks back to the system, largest first, until at most `room` bytes are held.
  void trim(int64_t room) {
    std::lock_guard lock(mutex);
    for (int slot = classes; slot-- > 0 && held > room;) {
      auto& blocks = free[slot];
      while (!blocks.empty() && held > room) {
        auto [data, capacity] = blocks.back();
        blocks.pop_back();
        held -= static_cast<int64_t>(capacity);
        system_free(data, capacity);
      }
    }
  }
};

Buffer::~Buffer() { memory_.give_back(data_, capacity_); }

Memory::Memory(int64_t limit) : limit_(limit), pool_(std::make_unique<Pool>()) {}

Memory::~Memory() { pool_->trim(0); }

void Memory::reserve(int64_t bytes) {
  const int64_t before = used_.fetch_add(bytes, std::memory_order_relaxed);
  const int64_t now = before + bytes;
  if (bytes > limit_ || now > limit_) {
    used_.fetch_sub(bytes, std::memory_order_relaxed);
    throw out_of_memory(bytes, before, limit_);
  }
  int64_t peak = peak_.load(std::memory_order_relaxed);
  while (now > peak && !peak_.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
  }
}

void Memory::release(int64_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }

BufferPtr Memory::allocate(size_t bytes) {
  // Checked before rounding, so that a size read from a file cannot wrap.
  if (bytes > static_cast<size_t>(limit_))
    throw out_of_memory(static_cast<int64_t>(std::min<size_t>(bytes, INT64_MAX)), used(), limit_);
  const size_t capacity = class_size(bytes + padding);
  reserve(static_cast<int64_t>(capacity));
  void* data = pool_->take(capacity);
  if (data == nullptr) {
    pool_->trim(limit_ - used());
    data = system_allocate(capacity);
    if (data == nullptr) {
      release(static_cast<int64_t>(capacity));
      throw Error(ErrorSource::resource, ErrorCode::oom,
                  "out of memory: the system refused " + bytes_text(static_cast<int64_t>(capacity)));
    }
  }
  return std::make_shared<Buffer>(*this, data, bytes, capacity);
}

BufferPtr Memory::allocate_zeroed(size_t bytes) {
  auto buffer = allocate(bytes);
  std::memset(buffer->data(), 0, bytes);
  return buffer;
}

void Memory::give_back(void* data, size_t capacity) {
  release(static_cast<int64_t>(capacity));
  if (!pool_->keep(data, capacity, limit_ - used())) system_free(data, capacity);
}

}  // namespace quern
