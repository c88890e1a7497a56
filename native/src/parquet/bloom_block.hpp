// Where a hash stands in a split-block bloom filter. Source: Apache Parquet format, BloomFilter.md.
#pragma once
#include <cstdint>

namespace quern::parquet {

constexpr int64_t bloom_block_bytes = 32;
constexpr int bloom_block_words = 8;

inline int64_t bloom_block_of(uint64_t hash, uint64_t blocks) {
  return static_cast<int64_t>(((hash >> 32) * blocks) >> 32);
}

// The one bit that the hash has in word `word` of its block.
inline uint32_t bloom_bit(uint64_t hash, int word) {
  constexpr uint32_t salt[bloom_block_words] = {0x47b6137bU, 0x44974d91U, 0x8824ad5bU, 0xa2b7289dU,
                                                0x705495c7U, 0x2df1424bU, 0x9efc4947U, 0x5c6bfb31U};
  return 1U << ((static_cast<uint32_t>(hash) * salt[word]) >> 27);
}

}  // namespace quern::parquet
