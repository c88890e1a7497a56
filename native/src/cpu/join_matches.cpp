#include "cpu/join_matches.hpp"

#include <algorithm>
#include <bit>

namespace quern::cpu {

namespace {

// One more than the last row needs, so that no id is `none`.
int row_bits_of(const std::vector<Batch>& chunks) {
  int64_t longest = 0;
  for (const auto& chunk : chunks) longest = std::max(longest, chunk.rows);
  return static_cast<int>(std::bit_width(static_cast<uint64_t>(longest)));
}

}  // namespace

PackedIds::PackedIds(const std::vector<Batch>& chunks)
    : row_bits_(row_bits_of(chunks)), row_mask_(static_cast<uint32_t>((1ULL << row_bits_) - 1)) {}

bool PackedIds::fits(const std::vector<Batch>& chunks) {
  const int bits = row_bits_of(chunks);
  return bits <= 32 && static_cast<uint64_t>(chunks.size()) << bits <= 1ULL << 32;
}

}  // namespace quern::cpu
