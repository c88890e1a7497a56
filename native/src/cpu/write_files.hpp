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
  // File `number` of a folder inside the folder. Any thread.
  std::unique_ptr<parquet::FileWriter> open(const std::string& folder, int64_t number);
  // When every file is finished.
  void commit();

 private:
  std::string path_;
  std::string file_name_;
  int64_t file_bytes_;
  parquet::WriteSchema schema_;
  parquet::WriteOptions options_;
  std::optional<parquet::OutputFolder> folder_;
  std::atomic<int64_t> opened_{0};
};

// Files one after another. Used by one thread at a time.
class FileSequence {
 public:
  // `folder`: one inside the folder, whose files are numbered on their own; empty = the folder itself.
  explicit FileSequence(WriteFiles& files, std::string folder = {}) : files_(files), folder_(std::move(folder)) {}
  // Opens the first file, should no group ever come.
  void open();
  // Ends the file at hand first where that comes nearer to its size than taking the group in.
  void append(parquet::EncodedGroup group);
  // Ends the file at hand; a further group opens another.
  void finish();
  bool is_open() const { return writer_ != nullptr; }

 private:
  WriteFiles& files_;
  std::string folder_;
  int64_t opened_ = 0;
  std::unique_ptr<parquet::FileWriter> writer_;
};

}  // namespace quern::cpu
