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
constexpr size_t classes = 64 * 4;

// Capacities: four between powers of two, so that at most a quarter of a block is unused.
struct SizeClass {
  size_t capacity;
  size_t number;
};

SizeClass size_class(size_t bytes) {
  if (bytes <= smallest) return {smallest, 0};
  const size_t step = std::bit_floor(bytes - 1) / 4;
  const size_t steps = (bytes + step - 1) / step;  // 5 to 8
  return {steps * step, static_cast<size_t>(std::bit_width(step)) * 4 + steps - 5};
}

size_t capacity_of(size_t number) { return number == 0 ? smallest : (number % 4 + 5) << (number / 4 - 1); }

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

// Free blocks by capacity. Bytes here are part of the process but not of used_; the pool keeps at most what the budget
// leaves over. A thread looks in its own shelf first, then in those of other threads: they seldom meet.
struct Memory::Pool {
  void* take(SizeClass size) {
    const size_t own = shelf_of_thread();
    for (size_t i = 0; i < shelf_count && held_.load(std::memory_order_relaxed) > 0; ++i) {
      Shelf& shelf = shelves_[(own + i) % shelf_count];
      if (i > 0 && shelf.bytes.load(std::memory_order_relaxed) < static_cast<int64_t>(size.capacity)) continue;
      std::lock_guard lock(shelf.mutex);
      auto& blocks = shelf.free[size.number];
      if (blocks.empty()) continue;
      void* data = blocks.back();
      blocks.pop_back();
      count(shelf, -static_cast<int64_t>(size.capacity));
      return data;
    }
    return nullptr;
  }

  // Keeps the block unless the pool would hold more than `room` bytes.
  bool keep(void* data, SizeClass size, int64_t room) {
    if (held_.load(std::memory_order_relaxed) + static_cast<int64_t>(size.capacity) > room) return false;
    Shelf& shelf = shelves_[shelf_of_thread()];
    std::lock_guard lock(shelf.mutex);
    shelf.free[size.number].push_back(data);
    count(shelf, static_cast<int64_t>(size.capacity));
    return true;
  }

  // Gives blocks back to the system, largest first, until at most `room` bytes are held.
  void trim(int64_t room) {
    for (size_t number = classes; number-- > 0 && held_.load() > room;) {
      for (Shelf& shelf : shelves_) {
        std::lock_guard lock(shelf.mutex);
        auto& blocks = shelf.free[number];
        while (!blocks.empty() && held_.load() > room) {
          const size_t capacity = capacity_of(number);
          system_free(blocks.back(), capacity);
          blocks.pop_back();
          count(shelf, -static_cast<int64_t>(capacity));
        }
      }
    }
  }

 private:
  static constexpr size_t shelf_count = 16;  // a power of two
  struct alignas(64) Shelf {
    std::mutex mutex;
    std::array<std::vector<void*>, classes> free;
    std::atomic<int64_t> bytes{0};
  };

  static size_t shelf_of_thread() {
    static std::atomic<size_t> threads{0};
    thread_local const size_t shelf = threads++ % shelf_count;
    return shelf;
  }

  void count(Shelf& shelf, int64_t bytes) {
    shelf.bytes.fetch_add(bytes, std::memory_order_relaxed);
    held_.fetch_add(bytes, std::memory_order_relaxed);
  }

  std::array<Shelf, shelf_count> shelves_;
  std::atomic<int64_t> held_{0};
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
  const SizeClass size = size_class(bytes + padding);
  const size_t capacity = size.capacity;
  reserve(static_cast<int64_t>(capacity));
  void* data = pool_->take(size);
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
  if (!pool_->keep(data, size_class(capacity), limit_ - used())) system_free(data, capacity);
}

}  // namespace quern
