#include "parquet/snappy_stream.hpp"

#include <snappy-c.h>

#include <cstring>

#include "reference_encoder.hpp"

namespace quern::parquet {
namespace {

using namespace reference;

// Hands bytes out a few at a time.
class Slices : public PieceSource {
 public:
  Slices(const Encoded& bytes, size_t most) : bytes_(bytes), most_(most) {}
  size_t left() const override { return bytes_.size() - at_; }
  Bytes piece() override { return {bytes_.data() + at_, std::min(most_, left())}; }
  void skip(size_t count) override { at_ += count; }

 private:
  const Encoded& bytes_;
  size_t most_;
  size_t at_ = 0;
};

Encoded random_bytes(size_t size, uint32_t seed) {
  std::mt19937 random(seed);
  Encoded out(size);
  for (auto& byte : out) byte = static_cast<uint8_t>(random());
  return out;
}

Encoded compressed(const Encoded& in) {
  size_t size = snappy_max_compressed_length(in.size());
  Encoded out(size);
  snappy_compress(reinterpret_cast<const char*>(in.data()), in.size(), reinterpret_cast<char*>(out.data()), &size);
  out.resize(size);
  return out;
}

void put_literal(Encoded& out, const Encoded& bytes) {
  out.push_back(62 << 2);  // three bytes of length - 1
  for (int i = 0; i < 3; ++i) out.push_back(static_cast<uint8_t>((bytes.size() - 1) >> (8 * i)));
  out.insert(out.end(), bytes.begin(), bytes.end());
}

void put_copy(Encoded& out, size_t length, uint32_t offset) {
  out.push_back(static_cast<uint8_t>((length - 1) << 2 | 3));
  for (int i = 0; i < 4; ++i) out.push_back(static_cast<uint8_t>(offset >> (8 * i)));
}

class SnappyStreamTest : public ::testing::Test {
 protected:
  std::unique_ptr<SnappyStream> open(const Encoded& in, size_t size, size_t most = 1000) {
    return std::make_unique<SnappyStream>(memory_, [&in, most] { return std::make_unique<Slices>(in, most); }, size);
  }
  // Everything, `step` bytes at a time.
  Encoded drain(const Encoded& in, size_t size, size_t most = 1000, size_t step = 4000) {
    auto stream = open(in, size, most);
    Encoded out(size);
    for (size_t at = 0; at < size; at += step) {
      stream->read(out.data() + at, std::min(step, size - at));
    }
    EXPECT_EQ(stream->left(), 0u);
    return out;
  }
  void expect_damaged(const Encoded& in, size_t size, const std::string& text = "snappy: damaged data") {
    try {
      drain(in, size);
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::corrupt_file);
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
  }
  Memory memory_{1 << 30};
};

TEST_F(SnappyStreamTest, GivesWhatTheLibraryCompressed) {
  for (size_t size : {1, 2, 59, 60, 61, 65535, 65536, 65537, 262143, 262144, 262145, 1000000}) {
    Encoded noise = random_bytes(size, static_cast<uint32_t>(size));
    Encoded runs(size), mixed = noise;
    for (size_t i = 0; i < size; ++i) {
      runs[i] = static_cast<uint8_t>(i / 700);
      if (i % 5000 > 4500) mixed[i] = static_cast<uint8_t>(i % 3);
    }
    for (const Encoded& data : {noise, runs, mixed}) {
      const Encoded in = compressed(data);
      EXPECT_EQ(drain(in, size), data) << size;
      EXPECT_EQ(drain(in, size, 1, 77), data) << size;
      EXPECT_EQ(drain(in, size, 1 << 20, size), data) << size;
    }
  }
}

TEST_F(SnappyStreamTest, LooksAndSkips) {
  const Encoded data = random_bytes(700000, 5);
  const Encoded in = compressed(data);
  auto stream = open(in, data.size());
  std::mt19937 random(9);
  for (size_t at = 0; at < data.size();) {
    const size_t wanted = 1 + random() % SnappyStream::longest_look;
    const Bytes bytes = stream->look(wanted);
    ASSERT_GE(bytes.size(), std::min(wanted, data.size() - at));
    ASSERT_EQ(std::memcmp(bytes.data(), data.data() + at, std::min(wanted, data.size() - at)), 0) << at;
    const size_t passed = std::min<size_t>(random() % 20000, data.size() - at);
    stream->skip(passed);
    at += passed;
    ASSERT_EQ(stream->left(), data.size() - at);
  }
}

TEST_F(SnappyStreamTest, CopiesFromFurtherBackThanTheWindow) {
  const Encoded noise = random_bytes(400000, 7);
  for (uint32_t offset : {70000u, 399000u, 400000u}) {
    Encoded in;
    append_varint(in, noise.size() + 60);
    put_literal(in, noise);
    put_copy(in, 60, offset);
    Encoded expected = noise;
    for (int i = 0; i < 60; ++i) expected.push_back(expected[expected.size() - offset]);
    EXPECT_EQ(drain(in, expected.size()), expected) << offset;
  }
}

TEST_F(SnappyStreamTest, RefusesDamage) {
  const Encoded noise = random_bytes(1000, 3);
  Encoded in;
  append_varint(in, 1010);
  put_literal(in, noise);
  put_copy(in, 10, 500);
  EXPECT_EQ(drain(in, 1010).size(), 1010u);
  expect_damaged(in, 1011, "data of 1010 bytes where the page header says 1011");
  expect_damaged({}, 10, "snappy: damaged header");
  expect_damaged({0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01}, 10, "snappy: damaged header");

  for (const size_t cut : {size_t{3}, size_t{500}, in.size() - 2})
    expect_damaged({in.begin(), in.begin() + static_cast<int64_t>(cut)}, 1010);
  Encoded longer = in;
  longer.push_back(0);
  expect_damaged(longer, 1010);

  for (const uint32_t offset : {0u, 1001u, 0xFFFFFFFFu}) {
    Encoded far;
    append_varint(far, 1010);
    put_literal(far, noise);
    put_copy(far, 10, offset);
    expect_damaged(far, 1010);
  }
  Encoded more;
  append_varint(more, 1005);
  put_literal(more, noise);
  put_copy(more, 10, 500);
  expect_damaged(more, 1005);
}

}  // namespace
}  // namespace quern::parquet
