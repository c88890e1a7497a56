// The table of a join: distinct keys with the rows that have them, found through slots; split by the hash's top bits so
// that parts are made in parallel.
#pragma once
#include <atomic>
#include <memory>
#include <vector>

#include "cpu/chunked_rows.hpp"
#include "cpu/group_key.hpp"
#include "cpu/group_table.hpp"
#include "plan/pipeline.hpp"

namespace quern::cpu {

// Row ids (cpu/chunked_rows.hpp) in input order.
struct JoinMatches {
  const int64_t* ids = nullptr;
  int64_t count = 0;
};

// What a column of the second input is needed for: payload columns are kept, in this order.
struct JoinInput {
  std::vector<TypePtr> key_types;
  std::vector<bool> null_safe;  // a key: NULL equals NULL
  int32_t payload_columns = 0;  // the others of a chunk are keys
  bool marks_matches = false;   // right and full joins
};

class JoinTable {
 public:
  // Chunks of [payload columns..., key columns...] in input order.
  JoinTable(Context& context, const JoinInput& input, std::vector<Batch> chunks, const Parallel& parallel);
  ~JoinTable();

  int64_t rows() const { return rows_->rows(); }
  const ChunkedRows& payload() const { return *rows_; }
  const KeyLayout& layout() const { return layout_; }
  // Whether some row's key is NULL, and so equal to nothing.
  bool has_null_key() const { return has_null_key_; }
  // Rows a vector of output may have, judged by the width of the payload.
  int64_t vector_rows() const { return vector_rows_; }

  // Rows whose keys are equal, for each of `rows` keys.
  void find(const uint64_t* keys, const uint64_t* hashes, int64_t rows, JoinMatches* matches) const;
  JoinMatches all() const { return {all_ids_.data(), static_cast<int64_t>(all_ids_.size())}; }

  // Remembers that a row has a match; any thread.
  void mark(int64_t id) const;
  bool is_marked(int64_t chunk, int64_t row) const;

 private:
  struct Chunk;
  // A distinct key: its words follow.
  struct Entry {
    int64_t first;  // a row id when count is 1 and all keys of the part are different, else where its ids begin
    int64_t count;
    const uint64_t* key() const { return reinterpret_cast<const uint64_t*>(this + 1); }
    uint64_t* key() { return reinterpret_cast<uint64_t*>(this + 1); }
  };
  struct Part {
    std::unique_ptr<GroupSlots> slots;
    BufferPtr entries;
    BufferPtr ids;  // absent when every key has one row
  };

  void encode(const std::vector<Batch>& chunks, const JoinInput& input, const Parallel& parallel);
  void build_part(size_t part);
  template <int32_t words>
  void find_words(const uint64_t* keys, const uint64_t* hashes, int64_t rows, JoinMatches* matches) const;
  template <int32_t words>
  bool same(const uint64_t* a, const uint64_t* b) const;
  size_t part_of(uint64_t hash) const { return part_bits_ == 0 ? 0 : static_cast<size_t>(hash >> (64 - part_bits_)); }

  Context& context_;
  KeyLayout layout_;
  std::shared_ptr<const ChunkedRows> rows_;
  std::vector<std::unique_ptr<Chunk>> chunks_;       // encoded keys
  std::vector<std::vector<ColumnPtr>> key_columns_;  // what string keys point into
  int part_bits_ = 0;
  std::vector<Part> parts_;
  std::vector<int64_t> all_ids_;
  Reservation reserved_;
  std::atomic<bool> has_null_key_{false};
  int64_t vector_rows_ = 0;
  std::vector<std::unique_ptr<std::atomic<uint8_t>[]>> marks_;  // by chunk
};

}  // namespace quern::cpu
