#include <algorithm>
#include <cstring>
#include <string>

#include "common/error.hpp"
#include "common/simd.hpp"
#include "parquet/encoding.hpp"
#include "parquet/unpack_kernels.hpp"

namespace quern::parquet {
namespace {

const UnpackKernels& kernels() {
#if defined(__x86_64__)
  static const UnpackKernels& chosen = simd_level() == SimdLevel::scalar ? scalar_unpack_kernels : avx2_unpack_kernels;
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
  constexpr int64_t most = INT64_MAX / 128;  // count * width cannot overflow below this
  const int64_t size = static_cast<int64_t>(bytes.size());
  if (count > most || (count * bit_width + 7) / 8 > size) {
    throw corrupt_file("bit packing: " + std::to_string(count) + " values of " + std::to_string(bit_width) +
                       " bits do not fit in " + std::to_string(bytes.size()) + " bytes");
  }
  // Whole groups straight into `out`, as long as the kernel's reads stay inside.
  const int64_t group_bytes = 4 * bit_width;
  int64_t readable = count / 32 + 1;  // groups; a division only where the end is near
  if (readable * group_bytes + unpack_slack > size)
    readable = size < unpack_slack ? 0 : (size - unpack_slack) / group_bytes;
  const int64_t direct = std::min(count / 32, readable);
  kernel(bytes.data(), out, direct);

  // What is left goes through a group of its own; the last bytes of a section through a padded copy as well.
  for (int64_t done = direct * 32, group = direct; done < count; done += 32, ++group) {
    const uint8_t* in = bytes.data() + group * group_bytes;
    const int64_t part = std::min<int64_t>(count - done, 32);
    T values[32];
    if (group < readable) {
      kernel(in, values, 1);
    } else {
      uint8_t padded[4 * 64 + unpack_slack];
      const size_t part_bytes = static_cast<size_t>((part * bit_width + 7) / 8);
      std::memcpy(padded, in, part_bytes);
      std::memset(padded + part_bytes, 0, static_cast<size_t>(group_bytes + unpack_slack) - part_bytes);
      kernel(padded, values, 1);
    }
    std::copy_n(values, part, out + done);
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
