#include <algorithm>
#include <cstring>
#include <optional>

#include "common/error.hpp"
#include "parquet/write.hpp"
#include "parquet/write_bloom.hpp"
#include "parquet/write_codec.hpp"
#include "parquet/write_dictionary.hpp"
#include "parquet/write_thrift.hpp"

namespace quern::parquet {

namespace {

// A row that needs more goes on in further pages. Pages stay below 2^31 bytes, whatever the row.
constexpr int64_t most_page_bytes = 1 << 28;
constexpr int64_t most_page_entries = 1 << 28;

// Level entries [first, first + entries) of a piece, with the values that belong to them.
struct Range {
  const LeafPiece* piece;
  int64_t first, entries;
  const uint8_t* values;  // plain form
  int64_t value_count, value_bytes;
};

struct Page {
  std::vector<Range> ranges;
  int64_t entries = 0, values = 0, value_bytes = 0, rows = 0;
  void clear() { *this = Page(); }
};

class ChunkEncoder {
 public:
  ChunkEncoder(Memory& memory, const WriteLeaf& leaf, std::span<const LeafPiece* const> pieces,
               const WriteOptions& options)
      : memory_(memory),
        leaf_(leaf),
        pieces_(pieces),
        options_(options),
        chunk_(memory, leaf),
        body_(memory),
        packed_(memory) {
    chunk_.repetition_histogram.assign(static_cast<size_t>(leaf.max_repetition) + 1, 0);
    chunk_.definition_histogram.assign(static_cast<size_t>(leaf.max_definition) + 1, 0);
  }

  EncodedChunk run() {
    dictionary_ = make_dictionary(memory_, leaf_, pieces_);
    chunk_.codec = dictionary_ ? options_.codec : chunk_codec(memory_, pieces_, options_);
    if (dictionary_) {
      write_dictionary();
      if (options_.bloom_ratio > 0) chunk_.bloom = bloom_filter(leaf_, *dictionary_, options_.bloom_ratio);
    }
    for (const LeafPiece* piece : pieces_) cut_pages(*piece);
    if (page_.entries > 0) flush();
    chunk_.compressed_size = static_cast<int64_t>(chunk_.bytes.size());
    return std::move(chunk_);
  }

 private:
  // ---- pages are cut at rows ----

  void cut_pages(const LeafPiece& piece) {
    const bool simple = !piece.repetition && !piece.definition && leaf_.width > 0;
    const uint8_t* values = piece.data ? piece.data->data() : nullptr;
    int64_t at = 0;
    while (at < piece.entries) {
      if (is_full() && starts_row(piece, at)) flush();
      if (page_.entries >= most_page_entries || page_.value_bytes >= most_page_bytes) {
        chunk_.pages_start_rows = chunk_.pages_start_rows && starts_row(piece, at);
        flush();
      }
      const Range range = simple ? flat_range(piece, at, values) : scanned_range(piece, at, values);
      values += range.value_bytes;
      at += range.entries;
      page_.entries += range.entries;
      page_.values += range.value_count;
      page_.value_bytes += range.value_bytes;
      page_.ranges.push_back(range);
    }
  }

  static bool starts_row(const LeafPiece& piece, int64_t at) {
    return !piece.repetition || piece.repetition->data()[at] == 0;
  }
  bool is_full() const { return page_.rows >= options_.page_rows || page_.value_bytes >= options_.page_bytes; }

  // Every entry is a row and a value of a fixed width.
  Range flat_range(const LeafPiece& piece, int64_t at, const uint8_t* values) {
    const int64_t room = std::max<int64_t>(1, (options_.page_bytes - page_.value_bytes) / leaf_.width);
    const int64_t count = std::min({piece.entries - at, options_.page_rows - page_.rows, room});
    page_.rows += count;
    return {&piece, at, count, values, count, count * leaf_.width};
  }

  Range scanned_range(const LeafPiece& piece, int64_t at, const uint8_t* values) {
    Range range{&piece, at, 0, values, 0, 0};
    const uint8_t* repetition = piece.repetition ? piece.repetition->data() : nullptr;
    const uint8_t* definition = piece.definition ? piece.definition->data() : nullptr;
    for (int64_t i = at; i < piece.entries; ++i) {
      const int64_t bytes = page_.value_bytes + range.value_bytes;
      if (repetition == nullptr || repetition[i] == 0) {
        if (i > at && (page_.rows >= options_.page_rows || bytes >= options_.page_bytes)) break;
        ++page_.rows;
      } else if (i > at && (bytes >= most_page_bytes || page_.entries + range.entries >= most_page_entries)) {
        break;
      }
      ++range.entries;
      if (definition != nullptr && definition[i] != leaf_.max_definition) continue;
      ++range.value_count;
      range.value_bytes += value_size(values + range.value_bytes);
    }
    return range;
  }

  int64_t value_size(const uint8_t* value) const {
    if (leaf_.width > 0) return leaf_.width;
    uint32_t length;
    std::memcpy(&length, value, 4);
    return 4 + static_cast<int64_t>(length);
  }

  // ---- one page ----

  void flush() {
    WrittenPage written{.bounds = WriteBounds(leaf_)};
    written.repetition_histogram.assign(chunk_.repetition_histogram.size(), 0);
    written.definition_histogram.assign(chunk_.definition_histogram.size(), 0);
    written.entries = page_.entries;
    written.nulls = page_.entries - page_.values;
    written.first_row = rows_;
    if (leaf_.physical == PhysicalType::byte_array) written.unencoded_bytes = page_.value_bytes - 4 * page_.values;
    for (const Range& range : page_.ranges) written.bounds.add(range.values, range.value_count, range.value_bytes);

    body_.clear();
    append_levels(leaf_.max_repetition, true, written.repetition_histogram);
    append_levels(leaf_.max_definition, false, written.definition_histogram);
    append_values();

    written.offset = static_cast<int64_t>(chunk_.bytes.size());
    written.size = static_cast<int32_t>(write_page(PageType::data, page_.entries,
                                                   dictionary_ ? Encoding::rle_dictionary : Encoding::plain,
                                                   {body_.data(), body_.size()}));
    add(written);
    page_.clear();
  }

