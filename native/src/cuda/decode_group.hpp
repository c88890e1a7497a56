// A row group of a scan as a batch: columns that the device decodes, still has, or gets from the host.
#pragma once
#include "cuda/device_column.hpp"
#include "cuda/encoded.hpp"

namespace quern::cuda {

// The key of a column in the device's cache: offsets are of the width that the query asks for.
std::string cache_key(const Layout& layout, const std::string& key);

DeviceBatch decode_group(Device& device, Memory& memory, const Layout& layout, const EncodedGroup& group);

}  // namespace quern::cuda
