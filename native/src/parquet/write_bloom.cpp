#include "parquet/write_bloom.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "parquet/bloom_block.hpp"
#include "parquet/encoding.hpp"
#include "parquet/write_thrift.hpp"

namespace quern::parquet {

namespace {

bool has_bloom(const WriteLeaf& leaf) {
  if (leaf.max_repetition > 0 || leaf.type->tag == TypeTag::geometry) return false;
  switch (leaf.type->kind) {
    case TypeKind::float16:
    case TypeKind::bfloat16:
    case TypeKind::float32:
    case TypeKind::float64:  // zeros and NaN
    case TypeKind::interval:
      return false;
    default:
      return true;
  }
}

// Bytes of a filter of `values` distinct values, a power of two. Source: BloomFilter.md, sizing.
int64_t bloom_bytes(int64_t values, double false_positives) {
  constexpr int64_t most = 1 << 27;
  const double bits = -8.0 * static_cast<double>(values) / std::log(1 - std::pow(false_positives, 1.0 / 8));
  if (!(bits < static_cast<double>(most) * 8)) return most;
  return std::max(bloom_block_bytes, static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(std::ceil(bits / 8)))));
}

}  // namespace

std::string bloom_filter(const WriteLeaf& leaf, const EncodedDictionary& dictionary, double false_positives) {
  if (!has_bloom(leaf)) return {};
  const int64_t size = bloom_bytes(dictionary.entries, false_positives);
  ThriftWriter header;
  header.structure_element([&] {
    header.int32(1, static_cast<int32_t>(size));
    for (const int16_t member : {2, 3, 4}) {  // split blocks, xxhash, uncompressed: the only ones there are
      header.structure(member, [&] { header.structure(1, [] {}); });
    }
  });
  std::string bytes = header.bytes();
  const size_t start = bytes.size();
  bytes.resize(start + static_cast<size_t>(size));
  const auto blocks = static_cast<uint64_t>(size / bloom_block_bytes);
  const uint8_t* value = dictionary.values.data();
  for (uint32_t entry = 0; entry < dictionary.entries; ++entry) {
    auto length = static_cast<uint32_t>(leaf.width);
    if (leaf.width == 0) {
      std::memcpy(&length, value, 4);
      value += 4;
    }
    const uint64_t hash = xxhash64(value, length);
    value += length;
    char* block = bytes.data() + start + bloom_block_of(hash, blocks) * bloom_block_bytes;
    for (int word = 0; word < bloom_block_words; ++word) {
      uint32_t bits;
      std::memcpy(&bits, block + 4 * word, 4);
      bits |= bloom_bit(hash, word);
      std::memcpy(block + 4 * word, &bits, 4);
    }
  }
  return bytes;
}

}  // namespace quern::parquet
