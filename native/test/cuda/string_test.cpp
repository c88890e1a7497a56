// Numbers of strings against a map on the host (emulated as well).
#include <map>

#include "cuda/device_fixture.hpp"
#include "cuda/string_columns.hpp"
#include "cuda/string_ids.hpp"

namespace quern {
namespace {

using test::Nulls;
using test::Text;

struct Shape {
  uint64_t domain;
  Nulls nulls;
  uint64_t first_slots;
  int64_t offset_limit;
};

// The rows in three batches: the numbers are those of one map, and give the strings back.
void check_numbers(cuda::Device& device, int64_t rows, const Shape& shape) {
  SCOPED_TRACE(testing::Message() << rows << " rows of " << shape.domain << " strings, " << shape.first_slots
                                  << " slots, offsets up to " << shape.offset_limit);
  Memory memory(1LL << 30);
  const TypePtr type = make_type(rows % 2 == 0 ? TypeKind::string : TypeKind::binary);
  const cuda::Layout layout{shape.offset_limit};
  cuda::StringIds ids(device, layout, type, shape.first_slots);
  std::map<std::string, uint32_t> known;
  for (uint64_t batch = 0; batch < 3; ++batch) {
    const auto texts = test::some_texts(rows, shape.domain, shape.nulls, batch + 10);
    const auto strings = cuda::to_device(device, memory, layout, type, {test::column_of_texts(memory, type, texts)});
    const auto numbers = ids.number(*strings);
    const auto found = cuda::to_host(device, memory, *numbers);
    const auto again = cuda::to_host(device, memory, *ids.strings(*numbers));
    ASSERT_EQ(found->length, rows);
    for (int64_t i = 0; i < rows; ++i) {
      const Text& text = texts[static_cast<size_t>(i)];
      const uint32_t number = found->values<uint32_t>()[i];
      ASSERT_EQ(found->is_valid(i), text.has_value());
      ASSERT_EQ(test::text_at(*again, i), text) << i;
      if (!text)
        ASSERT_EQ(number, 0U);
      else
        ASSERT_EQ(known.emplace(*text, number).first->second, number) << i;
    }
    ASSERT_EQ(ids.count(), static_cast<int64_t>(known.size()));
  }
  std::vector<bool> taken(known.size() + 1);
  for (const auto& [text, number] : known) {
    ASSERT_GE(number, 1U);
    ASSERT_LE(number, known.size());
    ASSERT_FALSE(taken[number]);
    taken[number] = true;
  }
}

TEST(StringIds, NumberDistinctStrings) {
  REQUIRE_DEVICE();
  for (const int64_t rows : {0, 1, 31, 32, 33, 255, 256, 257, 5003}) {
    for (const Nulls nulls : {Nulls::none, Nulls::some, Nulls::all}) {
      for (const uint64_t domain : {1ULL, 2ULL, 100ULL, 1ULL << 40}) {
        for (const uint64_t slots : {16ULL, 1ULL << 14}) check_numbers(device, rows, {domain, nulls, slots, 1 << 30});
      }
    }
  }
  check_numbers(device, 3000, {5000, Nulls::some, 64, 10});
}

}  // namespace
}  // namespace quern
