// Words to sort by, a thread a row: 4 bytes of row number and a value in, 8 bytes out. Test: test/cuda/sort_test.cpp.
#include "cuda/sort_kernels.hpp"

#include "cuda/launch.cuh"
#include "ops/compare.hpp"

namespace quern::cuda {

namespace {

__global__ void number_rows_kernel(int64_t count, uint32_t* rows) {
  for (int64_t i = thread_index(); i < count; i += thread_count()) rows[i] = static_cast<uint32_t>(i);
}

template <typename T>
__device__ uint64_t integer_word(const void* values, int64_t row, uint64_t sign) {
  return static_cast<uint64_t>(static_cast<int64_t>(static_cast<const T*>(values)[row])) ^ sign;
}

// -0.0 equals 0.0, NaN is greatest.
__device__ uint64_t real_word(double value) {
  if (value != value) return ~0ULL;
  const auto bits = static_cast<uint64_t>(__double_as_longlong(value == 0 ? 0.0 : value));
  return (bits >> 63) != 0 ? ~bits : bits | (1ULL << 63);
}

__device__ uint64_t word_at(OrderForm form, const void* values, int64_t row) {
  constexpr uint64_t sign = 1ULL << 63;
  switch (form) {
    case OrderForm::int8:
      return integer_word<int8_t>(values, row, sign);
    case OrderForm::int16:
      return integer_word<int16_t>(values, row, sign);
    case OrderForm::int32:
      return integer_word<int32_t>(values, row, sign);
    case OrderForm::int64:
      return integer_word<int64_t>(values, row, sign);
    case OrderForm::uint8:
      return integer_word<uint8_t>(values, row, 0);
    case OrderForm::uint16:
      return integer_word<uint16_t>(values, row, 0);
    case OrderForm::uint32:
      return integer_word<uint32_t>(values, row, 0);
    case OrderForm::uint64:
      return static_cast<const uint64_t*>(values)[row];
    case OrderForm::float32:
      return real_word(static_cast<const float*>(values)[row]);
    case OrderForm::float64:
      return real_word(static_cast<const double*>(values)[row]);
    case OrderForm::low_128:
      return static_cast<const uint64_t*>(values)[2 * row];
    case OrderForm::high_128:
      return static_cast<const uint64_t*>(values)[2 * row + 1] ^ sign;
    case OrderForm::high_unsigned_128:
      return static_cast<const uint64_t*>(values)[2 * row + 1];
    case OrderForm::interval_time:
      return static_cast<uint64_t>(ops::normalise(static_cast<const Interval*>(values)[row]).micros) ^ sign;
    case OrderForm::interval_date: {
      const Interval same = ops::normalise(static_cast<const Interval*>(values)[row]);
      return static_cast<uint64_t>(static_cast<uint32_t>(same.months) ^ 0x80000000U) << 32 |
             (static_cast<uint32_t>(same.days) ^ 0x80000000U);
    }
  }
  return 0;
}

__device__ bool is_null_at(const uint32_t* validity, int64_t row) {
  return validity != nullptr && ((validity[row >> 5] >> (row & 31)) & 1) == 0;
}

__global__ void order_words_kernel(OrderForm form, const void* values, const uint32_t* validity, bool descending,
                                   const uint32_t* rows, int64_t count, uint64_t* words) {
  for (int64_t i = thread_index(); i < count; i += thread_count()) {
    const int64_t row = rows[i];
    const uint64_t word = is_null_at(validity, row) ? 0 : word_at(form, values, row);
    words[i] = descending && !is_null_at(validity, row) ? ~word : word;
  }
}

__global__ void null_words_kernel(const uint32_t* validity, bool nulls_first, const uint32_t* rows, int64_t count,
                                  uint64_t* words) {
  for (int64_t i = thread_index(); i < count; i += thread_count())
    words[i] = is_null_at(validity, rows[i]) != nulls_first ? 1 : 0;
}

}  // namespace

void number_rows(Device& device, int64_t count, uint32_t* rows) {
  if (count == 0) return;
  QUERN_LAUNCH(number_rows_kernel, count, block_threads, count, rows);
}

void order_words(Device& device, OrderForm form, const void* values, const uint32_t* validity, bool descending,
                 const uint32_t* rows, int64_t count, uint64_t* words) {
  if (count == 0) return;
  QUERN_LAUNCH(order_words_kernel, count, block_threads, form, values, validity, descending, rows, count, words);
}

void null_words(Device& device, const uint32_t* validity, bool nulls_first, const uint32_t* rows, int64_t count,
                uint64_t* words) {
  if (count == 0) return;
  QUERN_LAUNCH(null_words_kernel, count, block_threads, validity, nulls_first, rows, count, words);
}

}  // namespace quern::cuda
