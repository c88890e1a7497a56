#include "cpu/join_keys.hpp"

#include <algorithm>
#include <bit>
#include <utility>

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
    : context_(context), layout_(layout), packing_(packing), columns_(std::move(columns)) {
  int64_t rows = 0;
  for (const auto& chunk : columns_) rows += chunk[0]->length;
  part_bits_ = std::min(static_cast<int>(std::bit_width(static_cast<uint64_t>(rows / rows_per_part))), most_part_bits);
  chunks_.resize(columns_.size());
  const auto each_chunk = [&](auto&& task) {
    parallel(static_cast<int64_t>(chunks_.size()), [&](int64_t number) {
      context_.check_cancelled();
      task(static_cast<size_t>(number));
    });
  };
  each_chunk([&](size_t number) {
    chunks_[number] = std::make_unique<Chunk>(context_.memory(), layout_);
    encode(*chunks_[number], types, columns_[number]);
  });
  int64_t next = 0;
  for (size_t part = 0; part < parts(); ++part) {
    starts_.push_back(next);
    for (auto& chunk : chunks_) next += std::exchange(chunk->next[part], next);
  }
  starts_.push_back(next);
  records_ = context_.memory().allocate(static_cast<size_t>(next * record_words()) * sizeof(uint64_t));
  each_chunk([&](size_t number) { write(number); });
}

void JoinKeys::encode(Chunk& chunk, const JoinKeyTypes& types, const std::vector<ColumnPtr>& columns) const {
  const int64_t rows = columns[0]->length;
  chunk.encoder.encode(columns, rows);
  chunk.parts = context_.memory().allocate(static_cast<size_t>(rows) * sizeof(uint16_t));
  auto* part = chunk.parts->as<uint16_t>();
  const uint64_t* hashes = chunk.encoder.hashes();
  for (int64_t i = 0; i < rows; ++i) part[i] = static_cast<uint16_t>(part_of(hashes[i], part_bits_));
  // Rows without a key are in a part behind the others, which is not written.
  for_absent(types, columns, rows, [&](int64_t i) { part[i] = static_cast<uint16_t>(parts()); });
  chunk.next.assign(parts() + 1, 0);
  for (int64_t i = 0; i < rows; ++i) ++chunk.next[part[i]];
}

// Records of a chunk's rows.
void JoinKeys::write(size_t number) {
  Chunk& chunk = *chunks_[number];
  const int64_t rows = columns_[number][0]->length;
  const auto* part = chunk.parts->as<uint16_t>();
  const uint64_t *keys = chunk.encoder.keys(), *hashes = chunk.encoder.hashes();
  auto* records = records_->as<uint64_t>();
  const int64_t words = layout_.words, stride = record_words();
  for (int64_t i = 0; i < rows; ++i) {
    if (part[i] == parts()) continue;
    uint64_t* record = records + chunk.next[part[i]]++ * stride;
    record[0] = hashes[i] << 32 | packing_.pack(number, i);
    for (int64_t w = 0; w < words; ++w) record[KeyRecord::head_words + w] = keys[i * words + w];
  }
  chunk.parts.reset();
  chunk.encoder.clear();
}

}  // namespace quern::cpu
