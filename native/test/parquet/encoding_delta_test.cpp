#include "reference_encoder.hpp"

namespace quern::parquet {
namespace {

using namespace reference;

// Values whose deltas need about `width` bits.
std::vector<int64_t> random_walk(size_t count, int width, uint32_t seed) {
  const std::vector<uint64_t> deltas = random_values(count, width, seed);
  std::vector<int64_t> values(count);
  uint64_t value = 0x123456789;
  for (size_t i = 0; i < count; ++i) values[i] = static_cast<int64_t>(value += deltas[i]);
  return values;
}

TEST(Delta, EveryWidthSizeAndBlockShape) {
  const std::pair<uint64_t, uint64_t> shapes[] = {{128, 1}, {128, 2}, {128, 4}, {256, 4}, {1024, 32}, {2048, 8}};
  for (int width = 0; width <= 64; ++width) {
    for (int64_t size : sizes) {
      const std::vector<int64_t> values = random_walk(static_cast<size_t>(size), width, 5);
      const auto [block, minis] = shapes[(static_cast<size_t>(width) + static_cast<size_t>(size)) % std::size(shapes)];
      const Exact bytes(delta(values, block, minis, width % 3 == 0 ? 200 : 0));
      DeltaDecoder decoder(bytes);
      ASSERT_EQ(decoder.total(), size);
      std::vector<int64_t> out(values.size());
      decoder.read(out.data(), size);
      ASSERT_EQ(out, values) << "width " << width << " size " << size << " block " << block << '/' << minis;
      ASSERT_EQ(decoder.bytes_consumed(), bytes.size);
      EXPECT_THROW(decoder.read(out.data(), 1), Error);
    }
  }
}

TEST(Delta, ReadsInPiecesAndSkips) {
  for (int width : {0, 1, 7, 20, 33, 58, 64}) {
    const std::vector<int64_t> values = random_walk(5003, width, 9);
    const Exact bytes(delta(values, 256, 2));
    std::mt19937 random(static_cast<uint32_t>(width));
    DeltaDecoder decoder(bytes);
    for (size_t at = 0; at < values.size();) {
      const size_t part = std::min<size_t>(values.size() - at, random() % 10 == 0 ? random() % 900 : random() % 20);
      if (random() % 2) {
        decoder.skip(static_cast<int64_t>(part));
      } else {
        std::vector<int64_t> out(part);
        decoder.read(out.data(), static_cast<int64_t>(part));
        ASSERT_TRUE(std::equal(out.begin(), out.end(), values.begin() + static_cast<ptrdiff_t>(at))) << at;
      }
      at += part;
    }
    DeltaDecoder untouched(bytes);
    EXPECT_EQ(untouched.bytes_consumed(), bytes.size);
    DeltaDecoder half(bytes);
    half.skip(2345);
    EXPECT_EQ(half.bytes_consumed(), bytes.size);
  }
}

TEST(Delta, SumsWrap) {
  const std::vector<int64_t> values = {INT64_MAX, INT64_MIN, 0, -1, INT64_MAX, INT64_MAX, INT64_MIN, 5};
  const Exact bytes(delta(values));
  DeltaDecoder decoder(bytes);
  std::vector<int64_t> out(values.size());
  decoder.read(out.data(), static_cast<int64_t>(values.size()));
  EXPECT_EQ(out, values);
}

TEST(Delta, LowHalvesAreInt32Sums) {
  // The deltas of an INT32 writer wrap at 32 bits: INT32_MIN - INT32_MAX is 1.
  Encoded encoded;
  append_varint(encoded, 128);
  append_varint(encoded, 4);
  append_varint(encoded, 3);
  append_zigzag(encoded, INT32_MAX);
  append_zigzag(encoded, -1);
  append(encoded, {2, 0, 0, 0});
  std::vector<uint64_t> deltas(32, 0);
  deltas[0] = 2;  // +1 wraps to INT32_MIN
  append(encoded, pack(deltas, 2));
  const Exact bytes(encoded);
  DeltaDecoder decoder(bytes);
  int32_t out[3];
  decoder.read(out, 3);
  EXPECT_EQ(out[0], INT32_MAX);
  EXPECT_EQ(out[1], INT32_MIN);
  EXPECT_EQ(out[2], INT32_MAX);
}

TEST(Delta, LastMiniblockMayLackItsPadding) {
  const std::vector<int64_t> values = random_walk(20, 10, 3);
  Encoded encoded = delta(values);
  const size_t whole = encoded.size();
  encoded.resize(whole - 5);  // 12 missing values of 10 bits are 15 bytes
  const Exact bytes(encoded);
  DeltaDecoder decoder(bytes);
  std::vector<int64_t> out(20);
  decoder.read(out.data(), 20);
  EXPECT_EQ(out, values);
  encoded.resize(whole - 20);
  const Exact cut(encoded);
  DeltaDecoder short_decoder(cut);
  EXPECT_EQ(corrupt_message([&] { short_decoder.read(out.data(), 20); }), "delta: ends inside a miniblock");
}

TEST(Delta, NoBytesHoldNoValues) {
  DeltaDecoder decoder{Bytes()};
  EXPECT_EQ(decoder.total(), 0);
  EXPECT_EQ(decoder.bytes_consumed(), 0u);
  int64_t out;
  corrupt_message([&] { decoder.read(&out, 1); });
}

Encoded header(uint64_t block, uint64_t minis, uint64_t total) {
  Encoded out;
  append_varint(out, block);
  append_varint(out, minis);
  append_varint(out, total);
  append_zigzag(out, 0);
  return out;
}

TEST(Delta, RefusesIllegalHeaders) {
  const auto open = [](const Encoded& encoded) {
    const Exact bytes(encoded);
    return corrupt_message([&] { DeltaDecoder decoder(bytes); });
  };
  EXPECT_EQ(open(header(0, 4, 1)), "delta: block size 0 is not a multiple of 128");
  EXPECT_EQ(open(header(100, 4, 1)), "delta: block size 100 is not a multiple of 128");
  EXPECT_EQ(open(header(1ULL << 36, 1ULL << 31, 1)), "delta: block size 68719476736 is not a multiple of 128");
  EXPECT_EQ(open(header(128, 0, 1)), "delta: 0 miniblocks in a block of 128");
  EXPECT_EQ(open(header(128, 3, 1)), "delta: 3 miniblocks in a block of 128");
  EXPECT_EQ(open(header(128, 8, 1)), "delta: 8 miniblocks in a block of 128");
  EXPECT_EQ(open(header(128, 4, 1ULL << 63)), "delta: 9223372036854775808 values");
  EXPECT_EQ(open({0x80, 0x01, 0x04}), "delta: ends inside a number");
}

TEST(Delta, RefusesIllegalWidths) {
  for (int width : {65, 255}) {
    Encoded encoded = header(128, 4, 2);
    append_zigzag(encoded, 0);
    append(encoded, {static_cast<uint8_t>(width), 0, 0, 0});
    encoded.resize(encoded.size() + 2000);
    const Exact bytes(encoded);
    DeltaDecoder decoder(bytes);
    int64_t out[2];
    EXPECT_EQ(corrupt_message([&] { decoder.read(out, 2); }),
              "delta: miniblock width " + std::to_string(width) + " exceeds 64");
  }
}

TEST(Delta, DeclaredCountsCostNothing) {
  // 2^60 values in a few bytes: the first block exists, the second does not.
  Encoded encoded = header(128, 4, 1ULL << 60);
  append_zigzag(encoded, 3);
  append(encoded, {0, 0, 0, 0});
  const Exact bytes(encoded);
  DeltaDecoder decoder(bytes);
  std::vector<int64_t> out(129);
  decoder.read(out.data(), 129);
  EXPECT_EQ(out[128], 128 * 3);
  corrupt_message([&] { decoder.read(out.data(), 1); });
  DeltaDecoder again(bytes);
  corrupt_message([&] { again.bytes_consumed(); });
  DeltaDecoder skipper(bytes);
  corrupt_message([&] { skipper.skip(1LL << 59); });
}

TEST(Delta, RandomChangesGiveValuesOrErrors) {
  std::mt19937 random(17);
  int errors = 0;
  for (int round = 0; round < 20000; ++round) {
    Encoded encoded = delta(random_walk(random() % 400, static_cast<int>(random() % 65), random()), 128, 4);
    for (uint32_t i = random() % 4; i > 0; --i) {
      encoded[random() % std::min<size_t>(encoded.size(), 40)] = static_cast<uint8_t>(random());
    }
    encoded.resize(encoded.size() - random() % std::min<size_t>(encoded.size(), 30));
    const Exact bytes(encoded);
    try {
      DeltaDecoder decoder(bytes);
      const int64_t count = std::min<int64_t>(decoder.total(), 1000);
      std::vector<int64_t> out(static_cast<size_t>(count));
      decoder.read(out.data(), count / 2);
      decoder.skip(count / 4);
      decoder.bytes_consumed();
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::corrupt_file);
      ++errors;
    }
  }
  EXPECT_GT(errors, 1000);
  EXPECT_LT(errors, 19000);
}

}  // namespace
}  // namespace quern::parquet
