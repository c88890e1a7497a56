// A device to test on, or a reason to skip.
#pragma once
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "cuda/device_column.hpp"
#include "jit/chain_plan.hpp"

namespace quern::test {

// nullptr where there is no GPU; `reason` then says why.
inline cuda::Device* device(std::string& reason) {
  static std::string why;
  static cuda::Device* found = []() -> cuda::Device* {
    try {
      cuda::device_count();
      cuda::check(cudaSetDevice(0), "cudaSetDevice");
      return new cuda::Device(cuda::describe_device(0), 0);
    } catch (const Error& error) {
      why = error.message();
      return nullptr;
    }
  }();
  reason = why;
  return found;
}

#define REQUIRE_DEVICE()                                    \
  std::string no_device;                                    \
  cuda::Device* device_or_null = test::device(no_device);   \
  if (device_or_null == nullptr) GTEST_SKIP() << no_device; \
  cuda::Device& device = *device_or_null;                   \
  device.use()

inline std::vector<std::string> rows_of(const Column& column) {
  std::vector<std::string> out;
  for (int64_t i = 0; i < column.length; ++i) out.push_back(plan::literal_json(column, i));
  return out;
}

}  // namespace quern::test
