#include "parquet/levels.hpp"
#include "reference_encoder.hpp"

namespace quern::parquet {
namespace {

using namespace reference;

// A section of mixed runs and the values it holds.
struct Section {
  Encoded bytes;
  std::vector<uint64_t> values;
};

Section mixed_section(int width, uint32_t seed) {
  std::mt19937 random(seed);
  Section section;
  for (int run = 0; run < 40; ++run) {
    const size_t count = random() % 3 == 0 ? random() % 700 : random() % 20;
    if (random() % 2 == 0) {
      const uint64_t value = random_values(1, width, random())[0];
      append_repeated(section.bytes, width, count, static_cast<uint32_t>(value));
      section.values.insert(section.values.end(), count, value);
    } else {
      std::vector<uint64_t> values = random_values((count + 7) / 8 * 8, width, random());
      append_packed(section.bytes, width, values);
      section.values.insert(section.values.end(), values.begin(), values.end());
    }
  }
  return section;
}

// Lists of `length` elements, as writers encode them: a group of 8 levels and a run of ones; every `odd` lists one of
// another length lies between.
Section list_section(size_t length, int lists, int odd) {
  Section section;
  for (int list = 0; list < lists; ++list) {
    const size_t count = odd > 0 && list % odd == odd - 1 ? length + 5 : length;
    std::vector<uint64_t> first(8, 1);
    first[0] = 0;
    append_packed(section.bytes, 1, first);
    append_repeated(section.bytes, 1, count - 8, 1);
    section.values.insert(section.values.end(), first.begin(), first.end());
    section.values.insert(section.values.end(), count - 8, 1);
  }
  return section;
}

// What take_starts must give from position `at` on.
std::vector<uint32_t> zeros_from(const Section& section, int64_t at, int64_t limit, int64_t wanted, int64_t& taken) {
  std::vector<uint32_t> zeros;
  for (taken = 0; taken < limit; ++taken) {
    if (section.values[static_cast<size_t>(at + taken)] != 0) continue;
    if (static_cast<int64_t>(zeros.size()) == wanted) break;
    zeros.push_back(static_cast<uint32_t>(taken));
  }
  return zeros;
}

void expect_starts(const Section& section) {
  Memory memory(1 << 20);
  const Exact bytes(section.bytes);
  const int64_t count = static_cast<int64_t>(section.values.size());
  for (int64_t piece : {int64_t{1}, int64_t{3}, int64_t{63}, int64_t{64}, int64_t{65}, int64_t{1000}, count}) {
    for (int64_t wanted : {int64_t{0}, int64_t{1}, int64_t{2}, int64_t{50}, count}) {
      LevelCursor cursor(memory, {bytes, false, false}, 1, count);
      for (int64_t at = 0; at < count;) {
        const int64_t limit = std::min(piece, count - at);
        std::vector<uint32_t> starts(static_cast<size_t>(limit));
        int64_t found = 0, expected = 0;
        const auto zeros = zeros_from(section, at, limit, wanted, expected);
        ASSERT_EQ(cursor.take_starts(limit, wanted, starts.data(), found), expected);
        starts.resize(static_cast<size_t>(found));
        ASSERT_EQ(starts, zeros);
        if (expected == 0) break;
        at += expected;
      }
    }
  }
}

TEST(Hybrid, RowStartsInAnyPieces) {
  for (uint32_t seed = 0; seed < 8; ++seed) expect_starts(mixed_section(1, seed));
}

TEST(Hybrid, RowStartsOfListsOfOneLength) {
  for (size_t length : {9, 16, 128, 768, 5000}) {
    for (int odd : {0, 1, 2, 3, 10}) expect_starts(list_section(length, 40, odd));
  }
}

TEST(Hybrid, ReadsMixedRunsInAnyPieces) {
  for (int width = 0; width <= 32; ++width) {
    const Section section = mixed_section(width, 7);
    const Exact bytes(section.bytes);
    const int64_t count = static_cast<int64_t>(section.values.size());
    for (int64_t piece : {int64_t{1}, int64_t{3}, int64_t{8}, int64_t{33}, int64_t{1000}, count}) {
      HybridDecoder decoder(bytes, width);
      std::vector<uint32_t> out(section.values.size());
      for (int64_t at = 0; at < count; at += piece) decoder.read(out.data() + at, std::min(piece, count - at));
      ASSERT_TRUE(std::equal(out.begin(), out.end(), section.values.begin()))
          << "width " << width << " piece " << piece;
      if (width > 0) {
        EXPECT_EQ(corrupt_message([&] { decoder.read(out.data(), 1); }), "runs: section ends before its last value");
      }
      if (width > 8) continue;
      HybridDecoder narrow(bytes, width);
      std::vector<uint8_t> out8(section.values.size());
      for (int64_t at = 0; at < count; at += piece) narrow.read_u8(out8.data() + at, std::min(piece, count - at));
      ASSERT_TRUE(std::equal(out8.begin(), out8.end(), section.values.begin())) << "width " << width;
    }
  }
}

TEST(Hybrid, SkipsAndReadsAlternately) {
  for (int width : {1, 2, 3, 5, 8, 13, 17, 32}) {
    const Section section = mixed_section(width, 11);
    const Exact bytes(section.bytes);
    std::mt19937 random(5);
    HybridDecoder decoder(bytes, width);
    const int64_t count = static_cast<int64_t>(section.values.size());
    for (int64_t at = 0; at < count;) {
      const int64_t part = std::min<int64_t>(count - at, random() % 50);
      if (random() % 2) {
        decoder.skip(part);
      } else {
        std::vector<uint32_t> out(static_cast<size_t>(part));
        decoder.read(out.data(), part);
        ASSERT_TRUE(std::equal(out.begin(), out.end(), section.values.begin() + at));
      }
      at += part;
    }
  }
}

TEST(Hybrid, PeekGivesRunsAsTheyStand) {
  Encoded encoded;
  append_repeated(encoded, 3, 0, 7);
  append_repeated(encoded, 3, 1'000'000'000, 5);
  append_packed(encoded, 3, {1, 2, 3, 4, 5, 6, 7, 0});
  const Exact bytes(encoded);
  HybridDecoder decoder(bytes, 3);
  HybridDecoder::Run run = decoder.peek(INT64_MAX);
  EXPECT_EQ(run.count, 1'000'000'000);
  EXPECT_TRUE(run.repeated);
  EXPECT_EQ(run.value, 5u);
  EXPECT_EQ(decoder.peek(10).count, 10);
  decoder.advance(999'999'999);
  EXPECT_EQ(decoder.peek(10).count, 1);
  decoder.advance(1);
  run = decoder.peek(100);
  EXPECT_EQ(run.count, 8);
  EXPECT_FALSE(run.repeated);
  decoder.advance(3);
  EXPECT_EQ(decoder.peek(100).count, 5);
  uint32_t out[5];
  decoder.read(out, 5);
  EXPECT_EQ(out[0], 4u);
  EXPECT_EQ(out[4], 0u);
}

TEST(Hybrid, WidthZeroNeedsNoBytes) {
  HybridDecoder decoder(Bytes(), 0);
  std::vector<uint32_t> out(100, 9);
  decoder.read(out.data(), 100);
  EXPECT_EQ(out, std::vector<uint32_t>(100, 0));
  EXPECT_EQ(decoder.peek(1LL << 40).count, 1LL << 40);
  decoder.skip(1LL << 40);
}

TEST(Hybrid, LastGroupMayLackItsPadding) {
  Encoded encoded;
  append_packed(encoded, 4, {1, 2, 3, 4, 5, 6, 7, 8});
  encoded.resize(encoded.size() - 2);
  const Exact bytes(encoded);
  HybridDecoder decoder(bytes, 4);
  std::vector<uint32_t> out(4);
  decoder.read(out.data(), 4);
  EXPECT_EQ(out, (std::vector<uint32_t>{1, 2, 3, 4}));
  corrupt_message([&] { decoder.read(out.data(), 1); });
}

TEST(Hybrid, EmptyRunsEndWithTheBytes) {
  const Exact zeros(Encoded(1000, 0));
  HybridDecoder decoder(zeros, 8);
  uint32_t out;
  EXPECT_EQ(corrupt_message([&] { decoder.read(&out, 1); }), "runs: section ends before its last value");
  const Exact empty_packed(Encoded(1000, 1));
  HybridDecoder packed(empty_packed, 8);
  // A packed run of no groups, again and again, then nothing.
  Encoded ones;
  for (int i = 0; i < 50; ++i) append_varint(ones, 1);
  const Exact bytes(ones);
  HybridDecoder nothing(bytes, 8);
  EXPECT_EQ(corrupt_message([&] { nothing.skip(1); }), "runs: section ends before its last value");
}

TEST(Hybrid, RefusesDamagedHeaders) {
  EXPECT_EQ(corrupt_message([] { HybridDecoder(Bytes(), 33); }), "runs: bit width 33 exceeds 32");
  EXPECT_EQ(corrupt_message([] { HybridDecoder(Bytes(), -1); }), "runs: bit width -1 exceeds 32");
  const Exact endless(Encoded(20, 0xFF));
  HybridDecoder decoder(endless, 1);
  EXPECT_EQ(corrupt_message([&] { decoder.peek(1); }), "runs: number longer than 64 bits");
  const Exact cut(Encoded{0x80});
  HybridDecoder short_header(cut, 1);
  EXPECT_EQ(corrupt_message([&] { short_header.peek(1); }), "runs: ends inside a number");
  const Exact no_value(Encoded{0x02, 0x01});
  HybridDecoder short_value(no_value, 9);
  EXPECT_EQ(corrupt_message([&] { short_value.peek(1); }), "runs: section ends inside a repeated value");
}

TEST(Hybrid, RandomBytesGiveValuesOrErrors) {
  std::mt19937 random(3);
  int errors = 0, successes = 0;
  for (int round = 0; round < 20000; ++round) {
    Encoded encoded(random() % 40);
    for (uint8_t& byte : encoded) byte = static_cast<uint8_t>(random() % 4 == 0 ? random() % 16 : random());
    const Exact bytes(encoded);
    const int width = static_cast<int>(random() % 33);
    try {
      HybridDecoder decoder(bytes, width);
      std::vector<uint32_t> out(200);
      decoder.read(out.data(), 100);
      decoder.skip(1 + random() % 100);
      decoder.read(out.data(), static_cast<int64_t>(random() % 200));
      ++successes;
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::corrupt_file);
      ++errors;
    }
  }
  EXPECT_GT(errors, 1000);
  EXPECT_GT(successes, 1000);
}

TEST(BitPackedLevels, MostSignificantBitFirst) {
  // 0..7 of 3 bits, the example of the specification.
  const Exact bytes(Encoded{0b00000101, 0b00111001, 0b01110111});
  uint8_t out[8];
  read_bit_packed_levels(bytes, 3, out, 8);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(out[i], i);
  for (int width = 0; width <= 8; ++width) {
    const std::vector<uint64_t> values = random_values(129, width);
    Encoded packed((129 * static_cast<size_t>(width) + 7) / 8);
    size_t bit = 0;
    for (uint64_t value : values) {
      for (int i = width - 1; i >= 0; --i, ++bit) {
        packed[bit / 8] = static_cast<uint8_t>(packed[bit / 8] | (value >> i & 1) << (7 - bit % 8));
      }
    }
    const Exact exact(packed);
    std::vector<uint8_t> levels(129);
    read_bit_packed_levels(exact, width, levels.data(), 129);
    ASSERT_TRUE(std::equal(levels.begin(), levels.end(), values.begin())) << width;
  }
  corrupt_message([&] { read_bit_packed_levels(bytes, 3, out, 9); });
  corrupt_message([&] { read_bit_packed_levels(bytes, 9, out, 1); });
}

}  // namespace
}  // namespace quern::parquet
