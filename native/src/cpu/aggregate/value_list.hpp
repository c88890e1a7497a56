// A state that keeps all values of a group as numbers: quantiles and distances from them.
#pragma once
#include <algorithm>
#include <cmath>
#include <new>
#include <vector>

#include "context/counted_allocator.hpp"
#include "cpu/aggregate/values.hpp"
#include "ops/compare.hpp"

namespace quern::cpu {

template <typename T>
using Values = std::vector<T, CountedAllocator<T>>;

// T is what the values are kept as, Stored what the column holds; finish() is the aggregate's own.
template <typename T, typename Stored>
class ValueList : public AggregateFunction {
 public:
  explicit ValueList(Memory& memory) : memory_(memory) {}

  int32_t state_bytes() const override { return sizeof(Values<T>); }
  void init(uint8_t* state) const override { new (state) Values<T>(CountedAllocator<T>(memory_)); }
  void update(const AggregateInput& input) const override {
    each_value<Stored>(*input.args[0], input.rows,
                       [&](int64_t row, Stored value) { at(input.state(row)).push_back(static_cast<T>(value)); });
  }
  void merge(uint8_t* into, uint8_t* from) const override {
    auto& values = at(into);
    const auto& others = at(from);
    values.insert(values.end(), others.begin(), others.end());
    destroy(from);
  }
  bool owns_memory() const override { return true; }
  void destroy(uint8_t* state) const override { at(state).~Values<T>(); }

 protected:
  static Values<T>& at(uint8_t* state) { return *std::launder(reinterpret_cast<Values<T>*>(state)); }
  Memory& memory_;
};

inline double between(double low, double high, double part) { return low + (high - low) * part; }
inline int64_t between(int64_t low, int64_t high, double part) {
  return low + static_cast<int64_t>(std::llround(static_cast<double>(high - low) * part));
}

// The value at a fraction (0 to 1) of the way through the values in order; between two of them where it falls there.
// The values change their places.
template <typename T>
T interpolated(Values<T>& values, double fraction) {
  const double position = fraction * static_cast<double>(values.size() - 1);
  const auto low = static_cast<size_t>(std::floor(position));
  const auto high = static_cast<size_t>(std::ceil(position));
  const auto less = [](T a, T b) { return ops::less<T>(a, b); };
  const auto nth = values.begin() + static_cast<std::ptrdiff_t>(low);
  std::nth_element(values.begin(), nth, values.end(), less);
  const T at_low = *nth;
  if (low == high) return at_low;
  const T at_high = *std::min_element(nth + 1, values.end(), less);
  return between(at_low, at_high, position - static_cast<double>(low));
}

}  // namespace quern::cpu
