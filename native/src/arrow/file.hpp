// An open Arrow IPC file or stream: its schema and where its batches lie.
#pragma once
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "arrow/byte_source.hpp"
#include "arrow/metadata.hpp"
#include "arrow/source.hpp"

namespace quern::arrow {

class File {
 public:
  std::string path;
  ByteSource source;
  Schema schema;
  std::vector<RecordBatch> batches;
  std::vector<DictionaryBatch> dictionaries;

  // The values of one dictionary: the field that describes them (its own encoding set aside) and its batches in order.
  struct Dictionary {
    const Field* field = nullptr;
    std::vector<int32_t> batches;  // into `dictionaries`
  };
  std::map<int64_t, Dictionary> dictionary_of_id;

  File(Memory& memory, const std::string& path);

  // `error` with "PATH: where: " before its message, except for errors that are not about the file's content.
  Error locate(const Error& error, const std::string& where) const;

  // The values of dictionary `id` as last decoded, if they are those up to dictionary batch `last` and still there:
  // small ones are kept, large ones live as long as a column that uses them.
  ColumnPtr cached_dictionary(int64_t id, int32_t last) const;
  void cache_dictionary(int64_t id, int32_t last, ColumnPtr values) const;

 private:
  void read_file(Memory& memory);
  void read_stream();
  void set_schema(const Table& table, size_t metadata_size);
  void add_dictionaries(const Field& field);
  void add_dictionary_batch(DictionaryBatch batch, bool may_replace);
  void add_record_batch(RecordBatch batch);

  struct Decoded {
    int32_t last = -1;
    std::weak_ptr<const Column> values;
    ColumnPtr kept;
  };
  Reservation reserved_;  // for the metadata kept
  int64_t rows_ = 0;
  mutable std::mutex mutex_;
  mutable std::map<int64_t, Decoded> cache_;
};

}  // namespace quern::arrow
