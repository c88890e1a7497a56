#include "cpu/chunked_rows.hpp"

#include <algorithm>

#include "columnar/dispatch.hpp"

namespace quern::cpu {

namespace {

// A column is put together only while it takes at most this part of the memory that is left.
constexpr int64_t whole_part = 8;

}  // namespace

ChunkedRows::ChunkedRows(std::vector<Batch> chunks) : chunks_(std::move(chunks)) {
  for (const auto& chunk : chunks_) {
    starts_.push_back(rows_);
    rows_ += chunk.rows;
  }
  if (chunks_.empty()) return;
  wholes_ = std::make_unique<Whole[]>(chunks_[0].columns.size());
  for (size_t column = 0; column < chunks_[0].columns.size(); ++column) {
    types_.push_back(chunks_[0].columns[column]->type);
    places_.emplace_back();
    bool nulls = false;
    for (const auto& chunk : chunks_) {
      const auto& part = *chunk.columns[column];
      places_.back().push_back({part.data, part.validity});
      nulls |= part.null_count > 0;
    }
    nulls_.push_back(nulls);
  }
}

Batch ChunkedRows::gather(Memory& memory, const int64_t* ids, int64_t count) const {
  Batch out;
  out.rows = count;
  for (size_t column = 0; column < types_.size(); ++column)
    out.columns.push_back(gather_column(memory, column, ids, count));
  return out;
}

ColumnPtr ChunkedRows::gather_column(Memory& memory, size_t column, const int64_t* ids, int64_t count) const {
  const auto kind = physical(*types_[column]);
  if (kind == Physical::none) return make_null_column(types_[column], count);
  int64_t present = 0;
  for (int64_t i = 0; i < count; ++i) present += ids[i] >= 0;
  if (present == 0) return make_null_column(types_[column], count);
  const bool nested = kind == Physical::list || kind == Physical::structure;
  if (!nested) return gather_values(memory, column, ids, count, present < count);
  return present < count ? gather_present(memory, column, ids, count) : gather_nested(memory, column, ids, count);
}

// The rows that are there, then spread over their places.
ColumnPtr ChunkedRows::gather_present(Memory& memory, size_t column, const int64_t* ids, int64_t count) const {
  std::vector<int64_t> present;
  std::vector<int64_t> places(static_cast<size_t>(count), -1);
  for (int64_t i = 0; i < count; ++i) {
    if (ids[i] < 0) continue;
    places[static_cast<size_t>(i)] = static_cast<int64_t>(present.size());
    present.push_back(ids[i]);
  }
  const auto rows = gather_column(memory, column, present.data(), static_cast<int64_t>(present.size()));
  return quern::gather(memory, rows, places.data(), count);
}

ColumnPtr ChunkedRows::gather_values(Memory& memory, size_t column, const int64_t* ids, int64_t count,
                                     bool absent) const {
  const auto& places = places_[column];
  ColumnBuilder builder(memory, types_[column], count);
  with_width(width(*types_[column]), [&]<typename T>() {
    T* out = builder.data<T>();
    const auto value = [&](int64_t id) {
      return static_cast<const T*>(places[static_cast<size_t>(id >> 32)].data)[static_cast<uint32_t>(id)];
    };
    if (absent) {
      for (int64_t i = 0; i < count; ++i) out[i] = ids[i] < 0 ? T{} : value(ids[i]);
    } else {
      for (int64_t i = 0; i < count; ++i) out[i] = value(ids[i]);
    }
  });
  if (absent || nulls_[column]) {
    for (int64_t i = 0; i < count; ++i) {
      const auto* validity = ids[i] < 0 ? nullptr : places[static_cast<size_t>(ids[i] >> 32)].validity;
      if (ids[i] < 0 || (validity != nullptr && !bit_at(validity, static_cast<uint32_t>(ids[i])))) builder.set_null(i);
    }
  }
  if (physical(*types_[column]) == Physical::string) builder.keep(Owner(shared_from_this()));
  return builder.finish();
}

// Rows of one chunk share its children.
ColumnPtr ChunkedRows::gather_nested(Memory& memory, size_t column, const int64_t* ids, int64_t count) const {
  const int64_t chunk = ids[0] >> 32;
  std::vector<int64_t> rows(static_cast<size_t>(count));
  if (std::all_of(ids, ids + count, [chunk](int64_t id) { return id >> 32 == chunk; })) {
    for (int64_t i = 0; i < count; ++i) rows[static_cast<size_t>(i)] = static_cast<uint32_t>(ids[i]);
    return quern::gather(memory, chunks_[static_cast<size_t>(chunk)].columns[column], rows.data(), count);
  }
  const auto all = whole(memory, column, count);
  if (!all) return gather_pieces(memory, column, ids, count);
  for (int64_t i = 0; i < count; ++i)
    rows[static_cast<size_t>(i)] = starts_[static_cast<size_t>(ids[i] >> 32)] + static_cast<uint32_t>(ids[i]);
  return quern::gather(memory, all, rows.data(), count);
}

// The column in one piece when that pays, `count` more rows of it being wanted; else nullptr.
ColumnPtr ChunkedRows::whole(Memory& memory, size_t column, int64_t count) const {
  Whole& whole = wholes_[column];
  std::lock_guard lock(whole.mutex);
  if (whole.column) return whole.column;
  whole.gathered += count;
  if (whole.gathered <= rows_) return nullptr;
  int64_t bytes = 0;
  std::vector<ColumnPtr> pieces;
  for (const auto& chunk : chunks_) {
    pieces.push_back(chunk.columns[column]);
    bytes += row_bytes(*pieces.back());
  }
  whole.gathered = 0;  // the next look, when it does not fit
  if (bytes > (memory.limit() - memory.used()) / whole_part) return nullptr;
  whole.column = concat(memory, types_[column], pieces);
  return whole.column;
}

// Chunk by chunk, then into order: the children of a list are of one chunk each.
ColumnPtr ChunkedRows::gather_pieces(Memory& memory, size_t column, const int64_t* ids, int64_t count) const {
  std::vector<int64_t> by_chunk(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) by_chunk[static_cast<size_t>(i)] = i;
  std::stable_sort(by_chunk.begin(), by_chunk.end(), [&](int64_t a, int64_t b) { return ids[a] >> 32 < ids[b] >> 32; });
  std::vector<ColumnPtr> pieces;
  std::vector<uint32_t> rows;
  std::vector<uint32_t> place(static_cast<size_t>(count));  // of row i in the pieces
  for (int64_t start = 0; start < count;) {
    const int64_t chunk = ids[by_chunk[static_cast<size_t>(start)]] >> 32;
    rows.clear();
    int64_t end = start;
    for (; end < count && ids[by_chunk[static_cast<size_t>(end)]] >> 32 == chunk; ++end) {
      const int64_t at = by_chunk[static_cast<size_t>(end)];
      rows.push_back(static_cast<uint32_t>(ids[at]));
      place[static_cast<size_t>(at)] = static_cast<uint32_t>(end);
    }
    pieces.push_back(
        quern::gather(memory, chunks_[static_cast<size_t>(chunk)].columns[column], rows.data(), end - start));
    start = end;
  }
  return quern::gather(memory, concat(memory, types_[column], pieces), place.data(), count);
}

}  // namespace quern::cpu
