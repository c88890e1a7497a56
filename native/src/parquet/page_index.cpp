#include "parquet/page_index.hpp"

namespace quern::parquet {

namespace {

// Longer indexes are taken for damage: 64 MiB hold a million pages and more.
constexpr int32_t longest_index = 64 << 20;

BufferPtr load(Context& context, const File& file, std::optional<int64_t> offset, int32_t length) {
  if (!offset || *offset < 4 || length <= 0 || length > longest_index || *offset > file.footer_offset - length)
    return nullptr;
  BufferPtr bytes = context.memory().allocate(static_cast<size_t>(length));
  file.handle()->read(*offset, {bytes->data(), static_cast<size_t>(length)});
  context.metrics().bytes_read.fetch_add(length, std::memory_order_relaxed);
  return bytes;
}

}  // namespace

std::vector<PageLocation> load_offset_index(Context& context, const File& file, const ColumnChunk& chunk,
                                            int64_t rows) {
  BufferPtr bytes = load(context, file, chunk.offset_index_offset, chunk.offset_index_length);
  if (!bytes) return {};
  std::vector<PageLocation> pages;
  try {
    ThriftReader reader({bytes->data(), bytes->size()}, *chunk.offset_index_offset);
    pages = read_offset_index(reader);
    auto [start, end] = file.chunk_range(chunk);
    int64_t row = -1, position = start;
    for (size_t i = 0; i < pages.size(); ++i) {
      const PageLocation& page = pages[i];
      bool first_fits = i > 0 || page.first_row == 0;
      if (!first_fits || page.first_row <= row || page.first_row >= rows || page.offset < position || page.size <= 0 ||
          page.size > end - page.offset) {
        return {};
      }
      row = page.first_row;
      position = page.offset + page.size;
    }
  } catch (const Error& error) {
    // The index is an aid: without it pages are found by their headers.
    if (error.code() != ErrorCode::corrupt_file) throw;
    return {};
  }
  return pages;
}

std::optional<LoadedColumnIndex> load_column_index(Context& context, const File& file, const ColumnChunk& chunk,
                                                   size_t pages) {
  LoadedColumnIndex loaded;
  loaded.owner = load(context, file, chunk.column_index_offset, chunk.column_index_length);
  if (!loaded.owner) return std::nullopt;
  try {
    ThriftReader reader({loaded.owner->data(), loaded.owner->size()}, *chunk.column_index_offset);
    loaded.index = read_column_index(reader);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::corrupt_file) throw;
    return std::nullopt;
  }
  const ColumnIndex& index = loaded.index;
  if (index.null_pages.size() != pages || index.min_values.size() != pages || index.max_values.size() != pages ||
      (!index.null_counts.empty() && index.null_counts.size() != pages)) {
    return std::nullopt;
  }
  return loaded;
}

std::vector<int64_t> page_starts(Context& context, const File& file, int32_t row_group, int32_t field,
                                 const ReadOptions& options) {
  const FieldNode node = resolve_field(file.schema, field, options);
  std::vector<int64_t> out;
  for (const auto& page :
       load_offset_index(context, file, file.chunk(row_group, node.first_leaf), row_group_rows(file, row_group)))
    out.push_back(page.first_row);
  return out;
}

}  // namespace quern::parquet
