#include "cpu/write_files.hpp"

#include <array>
#include <chrono>
#include <cstring>
#include <random>

#include "common/error.hpp"

namespace quern::cpu {

namespace {

// Of the columns before those that name folders.
parquet::WriteSchema schema_of(const plan::WriteParquet& op, const plan::Node& input) {
  std::vector<parquet::WriteField> fields;
  for (const auto& field : input.output) fields.push_back({field.name, field.type});
  fields.resize(fields.size() - op.partition_by.size());
  return parquet::make_write_schema(fields);
}

parquet::PresentFiles present_files(plan::ExistingFiles existing) {
  switch (existing) {
    case plan::ExistingFiles::refuse:
      return parquet::PresentFiles::refuse;
    case plan::ExistingFiles::replace:
      return parquet::PresentFiles::replace;
    case plan::ExistingFiles::merge:
      return parquet::PresentFiles::merge;
  }
  throw internal_error("no treatment of files that are there");
}

// Random, with the version's digit; version 7 begins with the milliseconds since 1970.
std::string make_uuid(int version) {
  std::random_device random;
  std::array<uint8_t, 16> bytes;
  for (size_t i = 0; i < bytes.size(); i += 4) {
    const uint32_t word = random();
    std::memcpy(bytes.data() + i, &word, 4);
  }
  if (version == 7) {
    const auto since = std::chrono::system_clock::now().time_since_epoch();
    const auto ms = static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(since).count());
    for (int i = 0; i < 6; ++i) bytes[static_cast<size_t>(i)] = static_cast<uint8_t>(ms >> (40 - 8 * i));
  }
  bytes[6] = static_cast<uint8_t>((bytes[6] & 0x0F) | version << 4);
  bytes[8] = static_cast<uint8_t>((bytes[8] & 0x3F) | 0x80);
  std::string out;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) out += '-';
    out += {"0123456789abcdef"[bytes[i] >> 4], "0123456789abcdef"[bytes[i] & 15]};
  }
  return out;
}

std::string named(const std::string& pattern, int64_t number) {
  std::string out;
  for (size_t at = 0; at < pattern.size();) {
    const auto found = [&](std::string_view word) {
      if (pattern.compare(at, word.size(), word) != 0) return false;
      at += word.size();
      return true;
    };
    if (found("{i}"))
      out += std::to_string(number);
    else if (found("{uuid}") || found("{uuidv4}"))
      out += make_uuid(4);
    else if (found("{uuidv7}"))
      out += make_uuid(7);
    else
      out += pattern[at++];
  }
  return out;
}

}  // namespace

WriteFiles::WriteFiles(const plan::WriteParquet& op, const plan::Node& input, const parquet::WriteOptions& options)
    : path_(op.path),
      file_name_(op.file_name),
      file_bytes_(op.file_bytes),
      schema_(schema_of(op, input)),
      options_(options) {
  if (op.file_bytes > 0 || op.per_thread || !op.partition_by.empty())
    folder_.emplace(op.path, present_files(op.existing));
}

std::unique_ptr<parquet::FileWriter> WriteFiles::open() { return open({}, opened_++); }

std::unique_ptr<parquet::FileWriter> WriteFiles::open(const std::string& folder, int64_t number) {
  const std::string path = folder_ ? folder_->file(folder, named(file_name_, number)) : path_;
  return std::make_unique<parquet::FileWriter>(path, schema_);
}

void WriteFiles::commit() {
  if (folder_) folder_->commit();
}

void FileSequence::open() {
  if (!writer_) writer_ = folder_.empty() ? files_.open() : files_.open(folder_, opened_++);
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
