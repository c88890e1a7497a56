// Columns go to the device and come back, and move there by rows, as the host's verbs do it.
#include <random>

#include "cuda/device_fixture.hpp"
#include "cuda/random_columns.hpp"

namespace quern {
namespace {

using test::columns, test::Nulls, test::sizes;

template <typename Test>
void for_each_column(Test test) {
  Memory memory(8LL << 30);
  for (const int64_t limit : {(1LL << 31) - 1, 16LL}) {
    for (const int64_t rows : sizes) {
      for (const Nulls nulls : {Nulls::none, Nulls::some, Nulls::all}) {
        for (const auto& column : columns(memory, rows, nulls)) {
          SCOPED_TRACE(type_name(*column->type) + ", rows " + std::to_string(rows) + ", nulls " +
                       std::to_string(static_cast<int>(nulls)) + ", offset limit " + std::to_string(limit));
          test(memory, cuda::Layout{limit}, column);
          if (::testing::Test::HasFailure()) return;
        }
      }
    }
  }
}

TEST(DeviceColumn, GoesThereAndBack) {
  REQUIRE_DEVICE();
  for_each_column([&](Memory& memory, const cuda::Layout& layout, const ColumnPtr& column) {
    const auto there = cuda::to_device(device, memory, layout, column->type, {column});
    EXPECT_EQ(there->null_count, column->null_count);
    EXPECT_EQ(test::rows_of(*cuda::to_host(device, memory, *there)), test::rows_of(*column));
  });
}

TEST(DeviceColumn, SlicesAndPiecesAreJoined) {
  REQUIRE_DEVICE();
  for_each_column([&](Memory& memory, const cuda::Layout& layout, const ColumnPtr& column) {
    const int64_t at = column->length / 3;
    const std::vector<ColumnPtr> pieces = {slice(memory, column, at, column->length - at),
                                           slice(memory, column, 0, at)};
    const auto there = cuda::to_device(device, memory, layout, column->type, pieces);
    EXPECT_EQ(test::rows_of(*cuda::to_host(device, memory, *there)),
              test::rows_of(*concat(memory, column->type, pieces)));
  });
}

TEST(DeviceColumn, GathersRows) {
  REQUIRE_DEVICE();
  for_each_column([&](Memory& memory, const cuda::Layout& layout, const ColumnPtr& column) {
    if (column->length == 0) return;
    std::mt19937_64 random(11);
    std::vector<uint32_t> rows(static_cast<size_t>(column->length * 5 / 4));
    for (auto& row : rows) row = static_cast<uint32_t>(random() % static_cast<uint64_t>(column->length));
    const auto there = cuda::to_device(device, memory, layout, column->type, {column});
    const auto ids = device.memory.allocate(rows.size() * 4);
    device.staging.to_device(ids->data(), rows.data(), rows.size() * 4);
    const auto count = static_cast<int64_t>(rows.size());
    const auto moved = cuda::gather(device, layout, *there, ids->as<uint32_t>(), count);
    const auto expected = gather(memory, column, rows.data(), count);
    EXPECT_EQ(moved->null_count, expected->null_count);
    EXPECT_EQ(test::rows_of(*cuda::to_host(device, memory, *moved)), test::rows_of(*expected));
  });
}

TEST(DeviceColumn, GathersRowsOrNull) {
  REQUIRE_DEVICE();
  for_each_column([&](Memory& memory, const cuda::Layout& layout, const ColumnPtr& column) {
    std::mt19937_64 random(12);
    std::vector<int64_t> rows(static_cast<size_t>(column->length * 5 / 4 + 3), -1);
    for (auto& row : rows) {
      if (column->length > 0 && random() % 4 != 0)
        row = static_cast<int64_t>(random() % static_cast<uint64_t>(column->length));
    }
    const auto there = cuda::to_device(device, memory, layout, column->type, {column});
    const auto ids = device.memory.allocate(rows.size() * 8);
    device.staging.to_device(ids->data(), rows.data(), rows.size() * 8);
    const auto count = static_cast<int64_t>(rows.size());
    const auto moved = cuda::gather_or_null(device, layout, *there, ids->as<int64_t>(), count);
    const auto expected = gather(memory, column, rows.data(), count);
    EXPECT_EQ(moved->null_count, expected->null_count);
    EXPECT_EQ(test::rows_of(*cuda::to_host(device, memory, *moved)), test::rows_of(*expected));
  });
}

TEST(DeviceColumn, Slices) {
  REQUIRE_DEVICE();
  for_each_column([&](Memory& memory, const cuda::Layout& layout, const ColumnPtr& column) {
    const auto there = cuda::to_device(device, memory, layout, column->type, {column});
    const int64_t rows = column->length;
    for (const auto& [first, count] : std::vector<std::pair<int64_t, int64_t>>{
             {0, rows}, {0, rows / 2}, {rows / 3, rows / 2}, {rows / 3, rows - rows / 3}, {rows, 0}}) {
      const auto part = cuda::slice(device, layout, there, first, count);
      const auto expected = slice(memory, column, first, count);
      EXPECT_EQ(part->null_count, expected->null_count);
      EXPECT_EQ(test::rows_of(*cuda::to_host(device, memory, *part)), test::rows_of(*expected));
      // Offsets begin at 0: what stands on a slice works as on a whole column.
      EXPECT_EQ(test::rows_of(*cuda::to_host(device, memory, *cuda::concat(device, layout, {part, there}))),
                test::rows_of(*concat(memory, column->type, {expected, column})));
    }
  });
}

TEST(DeviceColumn, Concatenates) {
  REQUIRE_DEVICE();
  for_each_column([&](Memory& memory, const cuda::Layout& layout, const ColumnPtr& column) {
    const int64_t at = column->length / 3;
    const std::vector<ColumnPtr> pieces = {slice(memory, column, 0, at), slice(memory, column, at, 0),
                                           slice(memory, column, at, column->length - at), column};
    std::vector<cuda::DeviceColumnPtr> there;
    for (const auto& piece : pieces) there.push_back(cuda::to_device(device, memory, layout, column->type, {piece}));
    const auto joined = cuda::concat(device, layout, there);
    EXPECT_EQ(test::rows_of(*cuda::to_host(device, memory, *joined)),
              test::rows_of(*concat(memory, column->type, pieces)));
  });
}

TEST(DeviceColumn, SelectsRows) {
  REQUIRE_DEVICE();
  for (const int64_t rows : sizes) {
    for (const uint32_t word : {0u, ~0u, 0xa5a50f01u}) {
      std::vector<uint32_t> mask(static_cast<size_t>((rows + 31) / 32) + 1, word);
      std::vector<uint32_t> expected;
      for (int64_t i = 0; i < rows; ++i) {
        if ((mask[static_cast<size_t>(i / 32)] >> (i % 32)) & 1) expected.push_back(static_cast<uint32_t>(i));
      }
      const auto bits = device.memory.allocate(mask.size() * 4);
      device.staging.to_device(bits->data(), mask.data(), mask.size() * 4);
      const auto selected = cuda::select(device, bits->as<uint32_t>(), rows);
      ASSERT_EQ(selected.count, static_cast<int64_t>(expected.size())) << rows;
      std::vector<uint32_t> found(expected.size());
      device.staging.to_host(found.data(), selected.rows->data(), found.size() * 4);
      EXPECT_EQ(found, expected) << rows;
    }
  }
}

TEST(DeviceMemory, RefusesWhatTheBudgetDoesNotHold) {
  REQUIRE_DEVICE();
  cuda::DeviceMemory memory(0, device.stream.get(), 1 << 20);
  const auto held = memory.allocate(1 << 19);
  try {
    memory.allocate((1 << 19) + 1);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::oom);
    EXPECT_EQ(error.message(), "out of device memory: asked for 524544 bytes, 524288 in use of 1048576 allowed");
  }
  EXPECT_EQ(memory.used(), 1 << 19);
}

// Views into bytes on the device, short ones inside.
TEST(DeviceColumn, StringsOfViews) {
  REQUIRE_DEVICE();
  Memory memory(1LL << 30);
  for (const int64_t rows : {0, 1, 31, 32, 33, 255, 256, 257, 5003}) {
    for (const Nulls nulls : {Nulls::none, Nulls::some, Nulls::all}) {
      const auto texts = test::texts(memory, rows, nulls, 4);
      const auto strings = cuda::to_device(device, memory, {}, texts->type, {texts});
      std::vector<StringView> views(static_cast<size_t>(rows));
      int64_t at = 0;
      for (int64_t i = 0; i < rows; ++i) {
        StringView& view = views[static_cast<size_t>(i)];
        view = texts->values<StringView>()[i];
        if (!texts->is_valid(i)) continue;
        if (!view.is_inline()) view.pointer = strings->data->as<char>() + at;
        at += view.length;
      }
      auto column = std::make_shared<cuda::DeviceColumn>(*strings);
      column->offsets = nullptr;
      column->data = device.memory.allocate(views.size() * sizeof(StringView));
      device.staging.to_device(column->data->data(), views.data(), views.size() * sizeof(StringView));
      for (const int64_t limit : {(int64_t{1} << 31) - 1, int64_t{4}}) {
        const auto found = cuda::strings_of_views(device, {limit}, *column);
        ASSERT_EQ(test::rows_of(*cuda::to_host(device, memory, *found)), test::rows_of(*texts)) << rows;
      }
    }
  }
}

}  // namespace
}  // namespace quern
