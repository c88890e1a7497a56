// Memory of one engine: a budget in bytes, and buffers that count against it.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace quern {

class Memory;

// Owned bytes, 64-byte aligned, with at least 64 readable bytes past `size` (vector loads). Uninitialised.
class Buffer {
 public:
  Buffer(Memory& memory, void* data, size_t size, size_t capacity)
      : memory_(memory), data_(data), size_(size), capacity_(capacity) {}
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  uint8_t* data() { return static_cast<uint8_t*>(data_); }
  const uint8_t* data() const { return static_cast<const uint8_t*>(data_); }
  template <typename T>
  T* as() {
    return static_cast<T*>(data_);
  }
  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }

 private:
  Memory& memory_;
  void* data_;
  size_t size_;
  size_t capacity_;
};

using BufferPtr = std::shared_ptr<Buffer>;

// Budget and pool. Thread-safe. Freed buffers are kept for reuse (fresh pages cost 100 times a reused one) and given
// back to the system when the budget would otherwise be exceeded.
class Memory {
 public:
  explicit Memory(int64_t limit);
  ~Memory();

  // Throws oom "out of memory: ..." naming bytes asked, used and allowed when the budget does not hold them.
  BufferPtr allocate(size_t bytes);
  BufferPtr allocate_zeroed(size_t bytes);

  // Counts bytes that are not in a Buffer (hash tables, std::vector): throws like allocate.
  void reserve(int64_t bytes);
  void release(int64_t bytes);

  int64_t limit() const { return limit_; }
  int64_t used() const { return used_.load(std::memory_order_relaxed); }
  int64_t peak() const { return peak_.load(std::memory_order_relaxed); }
  void reset_peak() { peak_.store(used_.load()); }

 private:
  friend class Buffer;
  void give_back(void* data, size_t capacity);
  struct Pool;
  int64_t limit_;
  std::atomic<int64_t> used_{0};
  std::atomic<int64_t> peak_{0};
  std::unique_ptr<Pool> pool_;
};

// A counted amount that is given back on destruction.
class Reservation {
 public:
  explicit Reservation(Memory& memory) : memory_(&memory) {}
  Reservation(Reservation&& other) noexcept : memory_(other.memory_), bytes_(other.bytes_) { other.bytes_ = 0; }
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;
  ~Reservation() {
    if (bytes_ > 0) memory_->release(bytes_);
  }
  // Grows or shrinks to `bytes` in all.
  void resize(int64_t bytes) {
    if (bytes > bytes_)
      memory_->reserve(bytes - bytes_);
    else if (bytes < bytes_)
      memory_->release(bytes_ - bytes);
    bytes_ = bytes;
  }
  int64_t bytes() const { return bytes_; }

 private:
  Memory* memory_;
  int64_t bytes_ = 0;
};

}  // namespace quern
