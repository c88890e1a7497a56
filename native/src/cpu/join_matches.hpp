// What a row finds in the table of a join, and the 32-bit row ids that tables hold.
#pragma once
#include <cstdint>
#include <vector>

#include "columnar/column.hpp"

namespace quern::cpu {

// The rows with one key, as packed ids in input order.
struct JoinMatches {
  static constexpr uint32_t no_list = ~0U;

  const uint32_t* ids = nullptr;
  uint32_t count = 0;
  uint32_t list = no_list;  // of JoinIndex::lists(): where `ids` lies
};

// All ids that an index holds in one piece.
struct JoinList {
  const uint32_t* ids = nullptr;
  int64_t count = 0;
};

// Row ids (cpu/chunked_rows.hpp) in half the bytes: as many bits for the row as the longest chunk needs, the others for
// the chunk.
class PackedIds {
 public:
  static constexpr uint32_t none = ~0U;

  PackedIds() = default;
  explicit PackedIds(const std::vector<Batch>& chunks);
  // Whether chunks of such lengths leave enough bits.
  static bool fits(const std::vector<Batch>& chunks);

  uint32_t pack(size_t chunk, int64_t row) const {
    return static_cast<uint32_t>(static_cast<uint64_t>(chunk) << row_bits_ | static_cast<uint64_t>(row));
  }
  int64_t unpack(uint32_t id) const {
    return static_cast<int64_t>((static_cast<uint64_t>(id) >> row_bits_) << 32 | (id & row_mask_));
  }

 private:
  int row_bits_ = 0;
  uint32_t row_mask_ = 0;
};

}  // namespace quern::cpu
