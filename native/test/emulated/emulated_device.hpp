// Device code as C++ for the host: included before a .cu file that g++ compiles. A block's threads are fibers that take
// turns at barriers; blocks run one after another. For tests of kernels where there is no GPU: results and bounds, not
// races.
#pragma once
#include <cuda_runtime_api.h>
#include <vector_functions.h>

#include <atomic>
#include <cstdint>
#include <functional>

#define QUERN_EMULATED
#undef __global__
#undef __device__
#undef __host__
#undef __shared__
#define __global__
#define __device__
#define __host__
#define __shared__ static

namespace quern::emulated {

struct Index {
  unsigned x = 0;
};
// Runs `thread` for every thread of every block.
void run_blocks(int64_t blocks, int32_t threads, const std::function<void()>& thread);
// Waits for the other threads of the block that still run, or of the warp.
void wait_for_block();
void wait_for_warp();
unsigned ballot(bool predicate);

}  // namespace quern::emulated

extern thread_local quern::emulated::Index threadIdx, blockIdx, blockDim, gridDim;

inline void __syncthreads() { quern::emulated::wait_for_block(); }
inline unsigned __ballot_sync(unsigned, bool predicate) { return quern::emulated::ballot(predicate); }
inline long long __double_as_longlong(double value) { return __builtin_bit_cast(long long, value); }
inline int __popc(unsigned value) { return __builtin_popcount(value); }
inline unsigned __funnelshift_r(unsigned low, unsigned high, int shift) {
  const uint64_t both = static_cast<uint64_t>(high) << 32 | low;
  return static_cast<unsigned>(both >> (shift & 31));
}
inline unsigned __byte_perm(unsigned low, unsigned high, unsigned selector) {
  const uint64_t both = static_cast<uint64_t>(high) << 32 | low;
  unsigned out = 0;
  for (int i = 0; i < 4; ++i) out |= static_cast<unsigned>(both >> (8 * ((selector >> (4 * i)) & 7)) & 0xff) << (8 * i);
  return out;
}
inline unsigned atomicOr(unsigned* at, unsigned bits) { return std::atomic_ref(*at).fetch_or(bits); }
inline unsigned atomicAnd(unsigned* at, unsigned bits) { return std::atomic_ref(*at).fetch_and(bits); }
inline unsigned atomicAdd(unsigned* at, unsigned more) { return std::atomic_ref(*at).fetch_add(more); }
inline unsigned long long atomicAdd(unsigned long long* at, unsigned long long more) {
  return std::atomic_ref(*at).fetch_add(more);
}
inline unsigned atomicCAS(unsigned* at, unsigned expected, unsigned next) {
  std::atomic_ref(*at).compare_exchange_strong(expected, next);
  return expected;
}
inline unsigned long long atomicCAS(unsigned long long* at, unsigned long long expected, unsigned long long next) {
  std::atomic_ref(*at).compare_exchange_strong(expected, next);
  return expected;
}
inline long long atomicMin(long long* at, long long value) {
  const long long old = *at;
  if (value < old) *at = value;
  return old;
}
inline long long atomicMax(long long* at, long long value) {
  const long long old = *at;
  if (value > old) *at = value;
  return old;
}

#define QUERN_LAUNCH(kernel, items, per_block, ...)                                   \
  do {                                                                                \
    const int64_t blocks = blocks_for(device, items, per_block);                      \
    quern::emulated::run_blocks(blocks, block_threads, [&] { kernel(__VA_ARGS__); }); \
    device.launched(#kernel, blocks, block_threads);                                  \
  } while (false)
