#include <algorithm>
#include <string>

#include "common/error.hpp"
#include "common/simd.hpp"
#include "parquet/encoding.hpp"
#include "parquet/unpack_kernels.hpp"

namespace quern::parquet {
namespace {

const UnpackKernels& kernels() {
#if defined(__x86_64__)
  static const UnpackKernels& chosen =
      simd_level() == SimdLevel::scalar ? scalar_unpack_kernels : avx2_unpack_kernels;
  return chosen;
#else
  return scalar_unpack_kernels;
#endif
}

template <typename T>
void unpack_with(UnpackGroups<T> kernel, Bytes bytes, int bit_width, T* out, int64_t count) {
  if (count <= 0) return;
  if (bit_width == 0) {
    std::fill_n(out, count, T{0});
    return;
  }
  const int64_t size = static_cast<int64_t>(std::min<size_t>(bytes.size(), INT64_MAX / 16));
  // count * width must not overflow, so compare by division first.
  if (count > size * 8 / bit_width) {
    throw corrupt_file("bit packing: " + std::to_string(count) + " values of " + std::to_string(bit_width) +
                       " bits do not fit in " + std::to_string(bytes.size()) + " bytes");
  }
  const int64_t group_bytes = 4 * bit_width;
  const int64_t groups = count / 32;
  const int64_t direct = size < unpack_slack ? 0 : std::min(groups, (size - unpack_slack) / group_bytes);
  kernel(bytes.data(), out, direct);

  // What is left may not be read past its end: through a padded copy.
  const uint8_t* in = bytes.data() + direct * group_bytes;
  out += direct * 32;
  for (int64_t left = count - direct * 32; left > 0; left -= 32) {
    uint8_t padded[4 * 64 + unpack_slack] = {};
    T values[32];
    const int64_t part = std::min<int64_t>(left, 32);
    std::memcpy(padded, in, static_cast<size_t>((part * bit_width + 7) / 8));
    kernel(padded, values, 1);
    std::copy_n(values, part, out);
    in += group_bytes;
    out += part;
  }
}

void check_width(int bit_width, int most) {
  if (bit_width < 0 || bit_width > most) {
    throw corrupt_file("bit packing: width " + std::to_string(bit_width) + " exceeds " + std::to_string(most));
  }
}

}  // namespace

void unpack8(Bytes bytes, int bit_width, uint8_t* out, int64_t count) {
  check_width(bit_width, 8);
  unpack_with(kernels().to_u8[bit_width], bytes, bit_width, out, count);
}

void unpack32(Bytes bytes, int bit_width, uint32_t* out, int64_t count) {
  check_width(bit_width, 32);
  unpack_with(kernels().to_u32[bit_width], bytes, bit_width, out, count);
}

void unpack64(Bytes bytes, int bit_width, uint64_t* out, int64_t count) {
  check_width(bit_width, 64);
  unpack_with(kernels().to_u64[bit_width], bytes, bit_width, out, count);
}

}  // namespace quern::parquet
