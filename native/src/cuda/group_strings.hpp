// The keys of a group-by that are strings: rows get their numbers before they are grouped, groups their strings
// afterwards.
#pragma once
#include <memory>
#include <vector>

#include "cuda/string_ids.hpp"
#include "jit/string_key.hpp"

namespace quern::cuda {

class GroupStrings {
 public:
  // `output`: the result's columns, keys first.
  GroupStrings(Device& device, const Layout& layout, const std::vector<jit::StringKey>& keys,
               const std::vector<TypePtr>& output);

  // The columns of the result as kernels write them.
  const std::vector<TypePtr>& written() const { return written_; }
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
  std::vector<Key> keys_;
  std::vector<TypePtr> written_;
};

}  // namespace quern::cuda
