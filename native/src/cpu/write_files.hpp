// The files that row groups go to: one, or those of a folder, begun anew at a size.
#pragma once
#include <atomic>
#include <memory>
#include <optional>

#include "parquet/output_folder.hpp"
#include "parquet/write.hpp"
#include "plan/plan.hpp"

namespace quern::cpu {

// What all threads share. Nothing appears before commit().
class WriteFiles {
 public:
  WriteFiles(const plan::WriteParquet& op, const plan::Node& input, const parquet::WriteOptions& options);

  const parquet::WriteSchema& schema() const { return schema_; }
  const parquet::WriteOptions& options() const { return options_; }
  // Size at which a file ends; 0 = never.
  int64_t file_bytes() const { return file_bytes_; }
  // The file, or the folder's next one. Any thread.
  std::unique_ptr<parquet::FileWriter> open();
  // When every file is finished.
  void commit();

 private:
  std::string path_;
  int64_t file_bytes_;
  parquet::WriteSchema schema_;
  parquet::WriteOptions options_;
  std::optional<parquet::OutputFolder> folder_;
  std::atomic<int64_t> opened_{0};
};

// Files one after another. Used by one thread at a time.
class FileSequence {
 public:
  explicit FileSequence(WriteFiles& files) : files_(files) {}
  // Opens the first file, should no group ever come.
  void open();
  // Ends the file at hand first where that comes nearer to its size than taking the group in.
  void append(parquet::EncodedGroup group);
  void finish();

 private:
  WriteFiles& files_;
  std::unique_ptr<parquet::FileWriter> writer_;
};

}  // namespace quern::cpu
