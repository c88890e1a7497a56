// What the metadata of an Arrow IPC file says, checked and in plain structures.
// Source: Apache Arrow columnar format specification; format/Schema.fbs, Message.fbs and File.fbs.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arrow/flatbuffer.hpp"
#include "columnar/data_type.hpp"

namespace quern::arrow {

// Members of the Type union, by their numbers.
enum class Kind : uint8_t {
  null = 1,
  integer,
  floating,
  binary,
  utf8,
  boolean,
  decimal,
  date,
  time,
  timestamp,
  interval,
  list,
  structure,
  union_of,
  fixed_binary,
  fixed_list,
  map,
  duration,
  large_binary,
  large_utf8,
  large_list,
  run_ends,
  binary_view,
  utf8_view,
  list_view,
  large_list_view
};

struct IndexType {
  int bits = 32;
  bool is_signed = true;
};

struct Field {
  std::string name;
  Kind kind = Kind::null;
  int bits = 0;            // integer, floating, decimal, time; date: 32 days, 64 milliseconds
  bool is_signed = false;  // integer
  bool zone = false;       // timestamp
  bool sparse = false;     // union
  int precision = 0;       // decimal
  int scale = 0;           // decimal
  int unit = 0;            // time, timestamp, duration: 0 s, 1 ms, 2 us, 3 ns; interval: 0 months, 1 days, 2 both
  int32_t fixed_size = 0;  // fixed_binary: bytes; fixed_list: elements
  std::string extension;   // ARROW:extension:name
  std::vector<Field> children;
  bool is_dictionary = false;  // the batch holds indices; all of the above describes the dictionary's values
  int64_t dictionary_id = 0;
  IndexType index;
  TypePtr type;  // nullptr when unsupported: `reason` says why
  std::string reason;
};

struct Schema {
  std::vector<Field> fields;
};

struct Node {
  int64_t length;
  int64_t null_count;
};

struct Range {
  int64_t offset;  // from the beginning of the body
  int64_t length;
};

enum class Compression : int8_t { none = -1, lz4_frame = 0, zstd = 1 };

struct RecordBatch {
  int64_t length = 0;
  std::vector<Node> nodes;
  std::vector<Range> buffers;
  std::vector<int64_t> variadic_counts;  // data buffers of each view column
  Compression compression = Compression::none;
  bool has_union_validity = false;  // before format V5 unions had a validity buffer
  int64_t body = 0;                 // offset in the file
  int64_t sequence = 0;             // dictionary batches of a lower sequence are in force
};

struct DictionaryBatch {
  int64_t id = 0;
  bool delta = false;
  int64_t sequence = 0;  // position among the messages of a stream
  RecordBatch values;
};

enum class MessageKind : uint8_t { none, schema, dictionary_batch, record_batch, tensor, sparse_tensor };

struct Message {
  MessageKind kind;
  int64_t body_length;
  Table header;
  bool has_union_validity;
};

Message parse_message(Bytes bytes);
Schema parse_schema(const Table& table, size_t metadata_size);
// `body_length` bounds the buffers.
RecordBatch parse_record_batch(const Table& table, const Message& message);
DictionaryBatch parse_dictionary_batch(const Message& message);

// Sets `type` or `reason` of a field whose children have theirs.
void set_type(Field& field);

}  // namespace quern::arrow
