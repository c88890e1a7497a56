#include "parquet/pages.hpp"

#include <algorithm>
#include <cstring>

#include "parquet/snappy_stream.hpp"
#include "parquet/stored_stream.hpp"
#include "parquet/varint.hpp"

namespace quern::parquet {

namespace {

// Headers carry statistics with whole values; beyond this a header is damaged.
constexpr int64_t longest_header = 16 << 20;
constexpr int64_t first_header_look = 4 << 10;
// Larger bodies are decompressed while they are read, where the codec can.
constexpr int64_t whole_body = 4 << 20;
// Values of smaller bodies are read together with what lies around them.
constexpr int64_t stored_body = 256 << 10;

// No codec of bounded ratio yields more than this from `compressed` bytes; 0 = unbounded.
int64_t largest_output(int32_t codec, int64_t compressed) {
  switch (static_cast<Codec>(codec)) {
    case Codec::snappy:
      return compressed * 64 + 64;
    case Codec::gzip:
      return compressed * 1100 + 64;
    case Codec::lz4:
    case Codec::lz4_raw:
      return compressed * 300 + 64;
    default:
      return 0;
  }
}

int level_width(int max_level) {
  int width = 0;
  while ((1 << width) <= max_level) ++width;
  return width;
}

// The next bytes of a chunk, at most a read-ahead at a time.
class ChunkPieces : public PieceSource {
 public:
  ChunkPieces(ChunkStream& stream, int64_t count) : stream_(stream), left_(count) {}
  size_t left() const override { return static_cast<size_t>(left_); }
  Bytes piece() override {
    const Bytes bytes = stream_.available(1);
    return bytes.first(std::min(bytes.size(), left()));
  }
  void skip(size_t count) override {
    stream_.skip(static_cast<int64_t>(count));
    left_ -= static_cast<int64_t>(count);
  }

