// Opening a file: magic numbers, footer, schema, and the places of row groups and column chunks, which are decoded
// later.
#include <algorithm>
#include <cstring>

#include "parquet/file.hpp"
#include "parquet/geo_metadata.hpp"

namespace quern::parquet {

namespace {

// Bytes read from the end of a file at first; most footers are smaller.
constexpr int64_t tail_bytes = 64 << 10;
constexpr int64_t shortest_file = 12;  // magic, footer length, magic

using Field = ThriftReader::Field;

}  // namespace

FilePtr open(Memory& memory, const std::string& path) {
  auto file = std::make_shared<File>(memory);
  file->path = path;
  auto handle = std::make_shared<const FileHandle>(path);
  file->identity_ = handle->identity();
  file->size = handle->identity().size;
  try {
    if (file->size < shortest_file) {
      throw corrupt_file("not a Parquet file: " + std::to_string(file->size) + " bytes, at least " +
                         std::to_string(shortest_file));
    }
    int64_t tail = std::min(file->size, tail_bytes);
    file->footer_buffer = memory.allocate(static_cast<size_t>(tail));
    handle->read(file->size - tail, {file->footer_buffer->data(), static_cast<size_t>(tail)});
    const uint8_t* end = file->footer_buffer->data() + tail;
    if (std::memcmp(end - 4, "PARE", 4) == 0) throw unsupported("encrypted footer");
    if (std::memcmp(end - 4, "PAR1", 4) != 0) throw corrupt_file("not a Parquet file: no magic bytes PAR1 at the end");
    uint8_t head[4];
    handle->read(0, head);
    if (std::memcmp(head, "PAR1", 4) != 0) throw corrupt_file("not a Parquet file: no magic bytes PAR1 at the start");
    uint32_t length = 0;
    std::memcpy(&length, end - 8, 4);
    if (static_cast<int64_t>(length) + shortest_file > file->size) {
      throw corrupt_file("footer of " + std::to_string(length) + " bytes in a file of " + std::to_string(file->size));
    }
    file->footer_offset = file->size - 8 - length;
    if (static_cast<int64_t>(length) + 8 > tail) {
      file->footer_buffer = memory.allocate(length);
      handle->read(file->footer_offset, {file->footer_buffer->data(), length});
      file->footer = {file->footer_buffer->data(), length};
    } else {
      file->footer = {end - 8 - length, length};
    }
    file->parse_footer();
  } catch (const Error& error) {
    throw file->locate(error, "");
  }
  return file;
}

void File::parse_footer() {
  std::vector<SchemaElement> elements;
  bool has_schema = false, has_rows = false, has_groups = false;
  std::vector<bool> orders;
  ThriftReader reader(footer, footer_offset);
  // Counts parsed metadata against the budget, a piece at a time.
  auto charge = [&](size_t bytes) {
    if (static_cast<int64_t>(bytes) > reserved_.bytes()) reserved_.resize(static_cast<int64_t>(bytes) + (1 << 16));
  };
  auto read_row_group = [&] {
    RowGroup group;
    group.first_site = chunk_sites.size();
    bool has_columns = false, has_count = false;
    reader.structure([&](const Field& field) {
      switch (field.id) {
        case 1: {
          has_columns = true;
          for (int64_t left = reader.list(field, ThriftType::structure); left > 0; --left) {
            chunk_sites.push_back(static_cast<uint32_t>(reader.position()));
            reader.skip(ThriftType::structure);
          }
          break;
        }
        case 2:
          group.total_bytes = reader.int64(field);
          break;
        case 3:
          group.row_count = reader.int64(field);
          has_count = true;
          break;
        default:
          reader.skip(field);
      }
    });
    if (!has_columns || !has_count) reader.fail("row group lacks a required field");
    charge((elements.size() + 1) * sizeof(SchemaNode) * 2 + chunk_sites.size() * sizeof(uint32_t) * 2 +
           row_groups.size() * sizeof(RowGroup) * 2);
    row_groups.push_back(group);
  };
  reader.structure([&](const Field& field) {
    switch (field.id) {
      case 1:
        version = reader.int32(field);
        break;
      case 2:
        has_schema = true;
        for (int64_t left = reader.list(field, ThriftType::structure); left > 0; --left) {
          elements.push_back(read_schema_element(reader));
          charge(elements.size() * sizeof(SchemaNode) * 2);
        }
        break;
      case 3:
        row_count = reader.int64(field);
        has_rows = true;
        break;
      case 4:
        has_groups = true;
        for (int64_t left = reader.list(field, ThriftType::structure); left > 0; --left) read_row_group();
        break;
      case 5:
        for (int64_t left = reader.list(field, ThriftType::structure); left > 0; --left) {
          std::pair<std::string_view, std::string_view> pair;
          reader.structure([&](const Field& part) {
            if (part.id == 1)
              pair.first = reader.binary(part);
            else if (part.id == 2)
              pair.second = reader.binary(part);
            else
              reader.skip(part);
          });
          key_values.push_back(pair);
        }
        break;
      case 6:
        created_by = reader.binary(field);
        break;
      case 7:
        for (int64_t left = reader.list(field, ThriftType::structure); left > 0; --left) {
          bool known = false;
          reader.structure([&](const Field& part) {
            known = part.id == 1;
            reader.skip(part);
          });
          orders.push_back(known);
        }
        break;
      default:
        reader.skip(field);
    }
  });
  if (!has_schema || !has_rows || !has_groups) reader.fail("file metadata lacks a required field");
  schema = make_schema(std::move(elements));
  for (const auto& [key, value] : key_values) {
    if (key == "geo") mark_geometries(schema, value);
  }
  size_t leaves = schema.leaves.size();
  has_known_order.assign(leaves, false);
  if (orders.size() == leaves) has_known_order = std::move(orders);

  if (row_count < 0) throw corrupt_file("negative row count " + std::to_string(row_count));
  int64_t sum = 0;
  for (size_t group = 0; group < row_groups.size(); ++group) {
    size_t end = group + 1 < row_groups.size() ? row_groups[group + 1].first_site : chunk_sites.size();
    size_t columns = end - row_groups[group].first_site;
    if (columns != leaves) {
      throw corrupt_file("row group " + std::to_string(group) + ": " + std::to_string(columns) +
                         " columns, the schema has " + std::to_string(leaves));
    }
    int64_t rows = row_groups[group].row_count;
    if (rows < 0 || __builtin_add_overflow(sum, rows, &sum)) {
      throw corrupt_file("row group " + std::to_string(group) + ": row count " + std::to_string(rows));
    }
  }
  if (sum != row_count) {
    throw corrupt_file("row groups hold " + std::to_string(sum) + " rows, the file says " + std::to_string(row_count));
  }
}

ColumnChunk File::chunk(int32_t row_group, int32_t leaf) const {
  try {
    return parse_chunk(row_group, leaf);
  } catch (const Error& error) {
    throw locate(error, "row group " + std::to_string(row_group) + ", column " +
                            schema.path(schema.leaves.at(static_cast<size_t>(leaf))));
  }
}

ColumnChunk File::parse_chunk(int32_t row_group, int32_t leaf) const {
  const RowGroup& group = row_groups.at(static_cast<size_t>(row_group));
  ThriftReader reader(footer, footer_offset, chunk_sites.at(group.first_site + static_cast<size_t>(leaf)));
  ColumnChunk chunk = read_column_chunk(reader);
  if (!chunk.file_path.empty()) throw unsupported("column data in another file (" + std::string(chunk.file_path) + ")");
  if (chunk.encrypted) throw unsupported("encrypted column");
  if (!chunk.has_metadata) throw corrupt_file("column chunk without metadata");
  const SchemaNode& node = schema.nodes[schema.leaves.at(static_cast<size_t>(leaf))];
  if (chunk.type != *node.element.type) {
    throw corrupt_file(std::string("column chunk holds ") + physical_type_name(chunk.type) + ", the schema says " +
                       physical_type_name(*node.element.type));
  }
  bool same_path = static_cast<size_t>(node.depth) == chunk.path.size();
  int32_t up = schema.leaves[static_cast<size_t>(leaf)];
  for (size_t part = chunk.path.size(); same_path && part-- > 0; up = schema.nodes[up].parent) {
    same_path = chunk.path[part] == schema.nodes[up].element.name;
  }
  if (!same_path) {
    std::string path;
    for (std::string_view part : chunk.path) path += (path.empty() ? "" : ".") + std::string(part);
    throw corrupt_file("column chunk is of '" + path + "', the schema says '" + schema.path(schema.leaves[leaf]) + "'");
  }
  if (chunk.value_count < 0) throw corrupt_file("value count " + std::to_string(chunk.value_count));
  if (node.max_repetition == 0 && chunk.value_count != group.row_count) {
    throw corrupt_file(std::to_string(chunk.value_count) + " values, the row group has " +
                       std::to_string(group.row_count) + " rows");
  }
  if (node.max_repetition > 0 && chunk.value_count < group.row_count) {
    throw corrupt_file(std::to_string(chunk.value_count) + " levels, the row group has " +
                       std::to_string(group.row_count) + " rows");
  }
  return chunk;
}

std::pair<int64_t, int64_t> File::chunk_range(const ColumnChunk& chunk) const {
  int64_t start = chunk.data_page_offset;
  // Absent, 0 or nonsense in files of old writers: the first page header tells.
  if (chunk.dictionary_page_offset && *chunk.dictionary_page_offset >= 4 && *chunk.dictionary_page_offset < start) {
    start = *chunk.dictionary_page_offset;
  }
  int64_t end = 0;
  if (chunk.value_count == 0) return {start, start};
  if (start < 4 || start >= footer_offset || chunk.compressed_size < 0 ||
      __builtin_add_overflow(start, chunk.compressed_size, &end)) {
    throw corrupt_file("pages at " + std::to_string(start) + " of " + std::to_string(chunk.compressed_size) +
                       " bytes, the footer is at " + std::to_string(footer_offset));
  }
  // Old writers leave the dictionary page's header out of the size: page headers are the truth, within this slack.
  constexpr int64_t slack = 100;
  if (end > footer_offset) {
    throw corrupt_file("pages end at " + std::to_string(end) + ", the footer is at " + std::to_string(footer_offset));
  }
  return {start, std::min(end + slack, footer_offset)};
}

int64_t row_count(const File& file) { return file.row_count; }

int32_t row_group_count(const File& file) { return static_cast<int32_t>(file.row_groups.size()); }

int64_t row_group_rows(const File& file, int32_t row_group) {
  return file.row_groups.at(static_cast<size_t>(row_group)).row_count;
}

std::vector<FieldInfo> fields(const File& file, const ReadOptions& options) {
  std::vector<FieldInfo> found;
  for (size_t field = 0; field < file.schema.top_level.size(); ++field) {
    FieldNode node = resolve_field(file.schema, static_cast<int32_t>(field), options);
    found.push_back({node.name, node.type, node.reason});
  }
  return found;
}

}  // namespace quern::parquet
