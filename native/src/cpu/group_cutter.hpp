// Cuts the shreds of a file into row groups of a size in the file.
#pragma once
#include <deque>
#include <memory>

#include "cpu/group_size.hpp"
#include "cpu/write_group.hpp"

namespace quern::cpu {

// A group whose plain bytes are within the target is taken as it is; a larger one is a trial: its encoding shows
// whether it is one. One thread at a time.
class GroupCutter {
 public:
  explicit GroupCutter(const parquet::WriteOptions& options) : options_(options), size_(options.group_bytes) {}

  void add(parquet::Shred&& shred) { waiting_.push_back(std::move(shred)); }
  // What has been added is all there is for the groups at hand.
  void end() { ended_ = true; }
  // More comes after all.
  void resume() { ended_ = false; }
  // The next group to encode; null = more shreds are needed, or a trial is still out.
  std::shared_ptr<WriteGroup> next();
  // After a trial has been encoded. False: its rows come again, fewer or more of them.
  bool take(WriteGroup& trial);

 private:
  std::shared_ptr<WriteGroup> close(bool is_trial);

  const parquet::WriteOptions& options_;
  GroupSize size_;
  std::deque<parquet::Shred> waiting_;
  WriteGroup open_;
  bool is_out_ = false;  // a trial
  bool ended_ = false;
};

}  // namespace quern::cpu
