// Rows in chunks, and reading them in any order: each row is moved once, from its chunk into the vector that needs it.
#pragma once
#include <mutex>

#include "columnar/column.hpp"
#include "context/context.hpp"

namespace quern::cpu {

// A row of a chunk: chunk number above, row number in the chunk below. Ascending in input order.
inline int64_t row_id(int64_t chunk, int64_t row) { return chunk << 32 | row; }

class ChunkedRows : public std::enable_shared_from_this<ChunkedRows> {
 public:
  // Chunks as concat makes them: flat columns, fewer than 2^32 rows each.
  explicit ChunkedRows(std::vector<Batch> chunks);

  int64_t rows() const { return rows_; }
  // The rows with these ids, in this order. Strings point into the chunks, which the result keeps.
  Batch gather(Memory& memory, const int64_t* ids, int64_t count) const;
  // One column of them; NULL for ids that are -1.
  ColumnPtr gather_column(Memory& memory, size_t column, const int64_t* ids, int64_t count) const;
  const std::vector<Batch>& chunks() const { return chunks_; }

 private:
  struct Place {
    const void* data;
    const uint64_t* validity;
  };

  // `absent`: some ids are -1.
  ColumnPtr gather_values(Memory& memory, size_t column, const int64_t* ids, int64_t count, bool absent) const;
  ColumnPtr gather_present(Memory& memory, size_t column, const int64_t* ids, int64_t count) const;
  ColumnPtr gather_nested(Memory& memory, size_t column, const int64_t* ids, int64_t count) const;
  ColumnPtr gather_pieces(Memory& memory, size_t column, const int64_t* ids, int64_t count) const;
  ColumnPtr whole(Memory& memory, size_t column, int64_t count) const;

  // A column of lists or structures as one, once so many of its rows were asked for that moving their elements each
  // time costs more.
  struct Whole {
    std::mutex mutex;
    int64_t gathered = 0;
    ColumnPtr column;
  };
  std::vector<Batch> chunks_;
  int64_t rows_ = 0;
  std::vector<TypePtr> types_;
  std::vector<std::vector<Place>> places_;  // by column, by chunk
  std::vector<bool> nulls_;                 // by column: some chunk has any
  std::vector<int64_t> starts_;             // rows before each chunk
  std::unique_ptr<Whole[]> wholes_;         // by column
};

}  // namespace quern::cpu
