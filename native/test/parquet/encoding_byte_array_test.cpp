#include "reference_encoder.hpp"

namespace quern::parquet {
namespace {

using namespace reference;

std::vector<std::string> random_strings(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::string> values(count);
  std::string value;
  for (std::string& out : values) {
    value.resize(random() % (value.size() + 1));
    for (uint32_t i = random() % 12; i > 0; --i) value.push_back(static_cast<char>('a' + random() % 26));
    out = value;
  }
  return values;
}

std::vector<std::string> strings(const ByteArrays& arrays) {
  std::vector<std::string> out;
  for (int64_t i = 0; i < arrays.count; ++i) {
    out.emplace_back(reinterpret_cast<const char*>(arrays.bytes) + arrays.offsets[i],
                     static_cast<size_t>(arrays.offsets[i + 1] - arrays.offsets[i]));
  }
  return out;
}

TEST(DeltaLengthByteArray, RoundTrip) {
  Memory memory(1 << 24);
  for (int64_t size : sizes) {
    const std::vector<std::string> values = random_strings(static_cast<size_t>(size), 3);
    const Exact bytes(delta_length(values));
    EXPECT_EQ(strings(read_delta_length_byte_array(memory, bytes, size)), values);
    EXPECT_EQ(strings(read_delta_length_byte_array(memory, bytes, INT64_MAX)), values);
    const std::vector<std::string> half(values.begin(), values.begin() + size / 2);
    EXPECT_EQ(strings(read_delta_length_byte_array(memory, bytes, size / 2)), half);
  }
  EXPECT_EQ(read_delta_length_byte_array(memory, Bytes(), 0).count, 0);
}

TEST(DeltaByteArray, RoundTrip) {
  Memory memory(1 << 24);
  for (int64_t size : sizes) {
    const std::vector<std::string> values = random_strings(static_cast<size_t>(size), 4);
    const Exact bytes(delta_byte_array(values));
    EXPECT_EQ(strings(read_delta_byte_array(memory, bytes, size)), values);
    const std::vector<std::string> half(values.begin(), values.begin() + size / 2);
    EXPECT_EQ(strings(read_delta_byte_array(memory, bytes, size / 2)), half);
  }
  EXPECT_EQ(read_delta_byte_array(memory, Bytes(), 0).count, 0);
}

TEST(DeltaLengthByteArray, RefusesDamage) {
  Memory memory(1 << 24);
  const auto read = [&](const std::vector<int64_t>& lengths, size_t data) {
    Encoded encoded = delta(lengths);
    encoded.resize(encoded.size() + data, 'x');
    const Exact bytes(encoded);
    return corrupt_message([&] { read_delta_length_byte_array(memory, bytes, 100); });
  };
  EXPECT_EQ(read({3, -1, 4}, 100), "delta length byte array: length -1");
  EXPECT_EQ(read({3, 1LL << 40}, 100), "delta length byte array: length 1099511627776");
  EXPECT_EQ(read({3, 4}, 6), "delta length byte array: lengths sum to 7, bytes left 6");
}

TEST(DeltaByteArray, RefusesDamage) {
  Memory memory(1 << 24);
  const auto read = [&](const std::vector<int64_t>& prefixes, const std::vector<std::string>& suffixes) {
    Encoded encoded = delta(prefixes);
    append(encoded, delta_length(suffixes));
    const Exact bytes(encoded);
    return corrupt_message([&] { read_delta_byte_array(memory, bytes, 100); });
  };
  EXPECT_EQ(read({1, 0}, {"ab", "c"}), "delta byte array: prefix 1 is longer than the value before it, 0");
  EXPECT_EQ(read({0, 3}, {"ab", "c"}), "delta byte array: prefix 3 is longer than the value before it, 2");
  EXPECT_EQ(read({0, -1}, {"ab", "c"}), "delta byte array: length -1");
  EXPECT_EQ(read({0, 1, 1}, {"ab", "c"}), "delta byte array: 3 prefixes, 2 suffixes");
}

TEST(DeltaByteArray, ChargesTheBytesItBuilds) {
  // 3,000 values of 1 MB in a page of 1 MB.
  Memory memory(64 << 20);
  std::vector<int64_t> prefixes(3000, 1 << 20);
  prefixes[0] = 0;
  std::vector<std::string> suffixes(3000);
  suffixes[0] = std::string(1 << 20, 'x');
  Encoded encoded = delta(prefixes);
  append(encoded, delta_length(suffixes));
  const Exact bytes(encoded);
  try {
    read_delta_byte_array(memory, bytes, 3000);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::oom);
  }
}

TEST(ByteStreamSplit, EveryWidthAndSize) {
  for (int width : {1, 2, 3, 4, 5, 8, 12, 16, 17, 40}) {
    for (int64_t size : sizes) {
      const size_t total = static_cast<size_t>(size) * static_cast<size_t>(width);
      Encoded values(total), split(total);
      std::mt19937 random(static_cast<uint32_t>(width));
      for (size_t i = 0; i < total; ++i) {
        values[i] = static_cast<uint8_t>(random());
        split[i % static_cast<size_t>(width) * static_cast<size_t>(size) + i / static_cast<size_t>(width)] = values[i];
      }
      const Exact bytes(split);
      for (int64_t start : {int64_t{0}, size / 3, size}) {
        const size_t from = static_cast<size_t>(start * width);
        Encoded out(total - from);
        read_byte_stream_split(bytes, width, size, start, size - start, out.data());
        ASSERT_TRUE(std::equal(out.begin(), out.end(), values.begin() + static_cast<ptrdiff_t>(from)))
            << "width " << width << " size " << size << " start " << start;
      }
    }
  }
}

TEST(ByteStreamSplit, RefusesWrongSizes) {
  const Exact bytes(Encoded(10));
  uint8_t out[100];
  EXPECT_EQ(corrupt_message([&] { read_byte_stream_split(bytes, 4, 3, 0, 3, out); }),
            "byte stream split: 10 bytes for 3 values of 4 bytes");
  corrupt_message([&] { read_byte_stream_split(bytes, 4, 2, 0, 2, out); });
  corrupt_message([&] { read_byte_stream_split(bytes, 0, 10, 0, 2, out); });
  corrupt_message([&] { read_byte_stream_split(bytes, -1, 10, 0, 2, out); });
  EXPECT_EQ(corrupt_message([&] { read_byte_stream_split(bytes, 5, 2, 1, 2, out); }),
            "byte stream split: 2 values are fewer than the page needs");
}

}  // namespace
}  // namespace quern::parquet
