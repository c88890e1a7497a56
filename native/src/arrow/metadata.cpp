#include "arrow/metadata.hpp"

#include <string>

#include "common/utf8.hpp"

namespace quern::arrow {
namespace {

constexpr int depth_limit = 64;
constexpr int16_t version_4 = 3, version_5 = 4;  // MetadataVersion

// Field numbers of the tables in the format's schema files.
namespace message_field {
constexpr int version = 0, header_type = 1, header = 2, body_length = 3;
}
namespace schema_field {
constexpr int endianness = 0, fields = 1;
}
namespace field_field {
constexpr int name = 0, type_type = 2, type = 3, dictionary = 4, children = 5, custom_metadata = 6;
}
namespace batch_field {
constexpr int length = 0, nodes = 1, buffers = 2, compression = 3, variadic_counts = 4;
}

// Counts fields, so that tables which share children cannot multiply without bound.
struct FieldReader {
  size_t left;

  Field read(const Table& table, int depth) {
    if (depth > depth_limit) throw corrupt_file("schema: nested deeper than " + std::to_string(depth_limit));
    if (left == 0) throw corrupt_file("schema: more fields than its bytes can hold");
    --left;
    Field field;
    field.name = table.text(field_field::name);
    if (!valid_utf8(field.name.data(), field.name.size())) throw corrupt_file("schema: a field's name is not UTF-8");
    const auto children = table.items(field_field::children, 4);
    for (int64_t i = 0; i < children.count; ++i) field.children.push_back(read(table.table_at(children, i), depth + 1));
    read_type(field, table);
    read_extension(field, table);
    read_dictionary(field, table);
    set_type(field);
    return field;
  }

  void read_type(Field& field, const Table& table) {
    const uint8_t kind = table.number<uint8_t>(field_field::type_type, 0);
    if (kind == 0 || kind > static_cast<uint8_t>(Kind::large_list_view)) {
      throw unsupported("field " + field.name + ": Arrow type number " + std::to_string(kind));
    }
    field.kind = static_cast<Kind>(kind);
    const std::optional<Table> type = table.table(field_field::type);
    // A type without parameters may be an empty table or none.
    const auto number = [&](int at, auto missing) { return type ? type->number(at, missing) : missing; };
    const auto children = [&](size_t count) {
      if (field.children.size() != count) {
        throw corrupt_file("field " + field.name + ": " + std::to_string(field.children.size()) +
                           " children in place of " + std::to_string(count));
      }
    };
    constexpr int16_t milliseconds = 1;
    switch (field.kind) {
      case Kind::integer:
        field.bits = number(0, int32_t{0});
        field.is_signed = number(1, uint8_t{0}) != 0;
        break;
      case Kind::floating:
        field.bits = 16 << (number(0, int16_t{0}) & 3);
        break;
      case Kind::decimal:
        field.precision = number(0, int32_t{0});
        field.scale = number(1, int32_t{0});
        field.bits = number(2, int32_t{128});
        break;
      case Kind::date:
        field.bits = number(0, milliseconds) == 0 ? 32 : 64;
        break;
      case Kind::time:
        field.unit = number(0, milliseconds);
        field.bits = number(1, int32_t{32});
        break;
      case Kind::timestamp:
        field.unit = number(0, int16_t{0});
        field.zone = type && !type->text(1).empty();
        break;
      case Kind::interval:
        field.unit = number(0, int16_t{0});
        break;
      case Kind::duration:
        field.unit = number(0, milliseconds);
        break;
      case Kind::fixed_binary:
      case Kind::fixed_list:
        field.fixed_size = number(0, int32_t{0});
        if (field.fixed_size < 0)
          throw corrupt_file("field " + field.name + ": size " + std::to_string(field.fixed_size));
        break;
      case Kind::union_of:
        field.sparse = number(0, int16_t{0}) == 0;
        break;
      default:
        break;
    }
    switch (field.kind) {
      case Kind::list:
      case Kind::large_list:
      case Kind::list_view:
      case Kind::large_list_view:
      case Kind::fixed_list:
        children(1);
        break;
      case Kind::map:
        children(1);
        if (field.children[0].kind != Kind::structure || field.children[0].children.size() != 2) {
          throw corrupt_file("field " + field.name + ": map without key and value");
        }
        break;
      case Kind::run_ends:
        children(2);
        break;
      case Kind::structure:
      case Kind::union_of:
        break;
      default:
        children(0);
    }
  }

  void read_extension(Field& field, const Table& table) {
    const auto pairs = table.items(field_field::custom_metadata, 4);
    for (int64_t i = 0; i < pairs.count; ++i) {
      const Table pair = table.table_at(pairs, i);
      if (pair.text(0) == "ARROW:extension:name") field.extension = pair.text(1);
    }
  }

