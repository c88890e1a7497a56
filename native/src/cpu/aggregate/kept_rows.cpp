#include "cpu/aggregate/kept_rows.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>

#include "cpu/sort_key.hpp"

namespace quern::cpu {

namespace {

using Ids = std::vector<int64_t, CountedAllocator<int64_t>>;

// Ordered by merging the ranges that are in order already: one a thread, as a rule.
void sort_ids(Context& context, std::span<int64_t> ids) {
  std::vector<size_t> starts{0};
  for (size_t i = 1; i < ids.size(); ++i) {
    if (ids[i] < ids[i - 1]) starts.push_back(i);
  }
  if (starts.size() == 1) return;
  // Short ranges cost more than sorting anew.
  if (starts.size() * 64 > ids.size()) {
    std::sort(ids.begin(), ids.end());
    return;
  }
  starts.push_back(ids.size());
  const Ids empty(CountedAllocator<int64_t>(context.memory()));
  Ids merged = empty;
  merged.resize(ids.size());
  while (starts.size() > 2) {
    std::vector<size_t> next{0};
    for (size_t at = 0; at + 1 < starts.size(); at += 2) {
      context.check_cancelled();
      const size_t middle = starts[at + 1], end = starts[std::min(at + 2, starts.size() - 1)];
      std::merge(ids.begin() + static_cast<std::ptrdiff_t>(starts[at]),
                 ids.begin() + static_cast<std::ptrdiff_t>(middle), ids.begin() + static_cast<std::ptrdiff_t>(middle),
                 ids.begin() + static_cast<std::ptrdiff_t>(end),
                 merged.begin() + static_cast<std::ptrdiff_t>(starts[at]));
      next.push_back(end);
    }
    std::copy(merged.begin(), merged.end(), ids.begin());
    starts = std::move(next);
  }
}

// The batches of all states, each once, in input order.
class BatchOrder {
 public:
  explicit BatchOrder(const std::vector<const KeptRows*>& states) {
    for (const auto* state : states) {
      for (const auto& batch : state->batches()) {
        if (numbers_.try_emplace(batch.get(), 0).second) batches_.push_back(batch.get());
      }
    }
    std::sort(batches_.begin(), batches_.end(),
              [](const KeptArguments* a, const KeptArguments* b) { return a->sequence < b->sequence; });
    for (size_t i = 0; i < batches_.size(); ++i) numbers_[batches_[i]] = static_cast<int64_t>(i);
  }

  int64_t number(const KeptArguments* batch) const { return numbers_.at(batch); }

  // Arguments [first, last) of every batch.
  std::shared_ptr<const ChunkedRows> arguments(size_t first, size_t last) const {
    std::vector<Batch> chunks;
    chunks.reserve(batches_.size());
    for (const auto* batch : batches_) {
      const auto begin = batch->columns.begin();
      chunks.push_back({batch->columns[0]->length,
                        {begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(last)}});
    }
    return std::make_shared<const ChunkedRows>(std::move(chunks));
  }

