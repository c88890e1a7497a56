#include "cpu/join_keys.hpp"

#include <algorithm>
#include <bit>

namespace quern::cpu {

namespace {

// A part of so many rows is made in the cache of one core.
constexpr int64_t rows_per_part = 32 * 1024;
constexpr int most_part_bits = 10;

size_t part_of(uint64_t hash, int part_bits) {
  return part_bits == 0 ? 0 : static_cast<size_t>(hash >> (64 - part_bits));
}

}  // namespace

KeyLayout join_key_layout(const JoinKeyTypes& keys) {
  const bool nulls = std::any_of(keys.null_safe.begin(), keys.null_safe.end(), [](bool safe) { return safe; });
  return KeyLayout(keys.types, nulls);
}

JoinKeys::JoinKeys(Context& context, const JoinKeyTypes& types, const KeyLayout& layout,
                   std::vector<std::vector<ColumnPtr>> columns, PackedIds packing, const Parallel& parallel)
    : context_(context), layout_(layout), packing_(packing), columns_(std::move(columns)), reserved_(context.memory()) {
  int64_t rows = 0;
  for (const auto& chunk : columns_) rows += chunk[0]->length;
  part_bits_ = std::min(static_cast<int>(std::bit_width(static_cast<uint64_t>(rows / rows_per_part))), most_part_bits);
  constexpr int64_t hash_bytes = 8, order_bytes = 4;
  reserved_.resize(rows * (8 * layout_.words + hash_bytes + order_bytes));
  chunks_.resize(columns_.size());
  parallel(static_cast<int64_t>(chunks_.size()), [&](int64_t number) {
    context_.check_cancelled();
    auto& chunk = chunks_[static_cast<size_t>(number)];
    chunk = std::make_unique<Chunk>(context_.memory(), layout_);
    encode(*chunk, types, columns_[static_cast<size_t>(number)]);
  });
}

void JoinKeys::encode(Chunk& chunk, const JoinKeyTypes& types, const std::vector<ColumnPtr>& columns) const {
  const int64_t rows = columns[0]->length;
  chunk.encoder.encode(columns, rows);
  std::vector<uint8_t> absent(static_cast<size_t>(rows), 0);
  for_absent(types, columns, rows, [&](int64_t i) { absent[static_cast<size_t>(i)] = 1; });
  const uint64_t* hashes = chunk.encoder.hashes();
  chunk.starts.assign(parts() + 1, 0);
  for (int64_t i = 0; i < rows; ++i) {
    if (absent[static_cast<size_t>(i)] == 0) ++chunk.starts[part_of(hashes[i], part_bits_) + 1];
  }
  for (size_t part = 0; part < parts(); ++part) chunk.starts[part + 1] += chunk.starts[part];
  chunk.order.resize(static_cast<size_t>(chunk.starts.back()));
  std::vector<int64_t> next(chunk.starts.begin(), chunk.starts.end() - 1);
  for (int64_t i = 0; i < rows; ++i) {
    if (absent[static_cast<size_t>(i)] == 0)
      chunk.order[static_cast<size_t>(next[part_of(hashes[i], part_bits_)]++)] = static_cast<uint32_t>(i);
  }
}

int64_t JoinKeys::part_rows(size_t part) const {
  int64_t rows = 0;
  for (const auto& chunk : chunks_) rows += chunk->starts[part + 1] - chunk->starts[part];
  return rows;
}

}  // namespace quern::cpu
