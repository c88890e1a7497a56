// Columns go to the device and come back, and move there by rows, as the host's verbs do it.
#include <cstring>
#include <random>

#include "cuda/device_fixture.hpp"

namespace quern {
namespace {

// 0, 1, a word and a block of rows with one more and one less, many blocks.
const std::vector<int64_t> sizes = {0, 1, 31, 32, 33, 255, 256, 257, 2047, 100003};
enum class Nulls { none, some, all };

ColumnPtr numbers(Memory& memory, const TypePtr& type, int64_t rows, Nulls nulls, uint64_t seed) {
  std::mt19937_64 random(seed);
  ColumnBuilder out(memory, type, rows, true);
  const int32_t bytes = width(*type);
  for (int64_t i = 0; i < rows; ++i) {
    if (nulls == Nulls::all || (nulls == Nulls::some && random() % 3 == 0)) {
      out.set_null(i);
      continue;
    }
    uint64_t words[2] = {random(), random() >> 20};
    if (type->kind == TypeKind::boolean) words[0] &= 1;
    if (type->kind == TypeKind::float32) words[0] &= 0x7f0fffffULL;
    std::memcpy(out.data<uint8_t>() + i * bytes, words, static_cast<size_t>(bytes));
  }
  return out.finish();
}

ColumnPtr texts(Memory& memory, int64_t rows, Nulls nulls, uint64_t seed) {
  std::mt19937_64 random(seed);
  ColumnBuilder out(memory, make_type(TypeKind::string), rows, true);
  StringHeap heap(memory);
  for (int64_t i = 0; i < rows; ++i) {
    if (nulls == Nulls::all || (nulls == Nulls::some && random() % 3 == 0)) {
      out.set_null(i);
      continue;
    }
    // Short, long and now and then very long ones, at every alignment.
    std::string text(random() % (i % 97 == 0 ? 700 : 20), 'a');
    for (auto& c : text) c = static_cast<char>('a' + random() % 26);
    out.data<StringView>()[i] = heap.append(text.data(), text.size());
  }
  out.keep(heap.owners());
  return out.finish();
}

// Lists over elements that `make` gives.
template <typename Make>
ColumnPtr lists(Memory& memory, const TypePtr& element, int64_t rows, Nulls nulls, uint64_t seed, Make make) {
  std::mt19937_64 random(seed);
  ColumnBuilder out(memory, make_list(element), rows, true);
  int64_t elements = 0;
  for (int64_t i = 0; i < rows; ++i) {
    const auto length = static_cast<int64_t>(random() % (i % 53 == 0 ? 200 : 6));
    if (nulls == Nulls::all || (nulls == Nulls::some && random() % 3 == 0))
      out.set_null(i);
    else if (length > 0)
      out.data<ListEntry>()[i] = {elements, length};
    if (out.data<ListEntry>()[i].length > 0) elements += length;
  }
  out.add_child(make(elements));
  return out.finish();
}

std::vector<ColumnPtr> columns(Memory& memory, int64_t rows, Nulls nulls) {
  std::vector<ColumnPtr> out;
  for (const TypeKind kind : {TypeKind::boolean, TypeKind::int16, TypeKind::int32, TypeKind::int64, TypeKind::uuid})
    out.push_back(numbers(memory, make_type(kind), rows, nulls, 1));
  out.push_back(texts(memory, rows, nulls, 2));
  const TypePtr real = make_type(TypeKind::float32), byte = make_type(TypeKind::int8);
  const auto reals = [&](int64_t n) { return numbers(memory, real, n, nulls, 3); };
  out.push_back(lists(memory, real, rows, nulls, 4, reals));
  out.push_back(
      lists(memory, byte, rows, nulls, 5, [&](int64_t n) { return numbers(memory, byte, n, Nulls::none, 6); }));
  out.push_back(lists(memory, make_type(TypeKind::string), rows, nulls, 7,
                      [&](int64_t n) { return texts(memory, n, nulls, 8); }));
  out.push_back(lists(memory, make_list(real), rows, nulls, 9,
                      [&](int64_t n) { return lists(memory, real, n, nulls, 10, reals); }));
  return out;
}

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

}  // namespace
}  // namespace quern