 private:
  ChunkStream& stream_;
  int64_t left_;
};

}  // namespace

void check_expansion(int32_t codec, int64_t compressed, int64_t size) {
  const int64_t most = largest_output(codec, compressed);
  if (most > 0 && size > most) {
    throw corrupt_file(codec_name(codec) + ": " + std::to_string(size) + " bytes declared from " +
                       std::to_string(compressed));
  }
}

PageStream::PageStream(Context& context, const File& file, const ColumnChunk& chunk, int max_definition,
                       int max_repetition, bool streams)
    : context_(context),
      codec_(chunk.codec),
      packs_from_low_(file.created_by.starts_with("impala")),
      value_count_(chunk.value_count),
      start_(file.chunk_range(chunk).first),
      max_definition_(max_definition),
      max_repetition_(max_repetition),
      streams_(streams),
      stream_(context, file, start_, file.chunk_range(chunk).second) {}

PageHeader PageStream::read_header() {
  page_offset_ = stream_.position();
  body_read_ = values_ready_ = false;
  body_owner_.reset();
  values_owner_.reset();
  value_stream_.reset();
  level_owners_.clear();
  if (stream_.left() <= 0) {
    throw corrupt_file("pages end after " + std::to_string(entries_seen_) + " values, expected " +
                       std::to_string(value_count_));
  }
  for (int64_t look = first_header_look;; look *= 4) {
    Bytes bytes = stream_.available(look);
    bool all = static_cast<int64_t>(bytes.size()) >= std::min(stream_.left(), longest_header);
    if (static_cast<int64_t>(bytes.size()) > longest_header) bytes = bytes.first(longest_header);
    ThriftReader reader(bytes, page_offset_);
    try {
      PageHeader header = read_page_header(reader);
      stream_.skip(static_cast<int64_t>(reader.position()));
      check_sizes(header);
      return header;
    } catch (const Error&) {
      if (!reader.ran_out() || all) throw;
    }
  }
}

void PageStream::check_sizes(const PageHeader& header) const {
  if (header.compressed_size < 0 || header.compressed_size > stream_.left()) {
    throw corrupt_file("page of " + std::to_string(header.compressed_size) + " bytes, " +
                       std::to_string(stream_.left()) + " left in the column chunk");
  }
  if (header.uncompressed_size < 0)
    throw corrupt_file("uncompressed page size " + std::to_string(header.uncompressed_size));
}

bool PageStream::next() {
  // A body that nobody asked for is passed over.
  while (true) {
    if (behind_ > 0) stream_.seek(behind_);
    if (headers_only_) stream_.expect(0);
    behind_ = 0;
    if (jumped_ ? ordinal_ + 1 >= page_count_ : entries_seen_ >= value_count_) return false;
    PageHeader header = read_header();
    auto type = static_cast<PageType>(header.type);
    bool is_first = first_page_;
    first_page_ = false;
    if (type == PageType::dictionary) {
      if (dictionary_) throw corrupt_file("second dictionary page");
      if (!is_first) throw corrupt_file("dictionary page after data pages");
      read_dictionary(header);
      continue;
    }
    if (type == PageType::index) {
      stream_.skip(header.compressed_size);
      continue;
    }
    if (type != PageType::data && type != PageType::data_v2)
      throw corrupt_file("unknown page type " + std::to_string(header.type));
    if (!header.has_body_header) throw corrupt_file("data page without its header");
    if (header.value_count < 0) throw corrupt_file("page of " + std::to_string(header.value_count) + " values");
    page_.header = header;
    page_.offset = page_offset_;
    page_.ordinal = ++ordinal_;
    page_.entries = header.value_count;
    page_.has_row_count = type == PageType::data_v2;
    if (type == PageType::data_v2) {
      if (header.definition_length < 0 || header.repetition_length < 0 ||
          static_cast<int64_t>(header.definition_length) + header.repetition_length > header.compressed_size) {
        throw corrupt_file("level sections of " + std::to_string(header.repetition_length) + " and " +
                           std::to_string(header.definition_length) + " bytes in a page of " +
                           std::to_string(header.compressed_size));
      }
      if (header.row_count < 0 || header.row_count > header.value_count) {
        throw corrupt_file("page of " + std::to_string(header.row_count) + " rows and " +
                           std::to_string(header.value_count) + " values");
      }
      if (max_repetition_ == 0 && header.row_count != header.value_count) {
        throw corrupt_file("page of " + std::to_string(header.row_count) + " rows and " +
                           std::to_string(header.value_count) + " values");
      }
    }
    if (!jumped_ && header.value_count > value_count_ - entries_seen_) {
      throw corrupt_file("page of " + std::to_string(header.value_count) + " values, " +
                         std::to_string(value_count_ - entries_seen_) + " left in the column chunk");
    }
    entries_seen_ += header.value_count;
    behind_ = stream_.position() + header.compressed_size;
    if (header.value_count > 0) return true;
  }
}

BufferPtr PageStream::make_room(int64_t compressed, int64_t size) {
  check_expansion(codec_, compressed, size);
  return context_.memory().allocate(static_cast<size_t>(size));
}

Bytes PageStream::expand_pieces(int64_t count, int64_t size, BufferPtr& owner) {
  owner = make_room(count, size);
  ChunkPieces pieces(stream_, count);
  decompress_pieces(codec_, pieces, {owner->data(), static_cast<size_t>(size)});
  return {owner->data(), static_cast<size_t>(size)};
}

Bytes PageStream::expand(Bytes compressed, int64_t size, BufferPtr& owner) {
  owner = make_room(static_cast<int64_t>(compressed.size()), size);
  decompress(codec_, compressed, {owner->data(), static_cast<size_t>(size)});
  return {owner->data(), static_cast<size_t>(size)};
}

void PageStream::read_dictionary(const PageHeader& header) {
  if (!header.has_body_header) throw corrupt_file("dictionary page without its header");
  if (header.value_count < 0) throw corrupt_file("dictionary of " + std::to_string(header.value_count) + " values");
  auto encoding = static_cast<Encoding>(header.encoding);
  if (encoding != Encoding::plain && encoding != Encoding::plain_dictionary) {
    throw corrupt_file("dictionary page in " + encoding_name(header.encoding));
  }
  DictionaryPage page;
  page.count = header.value_count;
  page.bytes = stream_.peek(header.compressed_size, page.owner);
  if (codec_ != static_cast<int32_t>(Codec::uncompressed))
    page.bytes = expand(page.bytes, header.uncompressed_size, page.owner);
  stream_.skip(header.compressed_size);
  dictionary_ = std::move(page);
}

// Whether the values of the page at hand come as a stream: from the file, or decompressed on the way. Pages that shrank
// are decompressed whole: the library is faster at copies.
bool PageStream::streams_stored() const {
  const PageHeader& header = page_.header;
  const bool is_stored = codec_ == static_cast<int32_t>(Codec::uncompressed) ||
                         (static_cast<PageType>(header.type) == PageType::data_v2 && !header.is_compressed);
  return streams_ && is_stored && header.compressed_size >= stored_body &&
         static_cast<Encoding>(header.encoding) == Encoding::plain;
}

bool PageStream::streams_snappy() const {
  const PageHeader& header = page_.header;
  return streams_ && codec_ == static_cast<int32_t>(Codec::snappy) && header.compressed_size > whole_body &&
         header.compressed_size / 7 > header.uncompressed_size / 8 &&
         static_cast<PageType>(header.type) == PageType::data &&
         static_cast<Encoding>(header.encoding) == Encoding::plain;
}

void PageStream::load_body() {
  if (body_read_) return;
  context_.metrics().pages_read.fetch_add(1, std::memory_order_relaxed);
  repetition_ = definition_ = {};
  if (static_cast<PageType>(page_.header.type) == PageType::data_v2)
    load_version_2();
  else
    load_version_1();
  body_read_ = true;
}

Bytes PageStream::take_levels(size_t count) {
  level_owners_.push_back(context_.memory().allocate(count));
  value_stream_->read(level_owners_.back()->data(), count);
  return {level_owners_.back()->data(), count};
}

void PageStream::load_version_1() {
  const PageHeader& header = page_.header;
  if (streams_snappy()) {
    const auto open = [this, start = stream_.position()]() -> std::unique_ptr<PieceSource> {
      stream_.seek(start);
      return std::make_unique<ChunkPieces>(stream_, page_.header.compressed_size);
    };
    value_stream_ =
        std::make_shared<SnappyStream>(context_.memory(), open, static_cast<size_t>(header.uncompressed_size));
  } else if (streams_stored()) {
    value_stream_ = std::make_shared<StoredStream>(stream_, static_cast<size_t>(header.compressed_size));
  } else if (codec_ == static_cast<int32_t>(Codec::uncompressed)) {
    body_ = stream_.peek(header.compressed_size, body_owner_);
  } else if (header.compressed_size > whole_body && can_decompress_pieces(codec_)) {
    body_ = expand_pieces(header.compressed_size, header.uncompressed_size, body_owner_);
  } else {
    BufferPtr owner;
    body_ = expand(stream_.peek(header.compressed_size, owner), header.uncompressed_size, body_owner_);
  }
  Bytes rest = body_;
  const auto left = [&] { return value_stream_ ? value_stream_->left() : rest.size(); };
  const auto take = [&](size_t count) {
    if (value_stream_) return take_levels(count);
    const Bytes taken = rest.first(count);
    rest = rest.subspan(count);
    return taken;
  };
  auto cut = [&](int max_level, int32_t encoding, const char* what) {
    Section section;
    if (max_level == 0) return section;
    size_t length = 0;
    if (static_cast<Encoding>(encoding) == Encoding::rle) {
      if (left() < 4) throw corrupt_file(std::string(what) + " levels: no length");
      uint32_t declared = 0;
      std::memcpy(&declared, take(4).data(), 4);
      length = declared;
    } else if (static_cast<Encoding>(encoding) == Encoding::bit_packed) {
      section.bit_packed = true;
      section.from_low = packs_from_low_;
      length = (static_cast<size_t>(header.value_count) * level_width(max_level) + 7) / 8;
    } else {
      throw corrupt_file(std::string(what) + " levels in " + encoding_name(encoding));
    }
    if (length > left()) {
      throw corrupt_file(std::string(what) + " levels of " + std::to_string(length) + " bytes, " +
                         std::to_string(left()) + " left");
    }
    section.bytes = take(length);
    return section;
  };
  repetition_ = cut(max_repetition_, header.repetition_encoding, "repetition");
  definition_ = cut(max_definition_, header.definition_encoding, "definition");
  values_ = rest;
  values_owner_ = body_owner_;
  values_ready_ = true;
}

void PageStream::load_version_2() {
  const PageHeader& header = page_.header;
  const auto repetition = static_cast<size_t>(header.repetition_length);
  const auto definition = static_cast<size_t>(header.definition_length);
  const int64_t stored =
      static_cast<int64_t>(header.compressed_size) - header.repetition_length - header.definition_length;
  const int64_t expected =
      static_cast<int64_t>(header.uncompressed_size) - header.repetition_length - header.definition_length;
  values_ready_ = codec_ == static_cast<int32_t>(Codec::uncompressed) || !header.is_compressed || stored == 0;
  if (expected < 0 || (values_ready_ && expected != stored)) {
    throw corrupt_file("page of " + std::to_string(header.uncompressed_size) + " bytes holds " +
                       std::to_string(header.compressed_size));
  }
  if (streams_stored()) {
    value_stream_ = std::make_shared<StoredStream>(stream_, static_cast<size_t>(header.compressed_size));
    repetition_.bytes = take_levels(repetition);
    definition_.bytes = take_levels(definition);
    return;
  }
  const Bytes bytes = stream_.peek(header.compressed_size, body_owner_);
  repetition_.bytes = bytes.first(repetition);
  definition_.bytes = bytes.subspan(repetition, definition);
  body_ = bytes.subspan(repetition + definition);
  if (values_ready_) {
    values_ = body_;
    values_owner_ = body_owner_;
  }
}

PageStream::Section PageStream::repetition_levels() {
  load_body();
  return repetition_;
}

std::optional<uint8_t> PageStream::peek_repetition_level() {
  const PageHeader& header = page_.header;
  if (max_repetition_ == 0) return 0;
  if (body_read_) return std::nullopt;
  const bool is_version_2 = static_cast<PageType>(header.type) == PageType::data_v2;
  const bool is_compressed = !is_version_2 && codec_ != static_cast<int32_t>(Codec::uncompressed);
  if (!is_version_2 && static_cast<Encoding>(header.repetition_encoding) != Encoding::rle) return std::nullopt;
  // of a small body the whole is as cheap
  if (is_compressed && header.compressed_size < static_cast<int64_t>(2 * longest_head)) return std::nullopt;
  uint8_t head[16] = {};  // bytes of the section (4, of version 1), header of a run (at most 10), a level
  const int64_t wanted = is_compressed ? longest_head : std::min<int64_t>(sizeof head, header.compressed_size);
  BufferPtr owner;
  const Bytes bytes = stream_.peek(wanted, owner);
  if (!is_compressed)
    std::memcpy(head, bytes.data(), bytes.size());
  else if (!decompress_head(codec_, bytes, head))
    return std::nullopt;
  size_t at = is_version_2 ? 0 : 4;
  const uint64_t run = read_varint(head, at, "levels");
  if (at >= sizeof head || run >> 1 == 0) return std::nullopt;
  const bool is_packed = (run & 1) != 0;
  return is_packed ? static_cast<uint8_t>(head[at] & ((1 << level_width(max_repetition_)) - 1)) : head[at];
}

PageStream::Section PageStream::definition_levels() {
  load_body();
  return definition_;
}

Bytes PageStream::values(BufferPtr& owner) {
  load_body();
  if (!values_ready_) {
    const PageHeader& header = page_.header;
    int64_t size = static_cast<int64_t>(header.uncompressed_size) - header.repetition_length - header.definition_length;
    values_ = expand(body_, size, values_owner_);
    values_ready_ = true;
  }
  owner = values_owner_;
  return values_;
}

std::shared_ptr<ValueStream> PageStream::value_stream() {
  load_body();
  return value_stream_;
}

void PageStream::expect_up_to(int64_t position) {
  stream_.expect(std::max<int64_t>(0, position - stream_.position()) + first_header_look);
}

void PageStream::jump(const PageLocation& page, int64_t ordinal, int64_t page_count) {
  stream_.seek(page.offset);
  stream_.expect(page.size < stored_body ? page.size : first_header_look);
  behind_ = 0;
  page_count_ = page_count;
  first_page_ = false;
  ordinal_ = ordinal - 1;
  jumped_ = true;
}

void PageStream::restart() {
  stream_.seek(start_);
  behind_ = 0;
  first_page_ = true;
  dictionary_.reset();
  ordinal_ = -1;
  entries_seen_ = 0;
  jumped_ = false;
}

}  // namespace quern::parquet
