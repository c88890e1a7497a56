// The pages of one column chunk, in order: bytes from the file, headers, decompression, level and value sections.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "parquet/chunk_stream.hpp"
#include "parquet/codec.hpp"
#include "parquet/file.hpp"
#include "parquet/value_stream.hpp"

namespace quern::parquet {

struct Page {
  PageHeader header;
  int64_t offset = 0;          // of the header
  int64_t ordinal = 0;         // data pages of the chunk so far
  int64_t entries = 0;         // level entries: values, nulls, empty lists
  bool has_row_count = false;  // v2
};

// Throws corrupt_file when no stream of the codec of so many bytes yields `size` bytes.
void check_expansion(int32_t codec, int64_t compressed, int64_t size);

// Steps through the pages: next() moves to a data page without reading its body; the sections are made when asked for.
class PageStream {
 public:
  // `streams`: the values of large plain pages may come as a stream.
  PageStream(Context& context, const File& file, const ColumnChunk& chunk, int max_definition, int max_repetition,
             bool streams);

  // From here on next() reads page headers and the dictionary page, and nothing ahead of them.
  void headers_only() { headers_only_ = true; }
  // Where the body of the current page begins in the file.
  int64_t body_position() const { return behind_ - page_.header.compressed_size; }

  // Moves to the next data page that has entries; false when all entries of the chunk have been seen. A dictionary page
  // on the way is kept as dictionary_page().
  bool next();
  const Page& page() const { return page_; }

  // Level sections: empty when the maximum level is 0.
  struct Section {
    Bytes bytes;
    bool bit_packed = false;  // deprecated BIT_PACKED
    bool from_low = false;    // of which: bits in the order of the RLE encoding, against the specification
  };
  Section repetition_levels();
  Section definition_levels();
  // The first repetition level of the page at hand, where the first bytes of its body tell it; else none.
  std::optional<uint8_t> peek_repetition_level();
  // The value section and what it lives in.
  Bytes values(BufferPtr& owner);
  // The value section of a page whose values come as a stream, in place of values(); else null. Valid until next().
  std::shared_ptr<ValueStream> value_stream();

  // The decompressed dictionary page, when there is one; read on the way of next().
  struct DictionaryPage {
    Bytes bytes;
    BufferPtr owner;
    int32_t count = 0;
  };
  const std::optional<DictionaryPage>& dictionary_page() const { return dictionary_; }

  // Of what comes next no more is wanted than up to the header at `position`.
  void expect_up_to(int64_t position);
  // Jumps to data page `ordinal` of `page_count`, as the offset index has it. The entries passed over are unknown, so
  // that the end is then told by the page count.
  void jump(const PageLocation& page, int64_t ordinal, int64_t page_count);
  // Back to the first page.
  void restart();
  // Offset for error messages.
  int64_t position() const { return page_offset_; }
  int64_t page_ordinal() const { return ordinal_; }
  bool jumped() const { return jumped_; }

 private:
  PageHeader read_header();
  void check_sizes(const PageHeader& header) const;
  void load_body();
  void load_version_1();
  void load_version_2();
  bool streams_stored() const;
  bool streams_snappy() const;
  // The next `count` bytes of the stream of values, as a level section.
  Bytes take_levels(size_t count);
  Bytes expand(Bytes compressed, int64_t size, BufferPtr& owner);
  // The same of `count` bytes of the chunk that are not read yet.
  Bytes expand_pieces(int64_t count, int64_t size, BufferPtr& owner);
  BufferPtr make_room(int64_t compressed, int64_t size);
  void read_dictionary(const PageHeader& header);

  Context& context_;
  int32_t codec_;
  bool packs_from_low_;  // the writer's BIT_PACKED levels
  int64_t value_count_;
  int64_t start_;
  int max_definition_, max_repetition_;
  bool streams_;
  ChunkStream stream_;
  Page page_;
  int64_t page_offset_ = 0;
  int64_t ordinal_ = -1;
  int64_t entries_seen_ = 0;
  int64_t behind_ = 0;      // position behind the current page's body; 0 = there already
  int64_t page_count_ = 0;  // after a jump
  bool jumped_ = false;
  bool headers_only_ = false;
  bool first_page_ = true;
  std::optional<DictionaryPage> dictionary_;
  // Body of the current page.
  bool body_read_ = false;
  BufferPtr body_owner_;
  Bytes body_;  // v1: the whole decompressed body; v2: as stored
  Section repetition_, definition_;
  Bytes values_;
  bool values_ready_ = false;
  BufferPtr values_owner_;
  std::shared_ptr<ValueStream> value_stream_;
  std::vector<BufferPtr> level_owners_;  // of level sections cut from a stream
};

}  // namespace quern::parquet
