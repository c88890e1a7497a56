// Rows sorted on the device, against a stable sort on the host.
#include <algorithm>
#include <numeric>

#include "columnar/compare.hpp"
#include "cuda/device_fixture.hpp"
#include "cuda/random_columns.hpp"
#include "cuda/sort_rows.hpp"

namespace quern {
namespace {

using test::Nulls;

std::vector<uint32_t> sorted_on_host(const std::vector<ColumnPtr>& columns, const std::vector<cuda::SortColumn>& keys,
                                     int64_t rows) {
  std::vector<uint32_t> order(static_cast<size_t>(rows));
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    for (size_t i = 0; i < keys.size(); ++i) {
      const Column& column = *columns[i];
      const bool left = column.is_valid(a), right = column.is_valid(b);
      if (left != right) return left != keys[i].nulls_first;
      if (!left) continue;
      const int sign = compare_values(column, a, column, b);
      if (sign != 0) return keys[i].descending ? sign > 0 : sign < 0;
    }
    return false;
  });
  return order;
}

TEST(DeviceSort, IsStableByAnyKeys) {
  REQUIRE_DEVICE();
  Memory memory(1LL << 30);
  const std::vector<TypePtr> types = {make_type(TypeKind::boolean), make_type(TypeKind::int16),
                                      make_type(TypeKind::float32), make_decimal(30, 2), make_type(TypeKind::uint64)};
  for (const int64_t rows : {0, 1, 31, 32, 33, 255, 256, 257, 20011}) {
    for (const Nulls nulls : {Nulls::none, Nulls::some, Nulls::all}) {
      for (size_t first = 0; first < types.size(); ++first) {
        for (const bool descending : {false, true}) {
          std::vector<ColumnPtr> columns;
          std::vector<cuda::SortColumn> keys;
          for (const size_t type : {size_t{0}, first}) {
            columns.push_back(test::numbers(memory, types[type], rows, nulls, 3 + first));
            keys.push_back(
                {cuda::to_device(device, memory, {}, types[type], {columns.back()}), descending, !descending});
          }
          const auto order = cuda::sort_rows(device, keys, rows);
          std::vector<uint32_t> found(static_cast<size_t>(rows));
          device.staging.to_host(found.data(), order->data(), found.size() * 4);
          ASSERT_EQ(found, sorted_on_host(columns, keys, rows))
              << type_name(*types[first]) << ", rows " << rows << ", descending " << descending;
        }
      }
    }
  }
}

// The candidates hold the first rows of the order, and not many others unless they tie.
TEST(DeviceSort, FindsTheFirstRows) {
  REQUIRE_DEVICE();
  Memory memory(1LL << 30);
  const std::vector<TypePtr> types = {make_type(TypeKind::boolean), make_type(TypeKind::int16),
                                      make_type(TypeKind::float32), make_type(TypeKind::float64),
                                      make_decimal(30, 2),          make_type(TypeKind::uint64)};
  for (const int64_t rows : {1, 31, 33, 257, 70001}) {
    for (const Nulls nulls : {Nulls::none, Nulls::some, Nulls::all}) {
      for (const auto& type : types) {
        const auto column = test::numbers(memory, type, rows, nulls, 7);
        for (const bool descending : {false, true}) {
          const cuda::SortColumn key{cuda::to_device(device, memory, {}, type, {column}), descending, !descending};
          const auto order = sorted_on_host({column}, {key}, rows);
          for (const int64_t wanted : {int64_t{1}, std::min<int64_t>(rows, 10), rows / 2 + 1}) {
            const auto found = cuda::first_rows(device, key, rows, wanted);
            std::vector<uint32_t> ids(static_cast<size_t>(found.count));
            device.staging.to_host(ids.data(), found.rows->data(), ids.size() * 4);
            ASSERT_TRUE(std::is_sorted(ids.begin(), ids.end()));
            for (int64_t i = 0; i < wanted; ++i) {
              ASSERT_TRUE(std::binary_search(ids.begin(), ids.end(), order[static_cast<size_t>(i)]))
                  << type_name(*type) << ", rows " << rows << ", wanted " << wanted << ", place " << i;
            }
            const bool ties = width(*type) < 4 || type->kind == TypeKind::decimal || nulls != Nulls::none;
            if (!ties) ASSERT_LE(found.count, std::max<int64_t>(4 * wanted, 1 << 14));
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace quern
