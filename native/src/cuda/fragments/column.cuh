// What a compiled pipeline sees of its input. Compiled by nvcc and by NVRTC; includes only ops.
#pragma once
#include "cuda/fragments/join_table.cuh"
#include "ops/text.hpp"

namespace quern::cuda {

// A device column; see cuda/device_column.hpp.
struct ColumnView {
  const void* data;
  const uint32_t* validity;  // nullptr = no row is null
  const void* offsets;
  bool wide;
  const void* elements;  // of lists of fixed width
  const uint32_t* element_validity;
};

// A literal or a string's view, in 16 bytes.
struct alignas(16) Literal {
  uint64_t words[2];
};

struct Input {
  const ColumnView* columns;
  const Literal* literals;
  const uint32_t* rows;  // nullptr = `count` rows from `first` on
  int64_t first;
  int64_t count;
  unsigned long long* failure;  // the least row for which an expression failed
  const JoinView* joins;        // tables that the kernel looks into
  unsigned long long* counts;   // rows that fused nodes let through; nullptr = rows that were counted before
  int64_t before;               // rows of the batches before this one
};

// A column under construction; validity is nullptr where no row can be null.
struct OutputView {
  void* data;
  uint32_t* validity;
  unsigned long long* nulls;
};

QUERN_HD inline bool is_null(const ColumnView& column, int64_t row) {
  return column.validity != nullptr && ((column.validity[row >> 5] >> (row & 31)) & 1) == 0;
}

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

template <typename T>
__device__ inline T value_at(const ColumnView& column, int64_t row) {
  return static_cast<const T*>(column.data)[row];
}
template <>
__device__ inline StringView value_at(const ColumnView& column, int64_t row) {
  const int64_t start =
      column.wide ? static_cast<const int64_t*>(column.offsets)[row] : static_cast<const int32_t*>(column.offsets)[row];
  const int64_t end = column.wide ? static_cast<const int64_t*>(column.offsets)[row + 1]
                                  : static_cast<const int32_t*>(column.offsets)[row + 1];
  return make_string_view(static_cast<const char*>(column.data) + start, static_cast<uint32_t>(end - start));
}

// Of a part of a text: short ones are copied, long ones lie in memory that outlives the kernel.
__device__ inline StringView view_of_text(ops::Text text) {
  return make_string_view(text.data, static_cast<uint32_t>(text.length));
}

template <typename T>
__device__ inline T literal(const Input& in, int i) {
  return ops::load<T>(&in.literals[i]);
}

__device__ inline void fail(const Input& in, int64_t row) {
  atomicMin(in.failure, static_cast<unsigned long long>(row));
}

// Adds a thread's rows to the count of fused node `node`; all lanes of the warp call it.
__device__ inline void count_rows(const Input& in, int node, unsigned rows) {
  const unsigned sum = __reduce_add_sync(0xffffffffu, rows);
  if (in.counts != nullptr && (threadIdx.x & 31) == 0)
    atomicAdd(in.counts + node, static_cast<unsigned long long>(sum));
}

// Stores row `i` of the result; every lane of the warp calls it, those past the end with `live` false.
template <typename T>
__device__ inline void put(const OutputView& out, int64_t i, bool live, const T& value, bool null) {
  if (live) static_cast<T*>(out.data)[i] = null ? T{} : value;
  if (out.validity == nullptr) return;
  const unsigned valid = __ballot_sync(0xffffffffu, !live || !null);
  if ((threadIdx.x & 31) == 0) {
    out.validity[i >> 5] = valid;
    if (valid != 0xffffffffu) atomicAdd(out.nulls, static_cast<unsigned long long>(__popc(~valid)));
  }
}

#endif

}  // namespace quern::cuda
