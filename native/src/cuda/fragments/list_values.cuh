// Lists as values of a row. A list has `length` elements, value(i) and is_null(i); those of columns and literals lie in
// memory, others are made of lists when an element is asked for, and nothing is stored for them.
#pragma once
#include "cuda/fragments/column.cuh"
#include "ops/list_vector.hpp"

namespace quern::cuda {

// A list column that a kernel makes.
struct ListOutput {
  void* elements;
  uint32_t* validity;     // all ones before
  const int64_t* starts;  // where each row's elements begin
  unsigned long long* nulls;
};

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

// Elements that kernels only count.
struct NoElement {};

__device__ inline bool bit_at(const uint32_t* bits, int64_t at) { return ((bits[at >> 5] >> (at & 31)) & 1) != 0; }

// In memory: elements [start, start + length).
template <typename T>
struct ListOf {
  using Element = T;
  const T* elements;
  const uint32_t* validity;  // nullptr = none is NULL
  int64_t start, length;
  __device__ T value(int64_t i) const { return elements[start + i]; }
  __device__ bool is_null(int64_t i) const { return validity != nullptr && !bit_at(validity, start + i); }
};

template <typename T>
__device__ inline ListOf<T> list_at(const ColumnView& column, int64_t row) {
  const int64_t start =
      column.wide ? static_cast<const int64_t*>(column.offsets)[row] : static_cast<const int32_t*>(column.offsets)[row];
  const int64_t end = column.wide ? static_cast<const int64_t*>(column.offsets)[row + 1]
                                  : static_cast<const int32_t*>(column.offsets)[row + 1];
  return {static_cast<const T*>(column.elements), column.element_validity, start, end - start};
}
template <typename T>
__device__ inline ListOf<T> literal_list(const Input& in, int i) {
  const auto& words = in.literals[i].words;
  return {reinterpret_cast<const T*>(words[0]), nullptr, 0, static_cast<int64_t>(words[1])};
}

// `length` elements from `start` on.
template <typename L>
struct Part {
  using Element = typename L::Element;
  L list;
  int64_t start, length;
  __device__ Element value(int64_t i) const { return list.value(start + i); }
  __device__ bool is_null(int64_t i) const { return list.is_null(start + i); }
};
template <typename L>
__device__ inline Part<L> part_of(const L& list, int64_t start, int64_t length) {
  return {list, start, length};
}
template <typename T>
__device__ inline ListOf<T> part_of(const ListOf<T>& list, int64_t start, int64_t length) {
  return {list.elements, list.validity, list.start + start, length};
}

// l[begin:end], both included, cut to the list.
template <typename L>
__device__ inline auto slice_list(const L& list, int64_t begin, int64_t end) {
  const int64_t size = list.length;
  if (begin < 0) begin = begin < -size ? 1 : size + begin + 1;
  if (end < 0) end = end < -size ? 0 : size + end + 1;
  if (begin < 1) begin = 1;
  if (end > size) end = size;
  return begin > end ? part_of(list, 0, 0) : part_of(list, begin - 1, end - begin + 1);
}
// `length` elements from position `start` on; what lies outside the list is left out.
template <typename L>
__device__ inline auto take_list(const L& list, int64_t start, int64_t length) {
  const int64_t size = list.length, first = start < 0 ? start + size + 1 : start;
  if (length <= 0 || first > size) return part_of(list, 0, 0);
  int64_t last = size;
  if (!(first > 0 && length > size - first) && first + length - 1 < size) last = first + length - 1;
  const int64_t begin = first < 1 ? 1 : first;
  return begin > last ? part_of(list, 0, 0) : part_of(list, begin - 1, last - begin + 1);
}

template <typename L>
struct Reversed {
  using Element = typename L::Element;
  L list;
  int64_t length;
  __device__ Element value(int64_t i) const { return list.value(length - 1 - i); }
  __device__ bool is_null(int64_t i) const { return list.is_null(length - 1 - i); }
};
template <typename L>
__device__ inline Reversed<L> reversed(const L& list) {
  return {list, list.length};
}

template <typename A, typename B>
struct Joined {
  using Element = typename A::Element;
  A a;
  B b;
  int64_t length;
  __device__ Element value(int64_t i) const { return i < a.length ? a.value(i) : b.value(i - a.length); }
  __device__ bool is_null(int64_t i) const { return i < a.length ? a.is_null(i) : b.is_null(i - a.length); }
};
template <typename A, typename B>
__device__ inline Joined<A, B> joined(const A& a, const B& b) {
  return {a, b, a.length + b.length};
}
// A list that is NULL as one without elements.
template <typename L>
__device__ inline L or_empty(const L& list, bool null) {
  return null ? L{} : list;
}

// Up to 32 values of the row.
template <typename T, int N>
struct Values {
  using Element = T;
  T values[N];
  uint32_t nulls;
  int64_t length;
  __device__ T value(int64_t i) const { return values[i]; }
  __device__ bool is_null(int64_t i) const { return ((nulls >> i) & 1) != 0; }
};

template <typename T>
__device__ inline T number_of(T v) {
  return v;
}
__device__ inline float number_of(ops::Half v) { return ops::half_to_float(v.bits); }
__device__ inline float number_of(ops::BrainFloat v) { return ops::bfloat_to_float(v.bits); }
template <typename To>
struct Conversion {
  template <typename From>
  __device__ static To of(From v) {
    return static_cast<To>(number_of(v));
  }
};
template <>
struct Conversion<ops::Half> {
  __device__ static ops::Half of(float v) { return {ops::float_to_half(v)}; }
};
template <>
struct Conversion<ops::BrainFloat> {
  __device__ static ops::BrainFloat of(float v) { return {ops::float_to_bfloat(v)}; }
};
// Elements of another type, for conversions that never fail.
template <typename To, typename L>
struct Converted {
  using Element = To;
  L list;
  int64_t length;
  __device__ To value(int64_t i) const { return Conversion<To>::of(list.value(i)); }
  __device__ bool is_null(int64_t i) const { return list.is_null(i); }
};
template <typename To, typename L>
__device__ inline Converted<To, L> converted(const L& list) {
  return {list, list.length};
}

struct Sum {
  __device__ static double of(double a, double b) { return a + b; }
};
struct Difference {
  __device__ static double of(double a, double b) { return a - b; }
};
struct Times {
  __device__ static double of(double a, double b) { return a * b; }
};
// Vectors of one length without NULL, element by element.
template <typename Of, typename A, typename B>
struct Combined {
  using Element = double;
  A a;
  B b;
  int64_t length;
  __device__ double value(int64_t i) const { return Of::of(ops::to_double(a.value(i)), ops::to_double(b.value(i))); }
  __device__ bool is_null(int64_t) const { return false; }
};
template <typename Of, typename A, typename B>
__device__ inline Combined<Of, A, B> combined(const A& a, const B& b) {
  return {a, b, a.length};
}
template <typename L>
struct Scaled {
  using Element = double;
  L list;
  double factor;
  int64_t length;
  __device__ double value(int64_t i) const { return ops::to_double(list.value(i)) * factor; }
  __device__ bool is_null(int64_t) const { return false; }
};
template <typename L>
__device__ inline Scaled<L> scaled(const L& list, double factor) {
  return {list, factor, list.length};
}

template <typename L>
__device__ inline bool holds_null(const L& list) {
  for (int64_t i = 0; i < list.length; ++i) {
    if (list.is_null(i)) return true;
  }
  return false;
}

// Element `position`, from 1, from -1 at the end; false where there is none, or it is NULL.
template <typename L>
__device__ inline bool element_at(const L& list, int64_t position, typename L::Element& out) {
  const int64_t at = position > 0 ? position - 1 : position < 0 ? list.length + position : -1;
  if (at < 0 || at >= list.length || list.is_null(at)) return false;
  out = list.value(at);
  return true;
}
template <typename L>
__device__ inline bool first_known(const L& list, typename L::Element& out) {
  for (int64_t i = 0; i < list.length; ++i) {
    if (list.is_null(i)) continue;
    out = list.value(i);
    return true;
  }
  return false;
}

// A lane's value in all lanes of the warp.
template <typename T>
__device__ inline T from_lane(const T& value, int lane) {
  static_assert(sizeof(T) % 4 == 0);
  constexpr int words = sizeof(T) / 4;
  uint32_t out[words];
  memcpy(out, &value, sizeof(T));
#pragma unroll
  for (int i = 0; i < words; ++i) out[i] = __shfl_sync(0xffffffffu, out[i], lane);
  T result;
  memcpy(&result, out, sizeof(T));
  return result;
}

// Writes the elements of row `i`, a warp a row; all lanes call it, those without a list with `there` false.
template <typename L>
__device__ inline void write_list(const ListOutput& out, int64_t i, bool there, const L& list) {
  using T = typename L::Element;
  constexpr unsigned all = 0xffffffffu;
  const unsigned rows = __ballot_sync(all, there && list.length > 0);
  const int64_t own = there ? out.starts[i] : 0;
  unsigned long long nulls = 0;
  for (int source = 0; source < 32; ++source) {
    if (((rows >> source) & 1) == 0) continue;
    const L at = from_lane(list, source);
    const auto start = static_cast<int64_t>(__shfl_sync(all, static_cast<long long>(own), source));
    for (int64_t k = threadIdx.x & 31; k < at.length; k += 32) {
      const bool null = at.is_null(k);
      static_cast<T*>(out.elements)[start + k] = null ? T{} : at.value(k);
      if (!null) continue;
      atomicAnd(out.validity + ((start + k) >> 5), ~(1u << ((start + k) & 31)));
      ++nulls;
    }
  }
  if (nulls != 0) atomicAdd(out.nulls, nulls);
}

#endif

}  // namespace quern::cuda
