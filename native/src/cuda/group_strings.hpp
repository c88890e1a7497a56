// The keys of a group-by that are strings: rows get their numbers before they are grouped, groups their strings
// afterwards.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "cuda/compiled.hpp"
#include "cuda/string_ids.hpp"
#include "jit/group_text.hpp"

namespace quern::cuda {

class GroupStrings {
 public:
  // `output`: the result's columns, keys first.
  GroupStrings(Device& device, const Layout& layout, const jit::GroupTexts& texts, const std::vector<TypePtr>& output);

  // The columns of the result as kernels write them.
  const std::vector<TypePtr>& written() const { return written_; }
  // A batch, not empty, with the keys that have to be made behind its columns. Sets `failed` to the least row where one
  // cannot be.
  DeviceBatch with_made(const DeviceBatch& batch, uint64_t& failed) const;
  // A batch with numbers behind its columns; `join`: it is the second input of that join, -1 = the segment's input.
  DeviceBatch numbered(const DeviceBatch& batch, int32_t join) const;
  // Groups with the strings of their numbers.
  DeviceBatch named(DeviceBatch groups) const;

 private:
  struct Key {
    jit::StringKey place;
    size_t output;
    std::unique_ptr<StringIds> ids;
  };
  Device& device_;
  Layout layout_;
  std::vector<Key> keys_;
  cudaKernel_t make_keys_ = nullptr;
  std::optional<DeviceLiterals> literals_;
  std::vector<TypePtr> made_;
  std::vector<TypePtr> written_;
};

}  // namespace quern::cuda
