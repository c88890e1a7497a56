#include "common/simd.hpp"

#include <cstdlib>
#include <cstring>

namespace quern {
namespace {

SimdLevel processor_level() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                    __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
  if (!avx2) return SimdLevel::scalar;
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return avx512 ? SimdLevel::avx512 : SimdLevel::avx2;
#else
  return SimdLevel::scalar;
#endif
}

SimdLevel wanted_level() {
  const char* text = std::getenv("QUERN_SIMD");
  if (text != nullptr && std::strcmp(text, "scalar") == 0) return SimdLevel::scalar;
  if (text != nullptr && std::strcmp(text, "avx2") == 0) return SimdLevel::avx2;
  return SimdLevel::avx512;
}

}  // namespace

SimdLevel simd_level() {
  static const SimdLevel level = [] {
    const SimdLevel wanted = wanted_level();
    const SimdLevel available = processor_level();
    return wanted < available ? wanted : available;
  }();
  return level;
}

}  // namespace quern
