// quern_cuda.so, opened when a plan first asks for a device; it lies beside the addon, or where QUERN_CUDA_LIBRARY
// says.
#pragma once
#include <string>

#include "cuda/interface.hpp"

namespace quern {

// The device of this number, opened once a process. Throws no_device with the reason.
cuda::Backend& open_device(int32_t ordinal);

// {"library": path or null, "device": {"ordinal", "name", "capability", "memory", "multiprocessors", "driver"} or null,
// "reason": why there is none or null}. Opens the device.
std::string device_status_json(int32_t ordinal);

}  // namespace quern
