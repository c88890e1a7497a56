// Rows sorted on the device, against a stable sort on the host.
#include <algorithm>
#include <numeric>

#include "columnar/compare.hpp"
#include "cuda/device_fixture.hpp"
#include "cuda/sort_rows.hpp"
#include "cuda/string_columns.hpp"

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

void check_order(cuda::Device& device, Memory& memory, const std::vector<ColumnPtr>& columns, bool descending) {
  const int64_t rows = columns[0]->length;
  std::vector<cuda::SortColumn> keys;
  for (const auto& column : columns)
    keys.push_back({cuda::to_device(device, memory, {}, column->type, {column}), descending, !descending});
  const auto order = cuda::sort_rows(device, keys, rows);
  std::vector<uint32_t> found(static_cast<size_t>(rows));
  device.staging.to_host(found.data(), order->data(), found.size() * 4);
  ASSERT_EQ(found, sorted_on_host(columns, keys, rows))
      << type_name(*columns.back()->type) << ", rows " << rows << ", descending " << descending;
}

TEST(DeviceSort, IsStableByAnyKeys) {
  REQUIRE_DEVICE();
  Memory memory(1LL << 30);
  const std::vector<TypePtr> types = {
      make_type(TypeKind::boolean), make_type(TypeKind::int16), make_type(TypeKind::float32), make_decimal(30, 2),
      make_type(TypeKind::uint64),  make_type(TypeKind::uuid),  make_type(TypeKind::interval)};
  for (const int64_t rows : {0, 1, 31, 32, 33, 255, 256, 257, 20011}) {
    for (const Nulls nulls : {Nulls::none, Nulls::some, Nulls::all}) {
      for (size_t first = 0; first < types.size(); ++first) {
        for (const bool descending : {false, true}) {
          check_order(device, memory,
                      {test::numbers(memory, types[0], rows, nulls, 3 + first),
                       test::numbers(memory, types[first], rows, nulls, 3 + first)},
                      descending);
        }
      }
    }
  }
}

TEST(DeviceSort, OrdersStringsByBytes) {
  REQUIRE_DEVICE();
  Memory memory(1LL << 30);
  const TypePtr text = make_type(TypeKind::string), blob = make_type(TypeKind::binary);
  for (const int64_t rows : {0, 1, 31, 32, 33, 255, 256, 257, 5003}) {
    for (const Nulls nulls : {Nulls::none, Nulls::some, Nulls::all}) {
      for (const bool descending : {false, true}) {
        for (const uint64_t domain : {1ULL, 20ULL, 1ULL << 40}) {
          check_order(device, memory, {test::column_of_texts(memory, text, test::some_texts(rows, domain, nulls, 3))},
                      descending);
        }
        check_order(
            device, memory,
            {test::column_of_texts(memory, blob, test::some_texts(rows, 5, nulls, 4)),
             test::numbers(memory, make_type(TypeKind::int16), rows, nulls, 5), test::texts(memory, rows, nulls, 6)},
            descending);
      }
    }
  }
}

// Prefixes of one another, zero bytes, bytes above 0x7f, and long common beginnings.
TEST(DeviceSort, OrdersStringsThatBeginAlike) {
  REQUIRE_DEVICE();
  Memory memory(1LL << 30);
  std::vector<test::Text> texts;
  for (const std::string& begin : {std::string(), std::string(7, 'a'), std::string(8, 'a'), std::string(2000, 'b')}) {
    for (size_t more = 0; more < 20; ++more) {
      for (const char end : {'\0', 'a', '\x80', '\xff'}) texts.push_back(begin + std::string(more, end));
      texts.push_back(begin + std::string(more, '\0') + "a");
    }
  }
  std::shuffle(texts.begin(), texts.end(), std::mt19937_64(1));
  for (const bool descending : {false, true})
    check_order(device, memory, {test::column_of_texts(memory, make_type(TypeKind::binary), texts)}, descending);
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
