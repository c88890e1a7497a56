#include "parquet/metadata.hpp"

#include "parquet/thrift_fields.hpp"

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
    switch (type.kind) {
      case LogicalKind::decimal:
        read_structure(reader, member, into<1>(type.scale), into<2>(type.precision));
        return;
      case LogicalKind::integer:
        read_structure(reader, member, by<1>([&](auto& in, auto& field) { type.bit_width = in.int8(field); }),
                       into<2>(type.is_signed));
        return;
      default:
        read_structure(reader, member, into<1>(type.utc),
                       by<2>([&](auto& in, auto& field) { type.unit = read_time_unit(in, field); }));
    }
  });
  return type;
}

void read_statistics(ThriftReader& reader, const Field& field, Statistics& statistics) {
  read_structure(reader, field, into<1>(statistics.max), into<2>(statistics.min), into<3>(statistics.null_count),
                 into<4>(statistics.distinct_count), into<5>(statistics.max_value), into<6>(statistics.min_value),
                 into<7>(statistics.max_exact), into<8>(statistics.min_exact));
}

void read_size_statistics(ThriftReader& reader, const Field& field, SizeStatistics& sizes) {
  read_structure(reader, field, into<1>(sizes.unencoded_bytes), into<2>(sizes.repetition_histogram),
                 into<3>(sizes.definition_histogram));
}

PhysicalType read_physical_type(ThriftReader& reader, const Field& field) {
  int32_t type = reader.int32(field);
  if (type < 0 || type > 7) reader.fail("unknown physical type " + std::to_string(type));
  return static_cast<PhysicalType>(type);
}

// Aids, which early drafts of the format numbered otherwise: of another type than `type` they are ignored.
template <int16_t Id, typename Read>
auto aid(ThriftType type, Read read) {
  return by<Id>([type, read](ThriftReader& reader, const Field& field) {
    if (field.type == type)
      read(reader, field);
    else
      reader.skip(field);
  });
}

void read_column_metadata(ThriftReader& reader, const Field& field, ColumnChunk& chunk) {
  const SeenFields seen = read_structure(
      reader, field, by<1>([&](auto& in, auto& part) { chunk.type = read_physical_type(in, part); }),
      into<2>(chunk.encodings), into<3>(chunk.path), into<4>(chunk.codec), into<5>(chunk.value_count),
      into<6>(chunk.uncompressed_size), into<7>(chunk.compressed_size), into<9>(chunk.data_page_offset),
      into<11>(chunk.dictionary_page_offset),
      by<12>([&](auto& in, auto& part) { read_statistics(in, part, chunk.statistics = {}); }),
      aid<14>(ThriftType::int64, [&](auto& in, auto& part) { chunk.bloom_offset = in.int64(part); }),
      aid<15>(ThriftType::int32, [&](auto& in, auto& part) { chunk.bloom_length = in.int32(part); }),
      aid<16>(ThriftType::structure, [&](auto& in, auto& part) { read_size_statistics(in, part, chunk.sizes = {}); }));
  if (!seen.all({1, 4, 5, 7, 9})) reader.fail("column metadata lacks a required field");
  chunk.has_metadata = true;
}

Repetition read_repetition(ThriftReader& reader, const Field& field) {
  const int32_t repetition = reader.int32(field);
  if (repetition < 0 || repetition > 2) reader.fail("unknown repetition " + std::to_string(repetition));
  return static_cast<Repetition>(repetition);
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
  const SeenFields seen = read_fields(
      reader, by<1>([&](auto& in, auto& field) { element.type = read_physical_type(in, field); }),
      into<2>(element.type_length),
      by<3>([&](auto& in, auto& field) { element.repetition = read_repetition(in, field); }), into<4>(element.name),
      into<5>(element.child_count), by<6>([&](auto& in, auto& field) {
        const int32_t converted = in.int32(field);
        if (converted < 0 || converted > static_cast<int32_t>(Converted::interval)) return;
        element.converted = static_cast<Converted>(converted);
      }),
      into<7>(element.scale), into<8>(element.precision), into<9>(element.field_id), by<10>([&](auto& in, auto& field) {
        in.expect_structure(field);
        element.logical = read_logical_type(in);
      }));
  if (!seen.all({4})) reader.fail("schema element without a name");
  return element;
}

ColumnChunk read_column_chunk(ThriftReader& reader) {
  ColumnChunk chunk;
  const auto encrypted = [&](ThriftReader& in, const Field& field) {
    chunk.encrypted = true;
    in.skip(field);
  };
  read_fields(
      reader, into<1>(chunk.file_path), by<3>([&](auto& in, auto& field) { read_column_metadata(in, field, chunk); }),
      into<4>(chunk.offset_index_offset), into<5>(chunk.offset_index_length), into<6>(chunk.column_index_offset),
      into<7>(chunk.column_index_length), by<8>(encrypted), by<9>(encrypted));
  return chunk;
}

PageHeader read_page_header(ThriftReader& reader) {
  PageHeader header;
  int16_t body = 0;
  const SeenFields seen = read_fields(
      reader, into<1>(header.type), into<2>(header.uncompressed_size), into<3>(header.compressed_size),
      by<5>([&](auto& in, auto& field) {
        body = field.id;
        read_structure(in, field, into<1>(header.value_count), into<2>(header.encoding),
                       into<3>(header.definition_encoding), into<4>(header.repetition_encoding));
      }),
      by<7>([&](auto& in, auto& field) {
        body = field.id;
        read_structure(in, field, into<1>(header.value_count), into<2>(header.encoding));
      }),
      by<8>([&](auto& in, auto& field) {
        body = field.id;
        read_structure(in, field, into<1>(header.value_count), into<2>(header.null_count), into<3>(header.row_count),
                       into<4>(header.encoding), into<5>(header.definition_length), into<6>(header.repetition_length),
                       into<7>(header.is_compressed));
      }));
  if (!seen.all({1, 2, 3})) reader.fail("page header lacks a required field");
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
  read_fields(reader, by<1>([&](auto& in, auto& field) {
                for (int64_t left = in.list(field, ThriftType::structure); left > 0; --left) {
                  PageLocation page;
                  read_fields(in, into<1>(page.offset), into<2>(page.size), into<3>(page.first_row));
                  pages.push_back(page);
                }
              }));
  return pages;
}

ColumnIndex read_column_index(ThriftReader& reader) {
  ColumnIndex index;
  read_fields(reader, by<1>([&](auto& in, auto& field) {
                for (int64_t left = in.list(field, ThriftType::boolean_true); left > 0; --left)
                  index.null_pages.push_back(in.boolean_element());
              }),
              into<2>(index.min_values), into<3>(index.max_values), into<5>(index.null_counts));
  return index;
}

BloomHeader read_bloom_header(ThriftReader& reader) {
  BloomHeader header;
  int16_t algorithm = 0, hash = 0, compression = 0;
  const auto choice = [](int16_t& chosen) {
    return [&chosen](ThriftReader& in, const Field& field) { chosen = read_choice(in, field); };
  };
  read_fields(reader, into<1>(header.byte_count), by<2>(choice(algorithm)), by<3>(choice(hash)),
              by<4>(choice(compression)));
  header.known = algorithm == 1 && hash == 1 && compression == 1;
  return header;
}

}  // namespace quern::parquet