 private:
  std::vector<const KeptArguments*> batches_;
  std::unordered_map<const KeptArguments*, int64_t> numbers_;
};

// Ids of the rows of all states in input order, state after state.
Ids ids_of(Context& context, const BatchOrder& batches, const std::vector<const KeptRows*>& states,
           std::vector<ListEntry>& entries) {
  Ids ids(CountedAllocator<int64_t>(context.memory()));
  int64_t total = 0;
  for (const auto* state : states) total += state->rows();
  ids.reserve(static_cast<size_t>(total));
  std::vector<int64_t> numbers;
  for (const auto* state : states) {
    numbers.clear();
    for (const auto& batch : state->batches()) numbers.push_back(batches.number(batch.get()));
    const auto start = static_cast<int64_t>(ids.size());
    for (const int64_t id : state->ids()) {
      ids.push_back(row_id(numbers[static_cast<size_t>(id >> 32)], static_cast<uint32_t>(id)));
    }
    sort_ids(context, std::span(ids).subspan(static_cast<size_t>(start)));
    entries.push_back({start, state->rows()});
  }
  return ids;
}

// Rows ordered in some 10 ms; longer stretches are merged from ordered pieces.
constexpr int64_t sorted_piece = 64 * 1024;

// `spare`: room for as many, needed above a piece.
void sort_entries(Context& context, SortEntry* entries, SortEntry* spare, int64_t rows) {
  for (int64_t at = 0; at < rows; at += sorted_piece) {
    context.check_cancelled();
    std::sort(entries + at, entries + std::min(at + sorted_piece, rows));
  }
  SortEntry *from = entries, *to = spare;
  for (int64_t length = sorted_piece; length < rows; length *= 2) {
    for (int64_t at = 0; at < rows; at += 2 * length) {
      context.check_cancelled();
      const int64_t middle = std::min(at + length, rows), end = std::min(at + 2 * length, rows);
      std::merge(from + at, from + middle, from + middle, from + end, to + at);
    }
    std::swap(from, to);
  }
  if (from != entries) std::copy(from, from + rows, entries);
}

// Orders the ids of each entry by the keys; equal ones stay in input order.
void order_by_keys(Context& context, const BatchOrder& batches, const std::vector<plan::SortKey>& keys, size_t key_at,
                   const std::vector<ListEntry>& entries, Ids& ids) {
  const auto rows = static_cast<int64_t>(ids.size());
  const Batch values = batches.arguments(key_at, key_at + keys.size())->gather(context.memory(), ids.data(), rows);
  std::vector<KeyOrder> order;
  for (size_t i = 0; i < keys.size(); ++i) {
    const auto& column = *values.columns[i];
    order.push_back({column.type, keys[i].descending, keys[i].nulls_first,
                     column.null_count > 0 || column.type->kind == TypeKind::null});
  }
  const auto encoded = encode_keys(context.memory(), order, values.columns, 0, rows);
  const auto buffer = context.memory().allocate(static_cast<size_t>(rows) * sizeof(SortEntry));
  auto* sorted = buffer->as<SortEntry>();
  make_entries(encoded, rows, 0, sorted);
  BufferPtr spare;  // for merging, once an entry is long
  for (const auto& entry : entries) {
    if (entry.length > sorted_piece && !spare) spare = context.memory().allocate(buffer->size());
    sort_entries(context, sorted + entry.start, spare ? spare->as<SortEntry>() + entry.start : nullptr, entry.length);
  }
  Ids ordered(CountedAllocator<int64_t>(context.memory()));
  ordered.resize(ids.size());
  for (int64_t i = 0; i < rows; ++i) ordered[static_cast<size_t>(i)] = ids[static_cast<size_t>(sorted[i].row)];
  ids = std::move(ordered);
}

}  // namespace

KeptArgumentsPtr keep_arguments(Memory& memory, const AggregateInput& input, size_t count) {
  auto kept = std::make_shared<KeptArguments>();
  kept->sequence = input.sequence;
  for (size_t i = 0; i < count; ++i) kept->columns.push_back(compact(memory, input.args[i]));
  return kept;
}

void KeptRows::append(const KeptRows& other) {
  const auto first = static_cast<int64_t>(batches_.size());
  batches_.insert(batches_.end(), other.batches_.begin(), other.batches_.end());
  for (const int64_t id : other.ids_) ids_.push_back(id + row_id(first, 0));
}

ReadRows read_rows(Context& context, const std::vector<const KeptRows*>& states, size_t columns,
                   const std::vector<plan::SortKey>& keys, size_t key_at) {
  ReadRows out;
  const BatchOrder batches(states);
  Ids ids = ids_of(context, batches, states, out.entries);
  if (!keys.empty() && !ids.empty()) order_by_keys(context, batches, keys, key_at, out.entries, ids);
  context.check_cancelled();
  out.columns =
      batches.arguments(0, columns)->gather(context.memory(), ids.data(), static_cast<int64_t>(ids.size())).columns;
  return out;
}

}  // namespace quern::cpu
