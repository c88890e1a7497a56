#include "parquet/encoded_pages.hpp"

#include <algorithm>
#include <cstring>

#include "parquet/levels.hpp"

namespace quern::parquet {

namespace {

// Of a page without nulls a few runs cover all entries.
constexpr int longest_look = 16;

int level_width(int max_level) {
  int width = 0;
  while ((1 << width) <= max_level) ++width;
  return width;
}

bool is_version_2(const PageHeader& header) { return static_cast<PageType>(header.type) == PageType::data_v2; }

int64_t level_bytes(const PageHeader& header) {
  return static_cast<int64_t>(header.repetition_length) + header.definition_length;
}

}  // namespace

ChunkPages read_page_headers(Context& context, const File& file, int32_t row_group, int32_t leaf) {
  ChunkPages out;
  out.chunk = file.chunk(row_group, leaf);
  const auto& node = file.schema.nodes[static_cast<size_t>(file.schema.leaves[static_cast<size_t>(leaf)])];
  PageStream pages(context, file, out.chunk, node.max_definition, node.max_repetition, false);
  pages.headers_only();
  while (pages.next()) out.pages.push_back({pages.page().header, pages.body_position()});
  out.dictionary = pages.dictionary_page();
  return out;
}

bool is_stored_plainly(int32_t codec, const PageHeader& header) {
  return codec == static_cast<int32_t>(Codec::uncompressed) || (is_version_2(header) && !header.is_compressed) ||
         (is_version_2(header) && header.compressed_size == level_bytes(header));
}

int64_t body_size(int32_t codec, const PageHeader& header) {
  return is_stored_plainly(codec, header) ? header.compressed_size : header.uncompressed_size;
}

void expand_page(int32_t codec, const PageHeader& header, Bytes stored, std::span<uint8_t> out) {
  const auto levels = static_cast<size_t>(is_version_2(header) ? level_bytes(header) : 0);
  if (levels > out.size()) throw corrupt_file("page of " + std::to_string(out.size()) + " bytes has longer levels");
  if (levels > 0) std::memcpy(out.data(), stored.data(), levels);
  stored = stored.subspan(levels);
  out = out.subspan(levels);
  check_expansion(codec, static_cast<int64_t>(stored.size()), static_cast<int64_t>(out.size()));
  decompress(codec, stored, out);
}

PageSections cut_page(const PageHeader& header, int64_t size, int max_repetition, int max_definition,
                      const std::function<Bytes(int64_t at, int64_t count)>& body) {
  PageSections out;
  int64_t at = 0;
  if (is_version_2(header)) {
    if (size != header.uncompressed_size)
      throw corrupt_file("page of " + std::to_string(size) + " bytes, expected " +
                         std::to_string(header.uncompressed_size));
    out.repetition_bytes = header.repetition_length;
    out.definition_at = at = header.repetition_length;
    out.definition_bytes = header.definition_length;
    at += header.definition_length;
  } else {
    const auto cut = [&](int max_level, int32_t encoding, int64_t& start, int64_t& bytes) {
      if (max_level == 0) return;
      if (static_cast<Encoding>(encoding) != Encoding::rle) throw unsupported("levels in " + encoding_name(encoding));
      if (size - at < 4) throw corrupt_file("levels: no length");
      uint32_t declared = 0;
      std::memcpy(&declared, body(at, 4).data(), 4);
      at += 4;
      if (static_cast<int64_t>(declared) > size - at) throw corrupt_file("levels end behind their page");
      start = at;
      bytes = declared;
      at += declared;
    };
    cut(max_repetition, header.repetition_encoding, out.repetition_at, out.repetition_bytes);
    cut(max_definition, header.definition_encoding, out.definition_at, out.definition_bytes);
  }
  if (at > size) throw corrupt_file("levels end behind their page");
  out.values_at = at;
  out.values_bytes = size - at;
  return out;
}

bool holds_no_nulls(Bytes definition, int max_definition, int64_t entries) {
  HybridDecoder runs(definition, level_width(max_definition));
  for (int i = 0; i < longest_look; ++i) {
    const auto run = runs.peek(entries);
    if (!run.repeated || run.value != static_cast<uint32_t>(max_definition)) return false;
    entries -= run.count;
    if (entries == 0) return true;
    runs.advance(run.count);
  }
  return false;
}

RowStarts find_row_starts(Memory& memory, Bytes repetition, int64_t entries) {
  LevelCursor levels(memory, {repetition, false, false}, 1, entries);
  std::vector<uint32_t> starts(static_cast<size_t>(start_window));
  RowStarts out;
  for (int64_t taken = 0; taken < entries;) {
    int64_t found = 0;
    const int64_t count =
        levels.take_starts(std::min(start_window, entries - taken), start_window, starts.data(), found);
    for (int64_t i = 0; i < found; ++i) {
      const int64_t start = taken + starts[static_cast<size_t>(i)];
      if (out.count == 0) {
        out.first = start;
      } else if (out.count == 1) {
        out.distance = start - out.last;
      } else {
        out.is_even &= start - out.last == out.distance;
      }
      out.last = start;
      ++out.count;
    }
    taken += count;
    if (!out.is_even) break;
  }
  return out;
}

}  // namespace quern::parquet
