#include "cpu/write_files.hpp"

namespace quern::cpu {

namespace {

parquet::WriteSchema schema_of(const plan::Node& input) {
  std::vector<parquet::WriteField> fields;
  for (const auto& field : input.output) fields.push_back({field.name, field.type});
  return parquet::make_write_schema(fields);
}

}  // namespace

WriteFiles::WriteFiles(const plan::WriteParquet& op, const plan::Node& input, const parquet::WriteOptions& options)
    : path_(op.path), file_bytes_(op.file_bytes), schema_(schema_of(input)), options_(options) {
  if (op.file_bytes > 0 || op.per_thread) folder_.emplace(op.path);
}

std::unique_ptr<parquet::FileWriter> WriteFiles::open() {
  const int64_t number = opened_++;
  const std::string path = folder_ ? folder_->file("data_" + std::to_string(number) + ".parquet") : path_;
  return std::make_unique<parquet::FileWriter>(path, schema_);
}

void WriteFiles::commit() {
  if (!folder_) return;
  if (opened_ == 0) open()->finish();
  folder_->commit();
}

void FileSequence::open() {
  if (!writer_) writer_ = files_.open();
}

void FileSequence::append(parquet::EncodedGroup group) {
  const int64_t limit = files_.file_bytes();
  if (limit > 0 && writer_ && !writer_->is_empty()) {
    int64_t bytes = 0;
    for (const auto& chunk : group.chunks)
      bytes += static_cast<int64_t>(chunk.bytes.size()) + static_cast<int64_t>(chunk.bloom.size());
    if (writer_->size_with(bytes) - limit > limit - writer_->size()) finish();
  }
  open();
  writer_->append(std::move(group));
}

void FileSequence::finish() {
  if (!writer_) return;
  writer_->finish();
  writer_.reset();
}

}  // namespace quern::cpu
