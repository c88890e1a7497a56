#include "arrow/file.hpp"

#include <algorithm>
#include <cstring>

namespace quern::arrow {
namespace {

constexpr char file_magic[6] = {'A', 'R', 'R', 'O', 'W', '1'};
constexpr char feather_magic[4] = {'F', 'E', 'A', '1'};
constexpr int64_t file_head = 8;              // magic and padding
constexpr int64_t file_tail = 10;             // footer length and magic
constexpr int64_t kept_dictionary = 1 << 20;  // bytes

template <typename T>
T load(const uint8_t* data) {
  T value;
  std::memcpy(&value, data, sizeof(T));
  return value;
}

// A message and where its body begins.
struct Placed {
  std::vector<uint8_t> bytes;  // of the metadata
  int64_t body = 0;
};

// The metadata of the message at `at`, whose prefix is a continuation mark and a length, or in old files a length
// alone; a length of 0, or the end of the bytes, ends a stream: nothing in `bytes`.
Placed read_metadata(const ByteSource& source, int64_t at, Reservation& reserved) {
  Placed placed;
  const int64_t left = source.size() - at;
  if (left == 0) return placed;
  uint8_t prefix[8] = {};
  source.read(at, std::min<int64_t>(left, 8), prefix);
  int64_t prefix_size = 4;
  int64_t length = load<int32_t>(prefix);
  if (left >= 8 && length == -1) {
    length = load<int32_t>(prefix + 4);
    prefix_size = 8;
  }
  if (left < prefix_size || length < 0 || length > left - prefix_size) {
    throw corrupt_file("message at byte " + std::to_string(at) + ": metadata of " + std::to_string(length) +
                       " bytes, bytes left " + std::to_string(left));
  }
  if (length == 0) return placed;
  reserved.resize(reserved.bytes() + length);
  placed.bytes.resize(static_cast<size_t>(length));
  source.read(at + prefix_size, length, placed.bytes.data());
  placed.body = at + prefix_size + length;
  return placed;
}

Message checked_message(const ByteSource& source, const Placed& placed, int64_t at) {
  const Message message = parse_message(placed.bytes);
  if (message.body_length > source.size() - placed.body) {
    throw corrupt_file("message at byte " + std::to_string(at) + ": body of " + std::to_string(message.body_length) +
                       " bytes, bytes left " + std::to_string(source.size() - placed.body));
  }
  return message;
}

}  // namespace

File::File(Memory& memory, const std::string& path) : path(path), source(memory, path), reserved_(memory) {
  try {
    uint8_t head[file_head] = {};
    source.read(0, std::min(source.size(), file_head), head);
    if (std::memcmp(head, feather_magic, sizeof(feather_magic)) == 0) throw unsupported("Feather version 1");
    if (std::memcmp(head, file_magic, sizeof(file_magic)) == 0) {
      read_file(memory);
    } else {
      read_stream();
    }
  } catch (const Error& error) {
    throw locate(error, "");
  }
}

Error File::locate(const Error& error, const std::string& where) const {
  Error located = error;
  if (error.code() == ErrorCode::corrupt_file || error.code() == ErrorCode::unsupported) {
    located.with_message(path + ": " + (where.empty() ? "" : where + ": ") + error.message());
  }
  return located;
}

void File::set_schema(const Table& table, size_t metadata_size) {
  schema = parse_schema(table, metadata_size);
  for (const Field& field : schema.fields) add_dictionaries(field);
}

namespace {

// Whether two fields describe the same dictionary values. A field inside itself never does, so no cycle can arise.
bool same_values(const Field& a, const Field& b) {
  if (a.kind != b.kind || a.bits != b.bits || a.is_signed != b.is_signed || a.zone != b.zone || a.sparse != b.sparse ||
      a.precision != b.precision || a.scale != b.scale || a.unit != b.unit || a.fixed_size != b.fixed_size ||
      a.extension != b.extension || a.children.size() != b.children.size()) {
    return false;
  }
  for (size_t i = 0; i < a.children.size(); ++i) {
    const Field& x = a.children[i];
    const Field& y = b.children[i];
    if (x.name != y.name || x.is_dictionary != y.is_dictionary || !same_values(x, y)) return false;
    if (x.is_dictionary && x.dictionary_id != y.dictionary_id) return false;
  }
  return true;
}

}  // namespace

void File::add_dictionaries(const Field& field) {
  // Children first: a dictionary of dictionaries.
  for (const Field& child : field.children) add_dictionaries(child);
  if (!field.is_dictionary) return;
  Dictionary& dictionary = dictionary_of_id[field.dictionary_id];
  if (dictionary.field == nullptr) {
    dictionary.field = &field;
  } else if (!same_values(*dictionary.field, field)) {
    throw corrupt_file("field " + field.name + ": dictionary " + std::to_string(field.dictionary_id) +
                       " has other values elsewhere");
  }
}

void File::add_dictionary_batch(DictionaryBatch batch, bool may_replace) {
  const auto found = dictionary_of_id.find(batch.id);
  if (found == dictionary_of_id.end()) throw corrupt_file("dictionary " + std::to_string(batch.id) + " of no field");
  std::vector<int32_t>& known = found->second.batches;
  if (batch.delta && known.empty()) {
    throw corrupt_file("dictionary " + std::to_string(batch.id) + ": addition to nothing");
  }
  if (!batch.delta && !known.empty() && !may_replace) {
    throw corrupt_file("dictionary " + std::to_string(batch.id) + " occurs twice");
  }
  known.push_back(static_cast<int32_t>(dictionaries.size()));
  dictionaries.push_back(std::move(batch));
}

void File::add_record_batch(RecordBatch batch) {
  if (__builtin_add_overflow(rows_, batch.length, &rows_)) throw corrupt_file("more rows than 64 bits count");
  batches.push_back(std::move(batch));
}

void File::read_stream() {
  constexpr const char* other = "not an Arrow file or stream";
  uint8_t prefix[4] = {};
  source.read(0, std::min<int64_t>(source.size(), 4), prefix);
  const int64_t first = load<int32_t>(prefix);
  if (source.size() < 8 || first < -1 || first == 0 || first > source.size()) throw corrupt_file(other);
  bool has_schema = false;
  int64_t at = 0;
  for (int64_t sequence = 0;; ++sequence) {
    if (dictionaries.size() + batches.size() >= INT32_MAX) throw unsupported("more than 2147483647 Arrow messages");
    const Placed placed = read_metadata(source, at, reserved_);
    if (placed.bytes.empty()) break;
    const Message message = checked_message(source, placed, at);
    if (!has_schema) {
      if (message.kind != MessageKind::schema) throw corrupt_file(other);
      set_schema(message.header, placed.bytes.size());
      has_schema = true;
    } else if (message.kind == MessageKind::record_batch) {
      RecordBatch batch = parse_record_batch(message.header, message);
      batch.body = placed.body;
      batch.sequence = sequence;
      add_record_batch(std::move(batch));
    } else if (message.kind == MessageKind::dictionary_batch) {
      DictionaryBatch batch = parse_dictionary_batch(message);
      batch.values.body = placed.body;
      batch.sequence = batch.values.sequence = sequence;
      add_dictionary_batch(std::move(batch), true);
    } else if (message.kind == MessageKind::schema) {
      throw corrupt_file("second schema at byte " + std::to_string(at));
    } else {
      throw unsupported("Arrow tensors");
    }
    at = placed.body + message.body_length;
  }
  if (!has_schema) throw corrupt_file(other);
}

void File::read_file(Memory& memory) {
  if (source.size() < file_head + file_tail) throw corrupt_file("file of " + std::to_string(source.size()) + " bytes");
  uint8_t tail[file_tail];
  source.read(source.size() - file_tail, file_tail, tail);
  if (std::memcmp(tail + 4, file_magic, sizeof(file_magic)) != 0) throw corrupt_file("no magic bytes at its end");
  const int64_t footer_size = load<int32_t>(tail);
  const int64_t footer_at = source.size() - file_tail - footer_size;
  if (footer_size <= 0 || footer_at < file_head)
    throw corrupt_file("footer of " + std::to_string(footer_size) + " bytes");
  const BufferPtr footer = memory.allocate(static_cast<size_t>(footer_size));
  source.read(footer_at, footer_size, footer->data());

  const Table table = Table::root({footer->data(), footer->size()});
  const std::optional<Table> schema_table = table.table(1);
  if (!schema_table) throw corrupt_file("footer without schema");
  set_schema(*schema_table, footer->size());

  // Blocks of a sound file do not overlap; together they must fit, so that one message cannot be listed without end.
  constexpr size_t block_size = 24;
  int64_t bytes_left = source.size();
  const auto each_block = [&](int list, MessageKind kind, auto&& add) {
    const auto blocks = table.items(list, block_size);
    for (int64_t i = 0; i < blocks.count; ++i) {
      const int64_t offset = table.number_at<int64_t>(blocks, i, block_size);
      if (offset < file_head || offset > footer_at)
        throw corrupt_file("footer: block at byte " + std::to_string(offset));
      const Placed placed = read_metadata(source, offset, reserved_);
      if (placed.bytes.empty()) throw corrupt_file("footer: no message at byte " + std::to_string(offset));
      const Message message = checked_message(source, placed, offset);
      bytes_left -= placed.body - offset + message.body_length;
      if (bytes_left < 0) throw corrupt_file("footer: blocks overlap");
      if (message.kind != kind) throw corrupt_file("footer: another kind of message at byte " + std::to_string(offset));
      add(message, placed.body);
    }
  };
  each_block(2, MessageKind::dictionary_batch, [&](const Message& message, int64_t body) {
    DictionaryBatch batch = parse_dictionary_batch(message);
    batch.values.body = body;
    batch.values.sequence = INT64_MAX;  // in a file all dictionaries hold for all batches
    add_dictionary_batch(std::move(batch), false);
  });
  each_block(3, MessageKind::record_batch, [&](const Message& message, int64_t body) {
    RecordBatch batch = parse_record_batch(message.header, message);
    batch.body = body;
    batch.sequence = INT64_MAX;
    add_record_batch(std::move(batch));
  });
}

ColumnPtr File::cached_dictionary(int64_t id, int32_t last) const {
  std::lock_guard lock(mutex_);
  const auto found = cache_.find(id);
  return found != cache_.end() && found->second.last == last ? found->second.values.lock() : nullptr;
}

void File::cache_dictionary(int64_t id, int32_t last, ColumnPtr values) const {
  ColumnPtr kept = row_bytes(*values) <= kept_dictionary ? values : nullptr;
  std::lock_guard lock(mutex_);
  cache_[id] = {last, values, std::move(kept)};
}

}  // namespace quern::arrow
