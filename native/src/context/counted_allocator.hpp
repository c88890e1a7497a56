// Containers that the memory budget knows of.
#pragma once
#include <new>

#include "context/memory.hpp"

namespace quern {

// Counts what containers take against the budget.
template <typename T>
struct CountedAllocator {
  using value_type = T;
  Memory* memory;
  explicit CountedAllocator(Memory& of) : memory(&of) {}
  template <typename U>
  CountedAllocator(const CountedAllocator<U>& other) : memory(other.memory) {}
  T* allocate(size_t count) {
    const auto bytes = static_cast<int64_t>(count * sizeof(T));
    memory->reserve(bytes);
    try {
      return static_cast<T*>(::operator new(count * sizeof(T)));
    } catch (...) {
      memory->release(bytes);
      throw;
    }
  }
  void deallocate(T* data, size_t count) {
    memory->release(static_cast<int64_t>(count * sizeof(T)));
    ::operator delete(data);
  }
  template <typename U>
  bool operator==(const CountedAllocator<U>& other) const {
    return memory == other.memory;
  }
};

}  // namespace quern
