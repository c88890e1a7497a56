// The hash group-by that cuDF publishes (its sources of 2026), built anew to measure against: not cuDF itself. Kept:
// a set of row numbers, sized by rows at load 0.5, probed linearly; blocks of 128 rows with up to 128 keys in shared
// memory, given up as a whole when any block meets more; else one atomic in device memory a row and aggregate, into
// results of as many rows as the input; 128-bit sums by compare and swap; means and
// standard deviations from sums, counts and sums of squares. Spared: hashing by column, null keys.
#pragma once
#include "cuda/device.hpp"

namespace quern::bench {

struct PeerInput {
  int64_t rows;
  int key_count;  // 1 or 2
  const int64_t* keys[2];
  const void* values;        // int64, int128 where `wide`, double where `real`
  const uint32_t* validity;  // of values; nullptr = no NULL
  bool wide, real;
  bool count;     // beside the sum
  bool extremes;  // and these, of int64
  bool squares;   // and the sum of squares, in double: the mean and the standard deviation come from it
};

struct PeerResult {
  int64_t groups = 0;
  bool shared = false;  // the path of few keys
  cuda::DeviceBufferPtr keys[2], sums, counts, least, greatest, means, deviations;
};

PeerResult peer_group_by(cuda::Device& device, const PeerInput& input);

}  // namespace quern::bench
