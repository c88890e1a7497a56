#include "arrow/source.hpp"

#include "arrow/batch_reader.hpp"
#include "arrow/file.hpp"

namespace quern::arrow {

FilePtr open(Memory& memory, const std::string& path) { return std::make_shared<const File>(memory, path); }

std::vector<FieldInfo> fields(const File& file) {
  std::vector<FieldInfo> infos;
  for (const Field& field : file.schema.fields) infos.push_back({field.name, field.type, field.reason});
  return infos;
}

int32_t batch_count(const File& file) { return static_cast<int32_t>(file.batches.size()); }

int64_t batch_rows(const File& file, int32_t batch) { return file.batches[static_cast<size_t>(batch)].length; }

ColumnPtr read_field(Context& context, const File& file, int32_t batch, int32_t field) {
  const Field& wanted = file.schema.fields[static_cast<size_t>(field)];
  try {
    if (!wanted.type) throw unsupported(wanted.reason);
    const RecordBatch& record_batch = file.batches[static_cast<size_t>(batch)];
    BatchReader reader(context, file, record_batch);
    for (int32_t i = 0; i < field; ++i) reader.skip(file.schema.fields[static_cast<size_t>(i)]);
    return reader.read(wanted, record_batch.length, {}, true);
  } catch (const Error& error) {
    throw file.locate(error, "record batch " + std::to_string(batch) + ", field " + wanted.name);
  }
}

}  // namespace quern::arrow
