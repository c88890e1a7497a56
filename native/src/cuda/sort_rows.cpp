#include "cuda/sort_rows.hpp"

#include "cuda/sort_kernels.hpp"
#include "cuda/string_ranks.hpp"

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

}  // namespace quern::cuda
