// Pages of one column chunk as something other than LeafReader decodes them: where bodies lie in the file, and which
// bytes of a body are levels and values. Everything that a page header says is checked here.
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "parquet/pages.hpp"

namespace quern::parquet {

struct PageSite {
  PageHeader header;
  int64_t body = 0;  // position in the file
};

struct ChunkPages {
  ColumnChunk chunk;
  std::vector<PageSite> pages;  // those with entries
  std::optional<PageStream::DictionaryPage> dictionary;
};

// Reads the page headers of a chunk, and its dictionary page. Throws what LeafReader would throw of them, without their
// place.
ChunkPages read_page_headers(Context& context, const File& file, int32_t row_group, int32_t leaf);

// Bytes of a page once it is decompressed: of a page of version 2 the levels, then the values.
int64_t body_size(int32_t codec, const PageHeader& header);
// Whether the stored body is what body_size() speaks of.
bool is_stored_plainly(int32_t codec, const PageHeader& header);
// Decompresses a stored body into `out`, which has body_size() bytes.
void expand_page(int32_t codec, const PageHeader& header, Bytes stored, std::span<uint8_t> out);

// Sections of a body, as places in it. Levels are RLE hybrids, without their length.
struct PageSections {
  int64_t repetition_at = 0, repetition_bytes = 0;
  int64_t definition_at = 0, definition_bytes = 0;
  int64_t values_at = 0, values_bytes = 0;
};
// `body(at, count)` gives bytes of it. Throws unsupported for levels that are no hybrids.
PageSections cut_page(const PageHeader& header, int64_t size, int max_repetition, int max_definition,
                      const std::function<Bytes(int64_t at, int64_t count)>& body);

// Whether all definition levels of a page are the highest one, as far as its first runs say so.
bool holds_no_nulls(Bytes definition, int max_definition, int64_t entries);

// Row starts of a page of lists (repetition levels 0 and 1): how many, the first and the last, and the distance between
// neighbours where it is always the same, else 0.
struct RowStarts {
  int64_t count = 0;
  int64_t first = -1, last = -1;
  int64_t distance = 0;
  bool is_even = true;
};
RowStarts find_row_starts(Memory& memory, Bytes repetition, int64_t entries);

}  // namespace quern::parquet
