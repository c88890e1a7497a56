#include "cpu/join_table.hpp"

#include <algorithm>
#include <cstring>

#include "cpu/table.hpp"

namespace quern::cpu {

namespace {

constexpr int64_t rows_of_one_part = 32 * 1024;
constexpr int many_part_bits = 6;

// Payload columns of chunks, as rows.
std::vector<Batch> payload_of(const std::vector<Batch>& chunks, int32_t columns) {
  std::vector<Batch> out;
  for (const auto& chunk : chunks) {
    Batch batch;
    batch.rows = chunk.rows;
    batch.columns.assign(chunk.columns.begin(), chunk.columns.begin() + columns);
    out.push_back(std::move(batch));
  }
  return out;
}

}  // namespace

// Keys of a chunk and its rows by part; rows whose key equals nothing are in no part.
struct JoinTable::Chunk {
  Chunk(Memory& memory, const KeyLayout& layout) : encoder(memory, layout) {}
  KeyEncoder encoder;
  std::vector<uint32_t> order;
  std::vector<int64_t> starts;  // of each part in `order`, and the end
};

JoinTable::JoinTable(Context& context, const JoinInput& input, std::vector<Batch> chunks, const Parallel& parallel)
    : context_(context), layout_(input.key_types), reserved_(context.memory()) {
  auto payload = payload_of(chunks, input.payload_columns);
  vector_rows_ = context.settings().batch_rows;
  int64_t rows = 0;
  for (const auto& chunk : payload) {
    vector_rows_ = std::min(vector_rows_, cpu::vector_rows(context, chunk));
    rows += chunk.rows;
  }
  rows_ = std::make_shared<const ChunkedRows>(std::move(payload));
  if (input.marks_matches) {
    reserved_.resize(rows);
    for (const auto& chunk : chunks)
      marks_.push_back(std::make_unique<std::atomic<uint8_t>[]>(static_cast<size_t>(chunk.rows)));
  }
  if (input.key_types.empty()) {
    reserved_.resize(reserved_.bytes() + rows * 8);
    all_ids_.reserve(static_cast<size_t>(rows));
    for (size_t chunk = 0; chunk < chunks.size(); ++chunk) {
      for (int64_t row = 0; row < chunks[chunk].rows; ++row)
        all_ids_.push_back(row_id(static_cast<int64_t>(chunk), row));
    }
    return;
  }
  part_bits_ = rows > rows_of_one_part ? many_part_bits : 0;
  parts_.resize(size_t{1} << part_bits_);
  const int64_t kept = reserved_.bytes();
  reserved_.resize(kept + rows * (8 * layout_.words + 8 + 4));
  encode(chunks, input, parallel);
  parallel(static_cast<int64_t>(parts_.size()), [&](int64_t part) { build_part(static_cast<size_t>(part)); });
  const bool serialized =
      std::any_of(layout_.slots.begin(), layout_.slots.end(), [](const KeySlot& slot) { return slot.serialized; });
  // Serialized values stay in the encoders.
  if (!serialized) {
    chunks_.clear();
    reserved_.resize(kept);
  }
  if (layout_.string_words.empty()) key_columns_.clear();
}

JoinTable::~JoinTable() = default;

void JoinTable::encode(const std::vector<Batch>& chunks, const JoinInput& input, const Parallel& parallel) {
  chunks_.resize(chunks.size());
  for (const auto& chunk : chunks)
    key_columns_.emplace_back(chunk.columns.begin() + input.payload_columns, chunk.columns.end());
  parallel(static_cast<int64_t>(chunks.size()), [&](int64_t number) {
    context_.check_cancelled();
    const auto at = static_cast<size_t>(number);
    const int64_t rows = chunks[at].rows;
    chunks_[at] = std::make_unique<Chunk>(context_.memory(), layout_);
    auto& chunk = *chunks_[at];
    chunk.encoder.encode(key_columns_[at], rows);
    std::vector<uint8_t> absent(static_cast<size_t>(rows), 0);
    for (size_t key = 0; key < key_columns_[at].size(); ++key) {
      const auto& column = *key_columns_[at][key];
      if (input.null_safe[key] || column.null_count == 0) continue;
      has_null_key_ = true;
      for (int64_t i = 0; i < rows; ++i) absent[static_cast<size_t>(i)] |= static_cast<uint8_t>(!column.is_valid(i));
    }
    const uint64_t* hashes = chunk.encoder.hashes();
    chunk.starts.assign(parts_.size() + 1, 0);
    for (int64_t i = 0; i < rows; ++i) {
      if (absent[static_cast<size_t>(i)] == 0) ++chunk.starts[part_of(hashes[i]) + 1];
    }
    for (size_t part = 0; part < parts_.size(); ++part) chunk.starts[part + 1] += chunk.starts[part];
    chunk.order.resize(static_cast<size_t>(chunk.starts.back()));
    std::vector<int64_t> next(chunk.starts.begin(), chunk.starts.end() - 1);
    for (int64_t i = 0; i < rows; ++i) {
      if (absent[static_cast<size_t>(i)] == 0)
        chunk.order[static_cast<size_t>(next[part_of(hashes[i])]++)] = static_cast<uint32_t>(i);
    }
  });
}

template <int32_t words>
bool JoinTable::same(const uint64_t* a, const uint64_t* b) const {
  if constexpr (words == 0) {
    return same_key(layout_, a, b);
  } else {
    uint64_t differ = 0;
    for (int32_t w = 0; w < words; ++w) differ |= a[w] ^ b[w];
    return differ == 0;
  }
}

void JoinTable::build_part(size_t part) {
  context_.check_cancelled();
  Part& out = parts_[part];
  int64_t rows = 0;
  for (const auto& chunk : chunks_) rows += chunk->starts[part + 1] - chunk->starts[part];
  if (rows == 0) return;
  Memory& memory = context_.memory();
  const auto key_bytes = static_cast<size_t>(layout_.words) * 8;
  const size_t entry_bytes = sizeof(Entry) + key_bytes;
  out.slots = std::make_unique<GroupSlots>(memory, rows);
  out.entries = memory.allocate(static_cast<size_t>(rows) * entry_bytes);
  const auto slot_count = static_cast<uint64_t>(out.slots->mask());
  uint64_t* slots = out.slots->slots();
  const auto entry_of = [](uint64_t slot) { return reinterpret_cast<Entry*>(GroupSlots::row(slot)); };
  const auto entry_at = [&](int64_t number) {
    return reinterpret_cast<Entry*>(out.entries->data() + static_cast<size_t>(number) * entry_bytes);
  };
  auto of_rows = memory.allocate(static_cast<size_t>(rows) * sizeof(Entry*));
  Entry** entries = of_rows->as<Entry*>();
  int64_t distinct = 0;
  int64_t at = 0;
  const auto visit = [&](auto&& each) {
    for (size_t number = 0; number < chunks_.size(); ++number) {
      const auto& chunk = *chunks_[number];
      context_.check_cancelled();
      for (int64_t i = chunk.starts[part]; i < chunk.starts[part + 1]; ++i)
        each(number, chunk.order[static_cast<size_t>(i)]);
    }
  };
  visit([&](size_t number, uint32_t row) {
    const auto& encoder = chunks_[number]->encoder;
    const uint64_t hash = encoder.hashes()[row];
    const uint64_t* key = encoder.keys() + static_cast<size_t>(row) * static_cast<size_t>(layout_.words);
    uint64_t slot = hash & slot_count;
    Entry* entry = nullptr;
    for (; slots[slot] != 0; slot = (slot + 1) & slot_count) {
      if (!GroupSlots::same_salt(slots[slot], hash)) continue;
      Entry* found = entry_of(slots[slot]);
      if (!same_key(layout_, found->key(), key)) continue;
      entry = found;
      break;
    }
    if (entry == nullptr) {
      entry = entry_at(distinct++);
      entry->first = row_id(static_cast<int64_t>(number), row);
      entry->count = 0;
      std::memcpy(entry->key(), key, key_bytes);
      slots[slot] = GroupSlots::pack(reinterpret_cast<const uint8_t*>(entry), hash);
    }
    ++entry->count;
    entries[at++] = entry;
  });
  if (distinct == rows) return;
  out.ids = memory.allocate(static_cast<size_t>(rows) * sizeof(int64_t));
  auto* ids = out.ids->as<int64_t>();
  int64_t start = 0;
  for (int64_t i = 0; i < distinct; ++i) {
    entry_at(i)->first = start;
    start += entry_at(i)->count;
  }
  at = 0;
  // `first` runs through the ids of its key, then back.
  visit([&](size_t number, uint32_t row) { ids[entries[at++]->first++] = row_id(static_cast<int64_t>(number), row); });
  for (int64_t i = 0; i < distinct; ++i) entry_at(i)->first -= entry_at(i)->count;
}

template <int32_t words>
void JoinTable::find_words(const uint64_t* keys, const uint64_t* hashes, int64_t rows, JoinMatches* matches) const {
  // Distances at which slots and keys are asked for ahead of their use, as in GroupTable::find.
  constexpr int64_t ahead = 24;
  constexpr int64_t key_ahead = 12;
  const int64_t stride = words != 0 ? words : layout_.words;
  const auto prefetch = [&](int64_t i) {
    if (const auto& slots = parts_[part_of(hashes[i])].slots) slots->prefetch(hashes[i]);
  };
  for (int64_t i = 0; i < std::min(ahead, rows); ++i) prefetch(i);
  for (int64_t i = 0; i < rows; ++i) {
    if (i + ahead < rows) prefetch(i + ahead);
    if (i + key_ahead < rows) {
      if (const auto& slots = parts_[part_of(hashes[i + key_ahead])].slots) slots->prefetch_row(hashes[i + key_ahead]);
    }
    matches[i] = {};
    const uint64_t hash = hashes[i];
    const Part& part = parts_[part_of(hash)];
    if (!part.slots) continue;
    const auto mask = static_cast<uint64_t>(part.slots->mask());
    const uint64_t* slots = part.slots->slots();
    for (uint64_t at = hash & mask; slots[at] != 0; at = (at + 1) & mask) {
      if (!GroupSlots::same_salt(slots[at], hash)) continue;
      const auto* entry = reinterpret_cast<const Entry*>(GroupSlots::row(slots[at]));
      if (!same<words>(entry->key(), keys + i * stride)) continue;
      matches[i] = {part.ids ? part.ids->template as<int64_t>() + entry->first : &entry->first, entry->count};
      break;
    }
  }
}

void JoinTable::find(const uint64_t* keys, const uint64_t* hashes, int64_t rows, JoinMatches* matches) const {
  if (!layout_.string_words.empty()) return find_words<0>(keys, hashes, rows, matches);
  switch (layout_.words) {
    case 1:
      return find_words<1>(keys, hashes, rows, matches);
    case 2:
      return find_words<2>(keys, hashes, rows, matches);
    case 3:
      return find_words<3>(keys, hashes, rows, matches);
    default:
      return find_words<0>(keys, hashes, rows, matches);
  }
}

void JoinTable::mark(int64_t id) const {
  auto& flag = marks_[static_cast<size_t>(id >> 32)][static_cast<uint32_t>(id)];
  if (flag.load(std::memory_order_relaxed) == 0) flag.store(1, std::memory_order_relaxed);
}

bool JoinTable::is_marked(int64_t chunk, int64_t row) const {
  return marks_[static_cast<size_t>(chunk)][static_cast<size_t>(row)].load(std::memory_order_relaxed) != 0;
}

}  // namespace quern::cpu
