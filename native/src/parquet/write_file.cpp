#include <algorithm>
#include <cstring>

#include "common/error.hpp"
#include "parquet/write.hpp"
#include "parquet/write_thrift.hpp"

namespace quern::parquet {

namespace {

constexpr std::string_view magic = "PAR1";

std::span<const uint8_t> as_bytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

void write_time_unit(ThriftWriter& out, TimeUnit unit) {
  const auto member = static_cast<int16_t>(unit == TimeUnit::ms ? 1 : unit == TimeUnit::us ? 2 : 3);
  out.structure(2, [&] { out.structure(member, [] {}); });
}

// The member of the LogicalType union.
void write_logical(ThriftWriter& out, const LogicalType& logical) {
  const auto empty = [&](int16_t id) { out.structure(id, [] {}); };
  switch (logical.kind) {
    case LogicalKind::string:
      return empty(1);
    case LogicalKind::map:
      return empty(2);
    case LogicalKind::list:
      return empty(3);
    case LogicalKind::date:
      return empty(6);
    case LogicalKind::null:
      return empty(11);
    case LogicalKind::json:
      return empty(12);
    case LogicalKind::uuid:
      return empty(14);
    case LogicalKind::float16:
      return empty(15);
    case LogicalKind::variant:
      return out.structure(16, [&] { out.int8(1, 1); });
    case LogicalKind::geometry:
      return empty(17);
    case LogicalKind::decimal:
      return out.structure(5, [&] {
        out.int32(1, logical.scale);
        out.int32(2, logical.precision);
      });
    case LogicalKind::time:
    case LogicalKind::timestamp:
      return out.structure(logical.kind == LogicalKind::time ? 7 : 8, [&] {
        out.boolean(1, logical.utc);
        write_time_unit(out, logical.unit);
      });
    case LogicalKind::integer:
      return out.structure(10, [&] {
        out.int8(1, static_cast<int8_t>(logical.bit_width));
        out.boolean(2, logical.is_signed);
      });
    default:
      throw internal_error("no logical type to write");
  }
}

void write_element(ThriftWriter& out, const SchemaElement& element, bool is_root) {
  out.structure_element([&] {
    if (element.type) out.int32(1, static_cast<int32_t>(*element.type));
    if (element.type_length > 0) out.int32(2, element.type_length);
    if (!is_root) out.int32(3, static_cast<int32_t>(element.repetition));
    out.binary(4, element.name);
    if (!element.type) out.int32(5, element.child_count);
    if (element.converted != Converted::none) out.int32(6, static_cast<int32_t>(element.converted));
    if (element.converted == Converted::decimal) {
      out.int32(7, element.scale);
      out.int32(8, element.precision);
    }
    if (element.logical.kind != LogicalKind::none) out.structure(10, [&] { write_logical(out, element.logical); });
  });
}

void write_integers(ThriftWriter& out, int16_t id, const std::vector<int64_t>& values) {
  out.list(id, ThriftType::int64, values.size());
  for (int64_t value : values) out.integer_element(value);
}

void write_statistics(ThriftWriter& out, const EncodedChunk& chunk) {
  out.int64(3, chunk.nulls);
  if (!chunk.bounds.known()) return;
  const StoredBound min = chunk.bounds.min(), max = chunk.bounds.max();
  out.binary(5, max.value);
  out.binary(6, min.value);
  out.boolean(7, max.exact);
  out.boolean(8, min.exact);
}

void write_sizes(ThriftWriter& out, const EncodedChunk& chunk, const WriteLeaf& leaf) {
  if (leaf.physical == PhysicalType::byte_array) out.int64(1, chunk.unencoded_bytes);
  if (leaf.max_repetition > 0) write_integers(out, 2, chunk.repetition_histogram);
  if (leaf.max_definition > 0) write_integers(out, 3, chunk.definition_histogram);
}

void write_encoding_count(ThriftWriter& out, PageType type, Encoding encoding, size_t pages) {
  out.structure_element([&] {
    out.int32(1, static_cast<int32_t>(type));
    out.int32(2, static_cast<int32_t>(encoding));
    out.int32(3, static_cast<int32_t>(pages));
  });
}

void write_encodings(ThriftWriter& out, const EncodedChunk& chunk) {
  std::vector<Encoding> used{Encoding::rle, Encoding::plain};
  if (chunk.has_dictionary) used.push_back(Encoding::rle_dictionary);
  out.list(2, ThriftType::int32, used.size());
  for (Encoding encoding : used) out.integer_element(static_cast<int64_t>(encoding));
}

void write_metadata(ThriftWriter& out, const EncodedChunk& chunk, const WriteLeaf& leaf) {
  out.int32(1, static_cast<int32_t>(leaf.physical));
  write_encodings(out, chunk);
  out.list(3, ThriftType::binary, leaf.path.size());
  for (const std::string& part : leaf.path) out.binary_element(part);
  out.int32(4, static_cast<int32_t>(chunk.codec));
  out.int64(5, chunk.entries);
  out.int64(6, chunk.uncompressed_size);
  out.int64(7, chunk.compressed_size);
  out.int64(9, chunk.offset + chunk.dictionary_bytes);
  if (chunk.has_dictionary) out.int64(11, chunk.offset);
  out.structure(12, [&] { write_statistics(out, chunk); });
  out.list(13, ThriftType::structure, chunk.has_dictionary ? 2 : 1);
  if (chunk.has_dictionary) write_encoding_count(out, PageType::dictionary, Encoding::plain, 1);
  write_encoding_count(out, PageType::data, chunk.has_dictionary ? Encoding::rle_dictionary : Encoding::plain,
                       chunk.pages.size());
  if (chunk.bloom_length > 0) {
    out.int64(14, chunk.bloom_offset);
    out.int32(15, chunk.bloom_length);
  }
  out.structure(16, [&] { write_sizes(out, chunk, leaf); });
}

// Bounds of all pages, or nothing where one that has values has none.
bool has_column_index(const EncodedChunk& chunk) {
  return chunk.pages_start_rows && std::all_of(chunk.pages.begin(), chunk.pages.end(), [](const WrittenPage& page) {
           return page.nulls == page.entries || page.bounds.known();
         });
}

std::string column_index(const EncodedChunk& chunk, const WriteLeaf& leaf) {
  ThriftWriter out;
  const auto& pages = chunk.pages;
  const auto is_null = [](const WrittenPage& page) { return page.nulls == page.entries; };
  const auto histograms = [&](int16_t id, std::vector<int64_t> WrittenPage::* histogram) {
    out.list(id, ThriftType::int64, pages.size() * (pages[0].*histogram).size());
    for (const WrittenPage& page : pages) {
      for (int64_t count : page.*histogram) out.integer_element(count);
    }
  };
  out.structure_element([&] {
    out.list(1, ThriftType::boolean_true, pages.size());
    for (const WrittenPage& page : pages) out.boolean_element(is_null(page));
    out.list(2, ThriftType::binary, pages.size());
    for (const WrittenPage& page : pages) out.binary_element(is_null(page) ? "" : page.bounds.min().value);
    out.list(3, ThriftType::binary, pages.size());
    for (const WrittenPage& page : pages) out.binary_element(is_null(page) ? "" : page.bounds.max().value);
    out.int32(4, 0);  // in no order
    out.list(5, ThriftType::int64, pages.size());
    for (const WrittenPage& page : pages) out.integer_element(page.nulls);
    if (leaf.max_repetition > 0) histograms(6, &WrittenPage::repetition_histogram);
    if (leaf.max_definition > 0) histograms(7, &WrittenPage::definition_histogram);
  });
  return out.bytes();
}

std::string offset_index(const EncodedChunk& chunk, const WriteLeaf& leaf) {
  ThriftWriter out;
  out.structure_element([&] {
    out.list(1, ThriftType::structure, chunk.pages.size());
    for (const WrittenPage& page : chunk.pages) {
      out.structure_element([&] {
        out.int64(1, chunk.offset + page.offset);
        out.int32(2, page.size);
        out.int64(3, page.first_row);
      });
    }
    if (leaf.physical == PhysicalType::byte_array) {
      out.list(2, ThriftType::int64, chunk.pages.size());
      for (const WrittenPage& page : chunk.pages) out.integer_element(page.unencoded_bytes);
    }
  });
  return out.bytes();
}

}  // namespace

FileWriter::FileWriter(const std::string& path, WriteSchema schema) : file_(path), schema_(std::move(schema)) {
  file_.write(as_bytes(magic));
}

void FileWriter::append(EncodedGroup group) {
  for (EncodedChunk& chunk : group.chunks) {
    chunk.offset = file_.position();
    file_.write({chunk.bytes.data(), chunk.bytes.size()});
    chunk.bytes.release();
  }
  for (EncodedChunk& chunk : group.chunks) {
    if (chunk.bloom.empty()) continue;
    chunk.bloom_offset = file_.position();
    chunk.bloom_length = static_cast<int32_t>(chunk.bloom.size());
    file_.write(as_bytes(chunk.bloom));
    chunk.bloom = std::string();
  }
  WrittenGroup written{std::move(group), {}, {}, {}};
  last_end_bytes_ = 0;
  for (size_t leaf = 0; leaf < written.group.chunks.size(); ++leaf) {
    const EncodedChunk& chunk = written.group.chunks[leaf];
    written.column_indexes.push_back(has_column_index(chunk) ? column_index(chunk, schema_.leaves[leaf]) : "");
    written.offset_indexes.push_back(chunk.pages_start_rows ? offset_index(chunk, schema_.leaves[leaf]) : "");
    // Offset and length of an index take up to 16 bytes of the footer, which does not know them yet.
    last_end_bytes_ += static_cast<int64_t>(written.column_indexes.back().size()) +
                       static_cast<int64_t>(written.offset_indexes.back().size()) + 16;
  }
  written.places.resize(written.group.chunks.size());
  ThriftWriter metadata;
  metadata.structure_element([&] { write_group(metadata, written); });
  last_end_bytes_ += static_cast<int64_t>(metadata.bytes().size());
  end_bytes_ += last_end_bytes_;
  groups_.push_back(std::move(written));
}

// All column indexes, then all offset indexes: readers fetch each kind in one read.
void FileWriter::write_indexes() {
  const auto write = [&](const std::string& bytes, int64_t& offset, int32_t& length) {
    if (bytes.empty()) return;
    offset = file_.position();
    length = static_cast<int32_t>(bytes.size());
    file_.write(as_bytes(bytes));
  };
  for (WrittenGroup& written : groups_) {
    for (size_t leaf = 0; leaf < written.places.size(); ++leaf) {
      IndexPlace& place = written.places[leaf];
      write(written.column_indexes[leaf], place.column_offset, place.column_length);
    }
  }
  for (WrittenGroup& written : groups_) {
    for (size_t leaf = 0; leaf < written.places.size(); ++leaf) {
      IndexPlace& place = written.places[leaf];
      write(written.offset_indexes[leaf], place.offset_offset, place.offset_length);
    }
  }
}

void FileWriter::write_group(ThriftWriter& out, const WrittenGroup& written) const {
  const EncodedGroup& group = written.group;
  int64_t uncompressed = 0, compressed = 0;
  for (const EncodedChunk& chunk : group.chunks) {
    uncompressed += chunk.uncompressed_size;
    compressed += chunk.compressed_size;
  }
  out.list(1, ThriftType::structure, group.chunks.size());
  for (size_t leaf = 0; leaf < group.chunks.size(); ++leaf) {
    const IndexPlace& place = written.places[leaf];
    out.structure_element([&] {
      out.int64(2, 0);
      out.structure(3, [&] { write_metadata(out, group.chunks[leaf], schema_.leaves[leaf]); });
      if (place.offset_length > 0) {
        out.int64(4, place.offset_offset);
        out.int32(5, place.offset_length);
      }
      if (place.column_length > 0) {
        out.int64(6, place.column_offset);
        out.int32(7, place.column_length);
      }
    });
  }
  out.int64(2, uncompressed);
  out.int64(3, group.rows);
  out.int64(5, group.chunks[0].offset);
  out.int64(6, compressed);
}

std::string FileWriter::footer() const {
  ThriftWriter out;
  int64_t rows = 0;
  for (const WrittenGroup& written : groups_) rows += written.group.rows;
  out.structure_element([&] {
    out.int32(1, 2);
    out.list(2, ThriftType::structure, schema_.elements.size());
    for (size_t i = 0; i < schema_.elements.size(); ++i) write_element(out, schema_.elements[i], i == 0);
    out.int64(3, rows);
    out.list(4, ThriftType::structure, groups_.size());
    for (const WrittenGroup& written : groups_) out.structure_element([&] { write_group(out, written); });
    out.binary(6, "quern");
    // Every leaf in the order of its type.
    out.list(7, ThriftType::structure, schema_.leaves.size());
    for (size_t i = 0; i < schema_.leaves.size(); ++i) out.structure_element([&] { out.structure(1, [] {}); });
  });
  return out.bytes();
}

void FileWriter::finish() {
  write_indexes();
  std::string end = footer();
  if (end.size() > INT32_MAX) throw unsupported("Parquet footers beyond 2 GiB").with_hint("larger row groups");
  const auto length = static_cast<uint32_t>(end.size());
  end.append(reinterpret_cast<const char*>(&length), 4);
  end.append(magic);
  file_.write(as_bytes(end));
  file_.commit();
}

}  // namespace quern::parquet
