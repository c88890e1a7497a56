// Rows split by the folders that they are written to.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "columnar/column.hpp"
#include "context/memory.hpp"

namespace quern::cpu {

// Rows [first, first + rows) of a reordered batch go to `folder`.
struct PartitionPiece {
  const std::string* folder;
  int64_t first, rows;
};

// One thread's. Remembers the folders that it has met.
class PartitionSplitter {
 public:
  explicit PartitionSplitter(std::vector<std::string> names) : names_(std::move(names)) {}

  // Moves the rows of a folder together, in their order, and takes off the last columns, which are the folders' values
  // as text. The folders' names live as long as the splitter.
  std::vector<PartitionPiece> split(Memory& memory, Batch& batch);

 private:
  int32_t folder_of(const Batch& batch, int64_t row);

  std::vector<std::string> names_;
  std::unordered_map<std::string, int32_t> known_;  // values with their lengths → position in folders_
  std::vector<std::unique_ptr<std::string>> folders_;
  std::string key_, last_key_;
  int32_t last_ = -1;
};

}  // namespace quern::cpu