  void read_dictionary(Field& field, const Table& table) {
    const std::optional<Table> encoding = table.table(field_field::dictionary);
    if (!encoding) return;
    field.is_dictionary = true;
    field.dictionary_id = encoding->number<int64_t>(0, 0);
    if (const std::optional<Table> index = encoding->table(1)) {
      field.index.bits = index->number<int32_t>(0, 0);
      field.index.is_signed = index->number<uint8_t>(1, 0) != 0;
    }
    const int bits = field.index.bits;
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64) {
      throw corrupt_file("field " + field.name + ": dictionary indices of " + std::to_string(bits) + " bits");
    }
  }
};

}  // namespace

Message parse_message(Bytes bytes) {
  const Table table = Table::root(bytes);
  const int16_t version = table.number<int16_t>(message_field::version, 0);
  if (version != version_4 && version != version_5) {
    throw unsupported("Arrow metadata version " + std::to_string(version + 1));
  }
  const int64_t body_length = table.number<int64_t>(message_field::body_length, 0);
  if (body_length < 0) throw corrupt_file("message: body of " + std::to_string(body_length) + " bytes");
  const uint8_t kind = table.number<uint8_t>(message_field::header_type, 0);
  const std::optional<Table> header = table.table(message_field::header);
  if (!header || kind == 0 || kind > static_cast<uint8_t>(MessageKind::sparse_tensor)) {
    throw corrupt_file("message: header of kind " + std::to_string(kind));
  }
  return {static_cast<MessageKind>(kind), body_length, *header, version == version_4};
}

Schema parse_schema(const Table& table, size_t metadata_size) {
  if (table.number<int16_t>(schema_field::endianness, 0) != 0) throw unsupported("big-endian Arrow data");
  Schema schema;
  // A field takes more than 16 bytes: its place in a vector, its table and its type's.
  FieldReader reader{metadata_size / 16};
  const auto fields = table.items(schema_field::fields, 4);
  for (int64_t i = 0; i < fields.count; ++i) schema.fields.push_back(reader.read(table.table_at(fields, i), 1));
  return schema;
}

RecordBatch parse_record_batch(const Table& table, const Message& message) {
  RecordBatch batch;
  batch.has_union_validity = message.has_union_validity;
  batch.length = table.number<int64_t>(batch_field::length, 0);
  if (batch.length < 0) throw corrupt_file("record batch: " + std::to_string(batch.length) + " rows");
  const auto nodes = table.items(batch_field::nodes, 16);
  for (int64_t i = 0; i < nodes.count; ++i) {
    batch.nodes.push_back({table.number_at<int64_t>(nodes, i, 16), table.number_at<int64_t>(nodes, i, 16, 8)});
  }
  const auto buffers = table.items(batch_field::buffers, 16);
  for (int64_t i = 0; i < buffers.count; ++i) {
    const Range range = {table.number_at<int64_t>(buffers, i, 16), table.number_at<int64_t>(buffers, i, 16, 8)};
    if (range.offset < 0 || range.length < 0 || range.offset > message.body_length ||
        range.length > message.body_length - range.offset) {
      throw corrupt_file("record batch: buffer " + std::to_string(i) + " lies outside the body of " +
                         std::to_string(message.body_length) + " bytes");
    }
    batch.buffers.push_back(range);
  }
  const auto variadic = table.items(batch_field::variadic_counts, 8);
  for (int64_t i = 0; i < variadic.count; ++i) {
    const int64_t count = table.number_at<int64_t>(variadic, i, 8);
    if (count < 0 || count > buffers.count)
      throw corrupt_file("record batch: " + std::to_string(count) + " view buffers");
    batch.variadic_counts.push_back(count);
  }
  if (const std::optional<Table> compression = table.table(batch_field::compression)) {
    const int8_t codec = compression->number<int8_t>(0, 0);
    if (codec != 0 && codec != 1) throw unsupported("Arrow body compression " + std::to_string(codec));
    if (compression->number<int8_t>(1, 0) != 0)
      throw unsupported("Arrow body compression by another method than buffers");
    batch.compression = static_cast<Compression>(codec);
  }
  return batch;
}

DictionaryBatch parse_dictionary_batch(const Message& message) {
  DictionaryBatch dictionary;
  dictionary.id = message.header.number<int64_t>(0, 0);
  dictionary.delta = message.header.number<uint8_t>(2, 0) != 0;
  const std::optional<Table> values = message.header.table(1);
  if (!values) throw corrupt_file("dictionary " + std::to_string(dictionary.id) + ": no values");
  dictionary.values = parse_record_batch(*values, message);
  return dictionary;
}

}  // namespace quern::arrow
