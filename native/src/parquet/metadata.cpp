#include "parquet/metadata.hpp"

namespace quern::parquet {

namespace {

using Field = ThriftReader::Field;

// A union whose members are empty structs: the id of its member, 0 when empty.
int16_t read_choice(ThriftReader& reader, const Field& field) {
  reader.expect_structure(field);
  int16_t choice = 0;
  reader.structure([&](const Field& member) {
    choice = member.id;
    reader.skip(member);
  });
  return choice;
}

TimeUnit read_time_unit(ThriftReader& reader, const Field& field) {
  switch (read_choice(reader, field)) {
    case 1:
      return TimeUnit::ms;
    case 2:
      return TimeUnit::us;
    case 3:
      return TimeUnit::ns;
    default:
      reader.fail("unknown time unit");
  }
}

LogicalKind logical_kind(int16_t id) {
  switch (id) {
    case 1:
      return LogicalKind::string;
    case 2:
      return LogicalKind::map;
    case 3:
      return LogicalKind::list;
    case 4:
      return LogicalKind::enumeration;
    case 5:
      return LogicalKind::decimal;
    case 6:
      return LogicalKind::date;
    case 7:
      return LogicalKind::time;
    case 8:
      return LogicalKind::timestamp;
    case 10:
      return LogicalKind::integer;
    case 11:
      return LogicalKind::null;
    case 12:
      return LogicalKind::json;
    case 13:
      return LogicalKind::bson;
    case 14:
      return LogicalKind::uuid;
    case 15:
      return LogicalKind::float16;
    case 16:
      return LogicalKind::variant;
    case 17:
      return LogicalKind::geometry;
    case 18:
      return LogicalKind::geography;
    default:
      return LogicalKind::other;
  }
}

LogicalType read_logical_type(ThriftReader& reader) {
  LogicalType type;
  reader.structure([&](const Field& member) {
    type.kind = logical_kind(member.id);
    bool has_body = type.kind == LogicalKind::decimal || type.kind == LogicalKind::time ||
                    type.kind == LogicalKind::timestamp || type.kind == LogicalKind::integer;
    if (!has_body) return reader.skip(member);
    reader.expect_structure(member);
    reader.structure([&](const Field& field) {
      switch (type.kind) {
        case LogicalKind::decimal:
          if (field.id == 1)
            type.scale = reader.int32(field);
          else if (field.id == 2)
            type.precision = reader.int32(field);
          else
            reader.skip(field);
          return;
        case LogicalKind::integer:
          if (field.id == 1)
            type.bit_width = reader.int8(field);
          else if (field.id == 2)
            type.is_signed = reader.boolean(field);
          else
            reader.skip(field);
          return;
        default:
          if (field.id == 1)
            type.utc = reader.boolean(field);
          else if (field.id == 2)
            type.unit = read_time_unit(reader, field);
          else
            reader.skip(field);
      }
    });
  });
  return type;
}

Statistics read_statistics(ThriftReader& reader) {
  Statistics statistics;
  reader.structure([&](const Field& field) {
    switch (field.id) {
      case 1:
        statistics.max = reader.binary(field);
        break;
      case 2:
        statistics.min = reader.binary(field);
        break;
      case 3:
        statistics.null_count = reader.int64(field);
        break;
      case 4:
        statistics.distinct_count = reader.int64(field);
        break;
      case 5:
        statistics.max_value = reader.binary(field);
        break;
      case 6:
        statistics.min_value = reader.binary(field);
        break;
      case 7:
        statistics.max_exact = reader.boolean(field);
        break;
      case 8:
        statistics.min_exact = reader.boolean(field);
        break;
      default:
        reader.skip(field);
    }
  });
  return statistics;
}

std::vector<int64_t> read_int64_list(ThriftReader& reader, const Field& field) {
  std::vector<int64_t> values;
  for (int64_t left = reader.list(field, ThriftType::int64); left > 0; --left) values.push_back(reader.int64_element());
  return values;
}

std::vector<std::string_view> read_binary_list(ThriftReader& reader, const Field& field) {
  std::vector<std::string_view> values;
  for (int64_t left = reader.list(field, ThriftType::binary); left > 0; --left)
    values.push_back(reader.binary_element());
  return values;
}

SizeStatistics read_size_statistics(ThriftReader& reader) {
  SizeStatistics sizes;
  reader.structure([&](const Field& field) {
    switch (field.id) {
      case 1:
        sizes.unencoded_bytes = reader.int64(field);
        break;
      case 2:
        sizes.repetition_histogram = read_int64_list(reader, field);
        break;
      case 3:
        sizes.definition_histogram = read_int64_list(reader, field);
        break;
      default:
        reader.skip(field);
    }
  });
  return sizes;
}

PhysicalType read_physical_type(ThriftReader& reader, const Field& field) {
  int32_t type = reader.int32(field);
  if (type < 0 || type > 7) reader.fail("unknown physical type " + std::to_string(type));
  return static_cast<PhysicalType>(type);
}

void read_column_metadata(ThriftReader& reader, ColumnChunk& chunk) {
  bool has_type = false, has_codec = false, has_count = false, has_size = false, has_offset = false;
  reader.structure([&](const Field& field) {
    switch (field.id) {
      case 1:
        chunk.type = read_physical_type(reader, field);
        has_type = true;
        break;
      case 2:
        for (int64_t left = reader.list(field, ThriftType::int32); left > 0; --left) {
          chunk.encodings.push_back(reader.int32_element());
        }
        break;
      case 3:
        chunk.path = read_binary_list(reader, field);
        break;
      case 4:
        chunk.codec = reader.int32(field);
        has_codec = true;
        break;
      case 5:
        chunk.value_count = reader.int64(field);
        has_count = true;
        break;
      case 6:
        chunk.uncompressed_size = reader.int64(field);
        break;
      case 7:
        chunk.compressed_size = reader.int64(field);
        has_size = true;
        break;
      case 9:
        chunk.data_page_offset = reader.int64(field);
        has_offset = true;
        break;
      case 11:
        chunk.dictionary_page_offset = reader.int64(field);
        break;
      case 12:
        reader.expect_structure(field);
        chunk.statistics = read_statistics(reader);
        break;
      // Aids, which early drafts of the format numbered otherwise: of another type they are ignored.
      case 14:
        if (field.type == ThriftType::int64)
          chunk.bloom_offset = reader.int64(field);
        else
          reader.skip(field);
        break;
      case 15:
        if (field.type == ThriftType::int32)
          chunk.bloom_length = reader.int32(field);
        else
          reader.skip(field);
        break;
      case 16:
        if (field.type == ThriftType::structure)
          chunk.sizes = read_size_statistics(reader);
        else
          reader.skip(field);
        break;
      default:
        reader.skip(field);
    }
  });
  if (!has_type || !has_codec || !has_count || !has_size || !has_offset)
    reader.fail("column metadata lacks a required field");
  chunk.has_metadata = true;
}

}  // namespace

const char* physical_type_name(PhysicalType type) {
  static const char* const names[] = {"BOOLEAN", "INT32",  "INT64",      "INT96",
                                      "FLOAT",   "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"};
  return names[static_cast<int>(type)];
}

std::string encoding_name(int32_t encoding) {
  switch (static_cast<Encoding>(encoding)) {
    case Encoding::plain:
      return "PLAIN";
    case Encoding::plain_dictionary:
      return "PLAIN_DICTIONARY";
    case Encoding::rle:
      return "RLE";
    case Encoding::bit_packed:
      return "BIT_PACKED";
    case Encoding::delta_binary_packed:
      return "DELTA_BINARY_PACKED";
    case Encoding::delta_length_byte_array:
      return "DELTA_LENGTH_BYTE_ARRAY";
    case Encoding::delta_byte_array:
      return "DELTA_BYTE_ARRAY";
    case Encoding::rle_dictionary:
      return "RLE_DICTIONARY";
    case Encoding::byte_stream_split:
      return "BYTE_STREAM_SPLIT";
  }
  return "encoding " + std::to_string(encoding);
}

SchemaElement read_schema_element(ThriftReader& reader) {
  SchemaElement element;
  bool named = false;
  reader.structure([&](const Field& field) {
    switch (field.id) {
      case 1:
        element.type = read_physical_type(reader, field);
        break;
      case 2:
        element.type_length = reader.int32(field);
        break;
      case 3: {
        int32_t repetition = reader.int32(field);
        if (repetition < 0 || repetition > 2) reader.fail("unknown repetition " + std::to_string(repetition));
        element.repetition = static_cast<Repetition>(repetition);
        break;
      }
      case 4:
        element.name = std::string(reader.binary(field));
        named = true;
        break;
      case 5:
        element.child_count = reader.int32(field);
        break;
      case 6: {
        int32_t converted = reader.int32(field);
        if (converted >= 0 && converted <= static_cast<int32_t>(Converted::interval)) {
          element.converted = static_cast<Converted>(converted);
        }
        break;
      }
      case 7:
        element.scale = reader.int32(field);
        break;
      case 8:
        element.precision = reader.int32(field);
        break;
      case 9:
        element.field_id = reader.int32(field);
        break;
      case 10:
        reader.expect_structure(field);
        element.logical = read_logical_type(reader);
        break;
      default:
        reader.skip(field);
    }
  });
  if (!named) reader.fail("schema element without a name");
  return element;
}

ColumnChunk read_column_chunk(ThriftReader& reader) {
  ColumnChunk chunk;
  reader.structure([&](const Field& field) {
    switch (field.id) {
      case 1:
        chunk.file_path = reader.binary(field);
        break;
      case 3:
        reader.expect_structure(field);
        read_column_metadata(reader, chunk);
        break;
      case 4:
        chunk.offset_index_offset = reader.int64(field);
        break;
      case 5:
        chunk.offset_index_length = reader.int32(field);
        break;
      case 6:
        chunk.column_index_offset = reader.int64(field);
        break;
      case 7:
        chunk.column_index_length = reader.int32(field);
        break;
      case 8:
      case 9:
        chunk.encrypted = true;
        reader.skip(field);
        break;
      default:
        reader.skip(field);
    }
  });
  return chunk;
}

PageHeader read_page_header(ThriftReader& reader) {
  PageHeader header;
  bool has_type = false, has_uncompressed = false, has_compressed = false;
  int16_t body = 0;
  reader.structure([&](const Field& field) {
    switch (field.id) {
      case 1:
        header.type = reader.int32(field);
        has_type = true;
        break;
      case 2:
        header.uncompressed_size = reader.int32(field);
        has_uncompressed = true;
        break;
      case 3:
        header.compressed_size = reader.int32(field);
        has_compressed = true;
        break;
      case 5:
        reader.expect_structure(field);
        body = 5;
        reader.structure([&](const Field& part) {
          switch (part.id) {
            case 1:
              header.value_count = reader.int32(part);
              break;
            case 2:
              header.encoding = reader.int32(part);
              break;
            case 3:
              header.definition_encoding = reader.int32(part);
              break;
            case 4:
              header.repetition_encoding = reader.int32(part);
              break;
            default:
              reader.skip(part);
          }
        });
        break;
      case 7:
        reader.expect_structure(field);
        body = 7;
        reader.structure([&](const Field& part) {
          switch (part.id) {
            case 1:
              header.value_count = reader.int32(part);
              break;
            case 2:
              header.encoding = reader.int32(part);
              break;
            default:
              reader.skip(part);
          }
        });
        break;
      case 8:
        reader.expect_structure(field);
        body = 8;
        reader.structure([&](const Field& part) {
          switch (part.id) {
            case 1:
              header.value_count = reader.int32(part);
              break;
            case 2:
              header.null_count = reader.int32(part);
              break;
            case 3:
              header.row_count = reader.int32(part);
              break;
            case 4:
              header.encoding = reader.int32(part);
              break;
            case 5:
              header.definition_length = reader.int32(part);
              break;
            case 6:
              header.repetition_length = reader.int32(part);
              break;
            case 7:
              header.is_compressed = reader.boolean(part);
              break;
            default:
              reader.skip(part);
          }
        });
        break;
      default:
        reader.skip(field);
    }
  });
  if (!has_type || !has_uncompressed || !has_compressed) reader.fail("page header lacks a required field");
  switch (static_cast<PageType>(header.type)) {
    case PageType::data:
      header.has_body_header = body == 5;
      break;
    case PageType::dictionary:
      header.has_body_header = body == 7;
      break;
    case PageType::data_v2:
      header.has_body_header = body == 8;
      break;
    default:
      header.has_body_header = false;
  }
  return header;
}

std::vector<PageLocation> read_offset_index(ThriftReader& reader) {
  std::vector<PageLocation> pages;
  reader.structure([&](const Field& field) {
    if (field.id != 1) return reader.skip(field);
    for (int64_t left = reader.list(field, ThriftType::structure); left > 0; --left) {
      PageLocation page;
      reader.structure([&](const Field& part) {
        switch (part.id) {
          case 1:
            page.offset = reader.int64(part);
            break;
          case 2:
            page.size = reader.int32(part);
            break;
          case 3:
            page.first_row = reader.int64(part);
            break;
          default:
            reader.skip(part);
        }
      });
      pages.push_back(page);
    }
  });
  return pages;
}

ColumnIndex read_column_index(ThriftReader& reader) {
  ColumnIndex index;
  reader.structure([&](const Field& field) {
    switch (field.id) {
      case 1:
        for (int64_t left = reader.list(field, ThriftType::boolean_true); left > 0; --left) {
          index.null_pages.push_back(reader.boolean_element());
        }
        break;
      case 2:
        index.min_values = read_binary_list(reader, field);
        break;
      case 3:
        index.max_values = read_binary_list(reader, field);
        break;
      case 5:
        index.null_counts = read_int64_list(reader, field);
        break;
      default:
        reader.skip(field);
    }
  });
  return index;
}

BloomHeader read_bloom_header(ThriftReader& reader) {
  BloomHeader header;
  int16_t algorithm = 0, hash = 0, compression = 0;
  reader.structure([&](const Field& field) {
    switch (field.id) {
      case 1:
        header.byte_count = reader.int32(field);
        break;
      case 2:
        algorithm = read_choice(reader, field);
        break;
      case 3:
        hash = read_choice(reader, field);
        break;
      case 4:
        compression = read_choice(reader, field);
        break;
      default:
        reader.skip(field);
    }
  });
  header.known = algorithm == 1 && hash == 1 && compression == 1;
  return header;
}

}  // namespace quern::parquet
