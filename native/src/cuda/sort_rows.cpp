#include "cuda/sort_rows.hpp"

#include <algorithm>

#include "cuda/sort_kernels.hpp"
#include "cuda/string_ranks.hpp"
#include "cuda/top_kernels.hpp"

namespace quern::cuda {

namespace {

std::vector<OrderForm> forms_of(const DataType& type) {
  if (type.kind == TypeKind::uuid) return {OrderForm::low_128, OrderForm::high_unsigned_128};
  switch (physical(type)) {
    case Physical::boolean:
    case Physical::uint8:
      return {OrderForm::uint8};
    case Physical::int8:
      return {OrderForm::int8};
    case Physical::int16:
      return {OrderForm::int16};
    case Physical::int32:
      return {OrderForm::int32};
    case Physical::int64:
      return {OrderForm::int64};
    case Physical::uint16:
      return {OrderForm::uint16};
    case Physical::uint32:
      return {OrderForm::uint32};
    case Physical::uint64:
      return {OrderForm::uint64};
    case Physical::float32:
      return {OrderForm::float32};
    case Physical::float64:
      return {OrderForm::float64};
    case Physical::int128:
      return {OrderForm::low_128, OrderForm::high_128};
    case Physical::interval:
      return {OrderForm::interval_time, OrderForm::interval_date};
    default:
      throw internal_error("no order of " + type_name(type) + " on the GPU");
  }
}

}  // namespace

DeviceBufferPtr sort_rows(Device& device, const std::vector<SortColumn>& keys, int64_t rows) {
  const auto size = static_cast<size_t>(rows);
  auto order = device.memory.allocate(size * 4), sorted = device.memory.allocate(size * 4);
  const auto words = device.memory.allocate(size * 8), sorted_words = device.memory.allocate(size * 8);
  number_rows(device, rows, order->as<uint32_t>());
  const auto sort = [&](int bits) {
    sort_pairs(device, words->as<uint64_t>(), order->as<uint32_t>(), rows, bits, sorted_words->as<uint64_t>(),
               sorted->as<uint32_t>());
    std::swap(order, sorted);
  };
  for (auto key = keys.rbegin(); key != keys.rend(); ++key) {
    const DeviceColumnPtr values = has_bytes(*key->column->type) ? string_ranks(device, *key->column) : key->column;
    const auto& column = *values;
    for (const OrderForm form : forms_of(*column.type)) {
      order_words(device, form, column.data->data(), column.valid_words(), key->descending, order->as<uint32_t>(), rows,
                  words->as<uint64_t>());
      sort(64);
    }
    if (column.null_count == 0) continue;
    null_words(device, column.valid_words(), key->nulls_first, order->as<uint32_t>(), rows, words->as<uint64_t>());
    sort(1);
  }
  return order;
}

RowIds first_rows(Device& device, const SortColumn& key, int64_t rows, int64_t wanted) {
  // More candidates than this are worth another look at the words.
  const int64_t enough = std::max<int64_t>(4 * wanted, 1 << 14);
  const auto size = static_cast<size_t>(rows);
  const auto words = device.memory.allocate(size * 8);
  {
    const auto numbers = device.memory.allocate(size * 4);
    number_rows(device, rows, numbers->as<uint32_t>());
    const auto& column = *key.column;
    order_words(device, forms_of(*column.type).back(), column.data->data(), column.valid_words(), key.descending,
                numbers->as<uint32_t>(), rows, words->as<uint64_t>());
    if (column.null_count > 0) bound_nulls(device, column.valid_words(), key.nulls_first, rows, words->as<uint64_t>());
  }
  // Digit by digit from the top: the digit that the last wanted word has.
  uint64_t prefix = 0;
  int64_t below = 0;  // words less than all with the prefix
  int32_t shift = 64 - digit_bits;
  std::vector<uint64_t> found(digit_values);
  for (;; shift = std::max(shift - digit_bits, 0)) {
    const auto counts = device.memory.allocate_zeroed(found.size() * 8);
    count_digits(device, words->as<uint64_t>(), rows, prefix, shift, counts->as<uint64_t>());
    device.staging.to_host(found.data(), counts->data(), found.size() * 8);
    ++device.read_backs;
    size_t digit = 0;
    while (below + static_cast<int64_t>(found[digit]) < wanted) below += static_cast<int64_t>(found[digit++]);
    prefix += digit;
    if (shift == 0 || below + static_cast<int64_t>(found[digit]) <= enough) break;
    prefix <<= std::min(shift, digit_bits);
  }
  const uint64_t bound = prefix << shift | ((1ULL << shift) - 1);
  const auto mask = device.memory.allocate((size + 31) / 32 * 4);
  mask_at_most(device, words->as<uint64_t>(), rows, bound, mask->as<uint32_t>());
  return select(device, mask->as<uint32_t>(), rows);
}

}  // namespace quern::cuda
