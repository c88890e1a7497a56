// The rows of a join's second input on the device, found by key. Rows with a NULL in their key are never found.
//
// Where several rows have one key the table finds one of them, their leader; `lists` then holds the rows of each leader
// together, in their order.
#pragma once
#include <string>

#include "cuda/device_column.hpp"
#include "cuda/fragments/join_table.cuh"
#include "cuda/join_kernels.hpp"
#include "cuda/string_ids.hpp"

namespace quern::cuda {

// Rows by leader: lists[starts[leader] … ends[leader]). The number of rows, which no row has, is a leader whose list is
// itself.
struct JoinLists {
  DeviceBufferPtr starts, ends;  // int64_t by leader
  DeviceBufferPtr lists;         // uint32_t
};

class DeviceJoinTable {
 public:
  // `keys`, `mask`: JoinKeys of all rows. `wants_lists`: all rows of a key are asked for, not any one of them.
  DeviceJoinTable(Device& device, DeviceBatch rows, int32_t key_words, DeviceBufferPtr keys, const uint32_t* mask,
                  bool wants_lists);

  const DeviceBatch& rows() const { return rows_; }
  const JoinTable& view() const { return view_; }
  // Whether each key is one row's, or any of its rows will do.
  bool is_single() const { return !lists_.lists; }
  const JoinLists& lists() const { return lists_; }
  // Of keys that are strings; before anything looks into the table.
  void keep_strings(Device& device, std::vector<std::unique_ptr<StringIds>> strings);
  const StringTable* strings() const { return string_tables_ ? string_tables_->as<StringTable>() : nullptr; }
  // For EXPLAIN ANALYZE.
  std::string name() const;

 private:
  void make_lists(Device& device, const DeviceBufferPtr& leaders);

  DeviceBatch rows_;
  JoinTable view_{};
  bool unique_ = false;
  DeviceBufferPtr keys_, addresses_, slots_;
  JoinLists lists_;
  std::vector<std::unique_ptr<StringIds>> strings_;
  DeviceBufferPtr string_tables_;
};

}  // namespace quern::cuda
