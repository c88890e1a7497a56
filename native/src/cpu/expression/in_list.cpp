// x IN (literals): few values are compared one after another, many are looked up in a hash set. NULL in the list makes
// a miss NULL.
#include <algorithm>

#include "columnar/compare.hpp"
#include "cpu/expression/comparison.hpp"
#include "cpu/expression/loops.hpp"
#include "ops/hash.hpp"

namespace quern::cpu {

namespace {

uint64_t hash_of(const StringView& v) { return hash_bytes(v.data(), v.length); }
template <typename T>
uint64_t hash_of(const T& v) {
  return hash_word(hash_seed, static_cast<uint64_t>(v));
}

// Open addressing over distinct values; a power of two of slots, at most half full.
template <typename T>
class ValueSet {
 public:
  explicit ValueSet(const std::vector<T>& values) {
    size_t slots = 16;
    while (slots < values.size() * 2) slots *= 2;
    slots_.resize(slots);
    used_.resize(slots);
    for (const T& value : values) {
      const size_t slot = find(value);
      slots_[slot] = value;
      used_[slot] = 1;
    }
  }
  bool contains(const T& value) const { return used_[find(value)] != 0; }

 private:
  // The value's slot, or the free one where it would go.
  size_t find(const T& value) const {
    size_t slot = hash_of(value) & (slots_.size() - 1);
    while (used_[slot] != 0 && !ops::equal<T>(slots_[slot], value)) slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }
  std::vector<T> slots_;
  std::vector<uint8_t> used_;
};

template <typename T>
constexpr bool hashable = std::is_integral_v<T> || std::is_same_v<T, StringView>;

// Misses become NULL.
void null_misses(Call& call) {
  const auto* out = call.result.data<uint8_t>();
  for (int64_t i = 0; i < call.rows; ++i) {
    if (out[i] == 0) call.result.set_null(i);
  }
}

template <typename T>
KernelPtr make_for(const std::vector<ColumnPtr>& columns, bool null_in_list) {
  std::vector<T> values;
  for (const auto& column : columns) values.push_back(column->values<T>()[0]);
  constexpr size_t few = 8;
  if constexpr (hashable<T>) {
    if (values.size() > few) {
      return strict_kernel([set = ValueSet<T>(values), columns, null_in_list](Call& call) {
        map_unary<uint8_t, T>(call, [&](const T& v, uint8_t& out) { out = set.contains(v); });
        if (null_in_list) null_misses(call);
      });
    }
  }
  // One pass over the rows a value, each of which vectorises.
  return strict_kernel([values, columns, null_in_list](Call& call) {
    auto* out = call.result.data<uint8_t>();
    const T* v = call.values<T>(0);
    std::fill_n(out, call.rows, 0);
    for (const T& value : values) {
      for (int64_t i = 0; i < call.rows; ++i) out[i] |= static_cast<uint8_t>(ops::equal<T>(v[i], value));
    }
    if (null_in_list) null_misses(call);
  });
}

}  // namespace

KernelPtr make_in_list(const TypePtr& type, const std::vector<ColumnPtr>& list) {
  std::vector<ColumnPtr> values;
  for (const auto& value : list) {
    if (value->type->kind != TypeKind::null && value->null_count == 0) values.push_back(value);
  }
  const bool null_in_list = values.size() < list.size();
  if (KernelPtr kernel = with_comparable(*type, [&]<typename T>() { return make_for<T>(values, null_in_list); }))
    return kernel;
  return strict_kernel([values, null_in_list](Call& call) {
    auto* out = call.result.data<uint8_t>();
    for (int64_t i = 0; i < call.rows; ++i) {
      out[i] = call.row_valid(i) && std::any_of(values.begin(), values.end(), [&](const ColumnPtr& value) {
                 return compare_values(*call.args[0], i, *value, 0) == 0;
               });
    }
    if (null_in_list) null_misses(call);
  });
}

}  // namespace quern::cpu
