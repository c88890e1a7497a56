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

// What is asked of a table.
struct JoinNeeds {
  bool all_rows = false;  // of a key, not any one of them
  bool lists = false;     // even where each key is one row's
  bool leaders = false;   // of all rows, afterwards
};

class DeviceJoinTable {
 public:
  // `keys`, `mask`: JoinKeys of all rows.
  DeviceJoinTable(Device& device, DeviceBatch rows, int32_t key_words, DeviceBufferPtr keys, const uint32_t* mask,
                  const JoinNeeds& needs);

  const DeviceBatch& rows() const { return rows_; }
  const JoinTable& view() const { return view_; }
  // Whether each key is one row's, or any of its rows will do.
  bool is_single() const { return !lists_.lists; }
  const JoinLists& lists() const { return lists_; }
  // uint64_t by row: the row that is found by its key, the number of rows + 1 where it is in no table.
  const DeviceBufferPtr& leaders() const { return leaders_; }
  // Of keys that are strings; before anything looks into the table.
  void keep_strings(Device& device, std::vector<std::unique_ptr<StringIds>> strings);
  const StringTable* strings() const { return string_tables_ ? string_tables_->as<StringTable>() : nullptr; }
  void set_null_keys(bool some) { null_keys_ = some; }
  bool has_null_keys() const { return null_keys_; }
  // For EXPLAIN ANALYZE.
  std::string name() const;

 private:
  void make_lists(Device& device, const DeviceBufferPtr& leaders);

  DeviceBatch rows_;
  JoinTable view_{};
  bool unique_ = false;
  bool null_keys_ = false;
  DeviceBufferPtr keys_, addresses_, slots_, leaders_;
  JoinLists lists_;
  std::vector<std::unique_ptr<StringIds>> strings_;
  DeviceBufferPtr string_tables_;
};

}  // namespace quern::cuda
