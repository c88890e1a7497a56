// The group-by on fixtures, against the peer's published algorithm (peer_group_by.hpp), in one process.
#pragma once
#include <string>

#include "cuda/device.hpp"

namespace quern::bench {

// A file {"fixtures": [{id, rows, cardinality, keys, aggregates, value, distribution, null_percent}, …]}: a JSON line
// for each. Both sides' sums and counts are compared with the host's for every group. Fixtures that the device has not
// are named. Returns whether all values were right.
bool group_fixtures(cuda::Device& device, const std::string& path);

}  // namespace quern::bench
