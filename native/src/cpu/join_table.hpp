// The table of a join: the rows of the second input, found through an index of their keys.
#pragma once
#include <atomic>
#include <memory>
#include <vector>

#include "cpu/chunked_rows.hpp"
#include "cpu/join_index.hpp"
#include "cpu/join_keys.hpp"
#include "plan/pipeline.hpp"

namespace quern::cpu {

// What a column of the second input is needed for: payload columns are kept, in this order.
struct JoinInput {
  JoinKeyTypes keys;
  int32_t payload_columns = 0;  // the others of a chunk are keys
  bool marks_matches = false;   // right and full joins
  bool one_is_enough = false;   // of rows with one key any will do
};

class JoinTable {
 public:
  // Chunks of [payload columns..., key columns...] in input order.
  JoinTable(Context& context, const JoinInput& input, std::vector<Batch> chunks, const Parallel& parallel);

  int64_t rows() const { return rows_->rows(); }
  const ChunkedRows& payload() const { return *rows_; }
  // Null where there are no keys or no rows.
  const JoinIndex* index() const { return index_.get(); }
  const PackedIds& packing() const { return packing_; }
  int64_t row_of(uint32_t id) const { return packing_.unpack(id); }
  // Whether some row's key is NULL, and so equal to nothing.
  bool has_null_key() const { return has_null_key_; }
  // Rows a vector of output may have, judged by the width of the payload.
  int64_t vector_rows() const { return vector_rows_; }

  // Remembers that a row has a match; any thread.
  void mark(int64_t id) const;
  bool is_marked(int64_t chunk, int64_t row) const;

 private:
  void make_index(Context& context, const JoinInput& input, const std::vector<Batch>& chunks, const Parallel& parallel);

  KeyLayout layout_;
  PackedIds packing_;
  std::shared_ptr<const ChunkedRows> rows_;
  std::unique_ptr<JoinIndex> index_;
  Reservation reserved_;
  bool has_null_key_ = false;
  int64_t vector_rows_ = 0;
  std::vector<std::unique_ptr<std::atomic<uint8_t>[]>> marks_;  // by chunk
};

}  // namespace quern::cpu
