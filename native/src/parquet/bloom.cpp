// Split-block bloom filters. Source: Apache Parquet format, BloomFilter.md.
#include <cstring>

#include "parquet/bloom_block.hpp"
#include "parquet/file.hpp"

namespace quern::parquet {

namespace {

constexpr int64_t header_look = 256;

template <typename T>
uint64_t hash_as(T value) {
  return xxhash64(&value, sizeof(T));
}

// Hash of a value as it would be stored; none when its stored form is not unique or not known.
std::optional<uint64_t> hash_of(const LeafType& leaf, const Column& value) {
  bool is_dictionary = value.form == Form::dictionary;
  const Column& values = is_dictionary ? *value.children[0] : value;
  int64_t row = is_dictionary ? value.values<uint32_t>()[0] : 0;
  switch (leaf.conversion) {
    case Conversion::int32_to_int8:
      return hash_as<int32_t>(values.values<int8_t>()[row]);
    case Conversion::int32_to_int16:
      return hash_as<int32_t>(values.values<int16_t>()[row]);
    case Conversion::int32_to_uint8:
      return hash_as<int32_t>(values.values<uint8_t>()[row]);
    case Conversion::int32_to_uint16:
      if (leaf.type->kind == TypeKind::bfloat16) return std::nullopt;
      return hash_as<int32_t>(values.values<uint16_t>()[row]);
    case Conversion::copy:
      switch (physical(*leaf.type)) {
        case Physical::int32:
        case Physical::uint32:
          return hash_as(values.values<uint32_t>()[row]);
        case Physical::int64:
        case Physical::uint64:
          return hash_as(values.values<uint64_t>()[row]);
        default:
          return std::nullopt;  // floats: zeros and NaN have several forms
      }
    case Conversion::view: {
      if (leaf.type->tag == TypeTag::geometry) return std::nullopt;  // read in another form than stored
      const StringView& view = values.values<StringView>()[row];
      return xxhash64(view.data(), view.length);
    }
    case Conversion::uuid: {
      auto bits = static_cast<uint128_t>(values.values<int128_t>()[row]);
      uint8_t bytes[16];
      for (int i = 0; i < 16; ++i) bytes[i] = static_cast<uint8_t>(bits >> (8 * (15 - i)));
      return xxhash64(bytes, sizeof bytes);
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

bool bloom_may_contain(Context& context, const File& file, int32_t row_group, int32_t field, const ColumnPtr& value) {
  FieldNode node = resolve_field(file.schema, field, {});
  if (node.shape != Shape::leaf || !node.type || value->length < 1 || value->null_count > 0 ||
      !same_type(*node.type, *value->type))
    return true;
  std::optional<uint64_t> hash = hash_of(node.leaf, *value);
  if (!hash) return true;
  try {
    ColumnChunk chunk = file.chunk(row_group, node.first_leaf);
    if (!chunk.bloom_offset || *chunk.bloom_offset < 4 || *chunk.bloom_offset >= file.footer_offset) return true;
    auto handle = file.handle();
    int64_t look = std::min(header_look, file.footer_offset - *chunk.bloom_offset);
    uint8_t bytes[header_look];
    handle->read(*chunk.bloom_offset, {bytes, static_cast<size_t>(look)});
    ThriftReader reader({bytes, static_cast<size_t>(look)}, *chunk.bloom_offset);
    BloomHeader header = read_bloom_header(reader);
    auto header_bytes = static_cast<int64_t>(reader.position());
    int64_t start = *chunk.bloom_offset + header_bytes;
    bool fits = header.known && header.byte_count > 0 && header.byte_count % bloom_block_bytes == 0 &&
                start + header.byte_count <= file.footer_offset;
    if (!fits || (chunk.bloom_length != 0 && chunk.bloom_length != header_bytes + header.byte_count)) return true;
    auto blocks = static_cast<uint64_t>(header.byte_count / bloom_block_bytes);
    uint32_t words[bloom_block_words];
    handle->read(start + bloom_block_of(*hash, blocks) * bloom_block_bytes,
                 {reinterpret_cast<uint8_t*>(words), sizeof words});
    context.metrics().bytes_read.fetch_add(look + bloom_block_bytes, std::memory_order_relaxed);
    for (int word = 0; word < bloom_block_words; ++word) {
      if ((words[word] & bloom_bit(*hash, word)) == 0) return false;
    }
    return true;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::corrupt_file && error.code() != ErrorCode::unsupported) throw;
    return true;
  }
}

}  // namespace quern::parquet