  void add(const WrittenPage& page) {
    rows_ += page_.rows;
    values_ += page_.values;
    chunk_.entries += page.entries;
    chunk_.nulls += page.nulls;
    chunk_.unencoded_bytes += page.unencoded_bytes;
    chunk_.bounds.add(page.bounds);
    for (size_t i = 0; i < page.repetition_histogram.size(); ++i)
      chunk_.repetition_histogram[i] += page.repetition_histogram[i];
    for (size_t i = 0; i < page.definition_histogram.size(); ++i)
      chunk_.definition_histogram[i] += page.definition_histogram[i];
    chunk_.pages.push_back(page);
  }

  // Length and runs of the levels, where there is more than one level.
  void append_levels(int most, bool is_repetition, std::vector<int64_t>& histogram) {
    if (most == 0) {
      histogram[0] += page_.entries;
      return;
    }
    const size_t start = body_.size();
    body_.extend(4);
    HybridEncoder encoder(body_, bits_for(static_cast<uint32_t>(most)));
    for (const Range& range : page_.ranges) {
      const BufferPtr& levels = is_repetition ? range.piece->repetition : range.piece->definition;
      if (!levels) {
        const auto level = static_cast<uint32_t>(is_repetition ? 0 : most);
        encoder.put_run(level, range.entries);
        histogram[level] += range.entries;
        continue;
      }
      const uint8_t* bytes = levels->data() + range.first;
      for (int64_t i = 0; i < range.entries; ++i) {
        encoder.put(bytes[i]);
        ++histogram[bytes[i]];
      }
    }
    encoder.finish();
    const auto length = static_cast<uint32_t>(body_.size() - start - 4);
    std::memcpy(body_.data() + start, &length, 4);
  }

  void append_values() {
    if (dictionary_) {
      *body_.extend(1) = static_cast<uint8_t>(dictionary_->bit_width);
      HybridEncoder encoder(body_, dictionary_->bit_width);
      const auto* codes = dictionary_->codes->as<const uint32_t>() + values_;
      for (int64_t i = 0; i < page_.values; ++i) encoder.put(codes[i]);
      encoder.finish();
      return;
    }
    if (leaf_.physical == PhysicalType::boolean) return append_bits();
    for (const Range& range : page_.ranges) body_.append(range.values, static_cast<size_t>(range.value_bytes));
  }

  void append_bits() {
    const size_t bytes = static_cast<size_t>((page_.values + 7) / 8);
    uint8_t* out = body_.extend(bytes);
    std::memset(out, 0, bytes);
    int64_t at = 0;
    for (const Range& range : page_.ranges) {
      for (int64_t i = 0; i < range.value_count; ++i, ++at)
        out[at >> 3] |= static_cast<uint8_t>(range.values[i] << (at & 7));
    }
  }

  void write_dictionary() {
    chunk_.has_dictionary = true;
    chunk_.dictionary_bytes = write_page(PageType::dictionary, dictionary_->entries, Encoding::plain,
                                         {dictionary_->values.data(), dictionary_->values.size()});
  }

  // Appends header and body to the chunk; gives their size.
  int64_t write_page(PageType type, int64_t count, Encoding encoding, Bytes body) {
    Bytes stored = body;
    if (chunk_.codec != Codec::uncompressed) {
      packed_.clear();
      uint8_t* room = packed_.extend(compressed_bound(chunk_.codec, body.size()));
      stored = {room, compress(chunk_.codec, options_.level, body, {room, packed_.size()})};
    }
    ThriftWriter header;
    header.structure_element([&] {
      header.int32(1, static_cast<int32_t>(type));
      header.int32(2, static_cast<int32_t>(body.size()));
      header.int32(3, static_cast<int32_t>(stored.size()));
      header.structure(type == PageType::dictionary ? 7 : 5, [&] {
        header.int32(1, static_cast<int32_t>(count));
        header.int32(2, static_cast<int32_t>(encoding));
        if (type == PageType::dictionary) return;
        header.int32(3, static_cast<int32_t>(Encoding::rle));
        header.int32(4, static_cast<int32_t>(Encoding::rle));
      });
    });
    chunk_.bytes.append(header.bytes().data(), header.bytes().size());
    chunk_.bytes.append(stored.data(), stored.size());
    chunk_.uncompressed_size += static_cast<int64_t>(header.bytes().size() + body.size());
    return static_cast<int64_t>(header.bytes().size() + stored.size());
  }

  Memory& memory_;
  const WriteLeaf& leaf_;
  std::span<const LeafPiece* const> pieces_;
  const WriteOptions& options_;
  EncodedChunk chunk_;
  std::optional<EncodedDictionary> dictionary_;
  Page page_;
  ByteOutput body_, packed_;
  int64_t rows_ = 0, values_ = 0;  // before the page
};

}  // namespace

EncodedChunk encode_chunk(Memory& memory, const WriteLeaf& leaf, std::span<const LeafPiece* const> pieces,
                          const WriteOptions& options) {
  return ChunkEncoder(memory, leaf, pieces, options).run();
}

}  // namespace quern::parquet
