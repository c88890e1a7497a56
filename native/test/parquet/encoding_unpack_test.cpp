#include "parquet/unpack_kernels.hpp"
#include "reference_encoder.hpp"

namespace quern::parquet {
namespace {

using namespace reference;

TEST(Unpack, EveryWidthAndSizeTo64) {
  for (int width = 0; width <= 64; ++width) {
    for (int64_t size : sizes) {
      const std::vector<uint64_t> values = random_values(static_cast<size_t>(size), width);
      const Exact packed(pack(values, width));
      std::vector<uint64_t> out(values.size(), 0xAB);
      unpack64(packed, width, out.data(), size);
      ASSERT_EQ(out, values) << "width " << width << " size " << size;
    }
  }
}

TEST(Unpack, EveryWidthAndSizeTo32) {
  for (int width = 0; width <= 32; ++width) {
    for (int64_t size : sizes) {
      const std::vector<uint64_t> values = random_values(static_cast<size_t>(size), width);
      const Exact packed(pack(values, width));
      std::vector<uint32_t> out(values.size(), 0xAB);
      unpack32(packed, width, out.data(), size);
      ASSERT_TRUE(std::equal(out.begin(), out.end(), values.begin())) << "width " << width << " size " << size;
    }
  }
}

TEST(Unpack, EveryWidthAndSizeTo8) {
  for (int width = 0; width <= 8; ++width) {
    for (int64_t size : sizes) {
      const std::vector<uint64_t> values = random_values(static_cast<size_t>(size), width);
      const Exact packed(pack(values, width));
      std::vector<uint8_t> out(values.size(), 0xAB);
      unpack8(packed, width, out.data(), size);
      ASSERT_TRUE(std::equal(out.begin(), out.end(), values.begin())) << "width " << width << " size " << size;
    }
  }
}

// Whichever level runs on this machine, the plain kernels must give the same bytes.
TEST(Unpack, ScalarKernels) {
  for (int width = 0; width <= 64; ++width) {
    const std::vector<uint64_t> values = random_values(320, width);
    Encoded packed = pack(values, width);
    packed.resize(packed.size() + unpack_slack);
    std::vector<uint64_t> out64(320);
    scalar_unpack_kernels.to_u64[width](packed.data(), out64.data(), 10);
    ASSERT_EQ(out64, values) << "width " << width;
    if (width <= 32) {
      std::vector<uint32_t> out32(320);
      scalar_unpack_kernels.to_u32[width](packed.data(), out32.data(), 10);
      ASSERT_TRUE(std::equal(out32.begin(), out32.end(), values.begin())) << "width " << width;
    }
    if (width <= 8) {
      std::vector<uint8_t> out8(320);
      scalar_unpack_kernels.to_u8[width](packed.data(), out8.data(), 10);
      ASSERT_TRUE(std::equal(out8.begin(), out8.end(), values.begin())) << "width " << width;
    }
  }
}

TEST(Unpack, RefusesTooFewBytesAndWrongWidths) {
  const Exact packed(Encoded(9));
  std::vector<uint64_t> out(100);
  std::vector<uint32_t> out32(100);
  std::vector<uint8_t> out8(100);
  unpack64(packed, 9, out.data(), 8);
  EXPECT_EQ(corrupt_message([&] { unpack64(packed, 9, out.data(), 9); }),
            "bit packing: 9 values of 9 bits do not fit in 9 bytes");
  EXPECT_EQ(corrupt_message([&] { unpack64(packed, 65, out.data(), 1); }), "bit packing: width 65 exceeds 64");
  EXPECT_EQ(corrupt_message([&] { unpack32(packed, 33, out32.data(), 1); }), "bit packing: width 33 exceeds 32");
  EXPECT_EQ(corrupt_message([&] { unpack8(packed, -1, out8.data(), 1); }), "bit packing: width -1 exceeds 8");
  corrupt_message([&] { unpack64(packed, 64, out.data(), INT64_MAX); });
  corrupt_message([&] { unpack64(packed, 1, out.data(), INT64_MAX); });
}

}  // namespace
}  // namespace quern::parquet
