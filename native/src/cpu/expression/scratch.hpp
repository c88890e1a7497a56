// Buffers that an expression uses again for every vector, and columns built in them.
#pragma once
#include <atomic>
#include <cstring>
#include <vector>

#include "columnar/column.hpp"

namespace quern::cpu {

// Keeps the buffers it gave out and gives one again when nobody else holds it any more. One thread.
class Scratch {
 public:
  explicit Scratch(Memory& memory) : memory_(memory) {}

  // At least `bytes`, uninitialised.
  BufferPtr take(size_t bytes) {
    for (auto& buffer : kept_) {
#if defined(__SANITIZE_THREAD__)
      break;  // the fence below is beyond what the sanitizer understands
#endif
      if (buffer.use_count() == 1 && buffer->capacity() >= bytes + padding && buffer->size() >= bytes) {
        // The last holder may have let go on another thread: its reads must come before our writes.
        std::atomic_thread_fence(std::memory_order_acquire);
        return buffer;
      }
    }
    auto fresh = memory_.allocate(bytes);
    if (bytes > largest_kept) return fresh;
    if (kept_.size() < most_kept) {
      kept_.push_back(fresh);
    } else {
      kept_[next_] = fresh;
      next_ = (next_ + 1) % most_kept;
    }
    return fresh;
  }
  Memory& memory() { return memory_; }

 private:
  static constexpr size_t padding = 64;
  static constexpr size_t most_kept = 4;
  static constexpr size_t largest_kept = 1 << 18;  // bytes: wider vectors are rare and not worth holding
  Memory& memory_;
  std::vector<BufferPtr> kept_;
  size_t next_ = 0;
};

// Zero bytes in the rows whose validity bit is clear.
void zero_null_rows(void* data, int32_t width, const uint64_t* validity, int64_t rows);

// A flat column under construction in scratch buffers. Its validity may be shared with an argument until a row is set
// null.
class Result {
 public:
  Result(Scratch& scratch, TypePtr type, int64_t rows);

  template <typename T>
  T* data() {
    return static_cast<T*>(data_);
  }
  int64_t rows() const { return rows_; }
  const TypePtr& type() const { return type_; }
  Scratch& scratch() { return scratch_; }

  // `words` stay alive through `owners`.
  void share_validity(const uint64_t* words, int64_t null_count, const std::vector<Owner>& owners);
  // Words of its own, all valid or a copy of the shared ones.
  uint64_t* validity();
  const uint64_t* validity_or_null() const { return words_; }
  void set_null(int64_t row) { clear_bit(validity(), row); }

  void keep(Owner owner) { owners_.push_back(std::move(owner)); }
  void keep(const std::vector<Owner>& owners) { owners_.insert(owners_.end(), owners.begin(), owners.end()); }
  void add_child(ColumnPtr child) { children_.push_back(std::move(child)); }
  // Counts nulls and zeroes their bytes.
  ColumnPtr finish();

 private:
  Scratch& scratch_;
  TypePtr type_;
  int64_t rows_;
  int32_t width_;
  void* data_ = nullptr;
  const uint64_t* words_ = nullptr;
  uint64_t* own_words_ = nullptr;
  int64_t null_count_ = 0;
  std::vector<ColumnPtr> children_;
  std::vector<Owner> owners_;
};

}  // namespace quern::cpu
