// Unrolled loads and shifts. GCC would pack neighbouring values into half-filled vectors, ten times slower than leaving
// them alone.
#pragma GCC optimize("no-tree-slp-vectorize")
#include <utility>

#include "parquet/unpack_group.hpp"
#include "parquet/unpack_kernels.hpp"

namespace quern::parquet {
namespace {

template <int... W8, int... W32, int... W64>
constexpr UnpackKernels make_kernels(std::integer_sequence<int, W8...>, std::integer_sequence<int, W32...>,
                                     std::integer_sequence<int, W64...>) {
  return {{unpack_groups<uint8_t, W8>...}, {unpack_groups<uint32_t, W32>...}, {unpack_groups<uint64_t, W64>...}};
}

}  // namespace

const UnpackKernels scalar_unpack_kernels = make_kernels(
    std::make_integer_sequence<int, 9>(), std::make_integer_sequence<int, 33>(), std::make_integer_sequence<int, 65>());

}  // namespace quern::parquet
