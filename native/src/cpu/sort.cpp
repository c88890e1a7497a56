// Sort: rows are collected with their keys, keys encoded and ordered in runs, runs merged in parts, all on every
// thread. The rows themselves are moved once, when they are read.
#include "cpu/sort.hpp"

#include <algorithm>
#include <type_traits>

#include "cpu/chunked_rows.hpp"
#include "cpu/expression.hpp"
#include "cpu/sort_key.hpp"
#include "cpu/table.hpp"

namespace quern::cpu {

namespace {

// Rows of a run: ordered in some 10 ms, its entries fit the second-level cache.
constexpr int64_t run_rows = 64 * 1024;
// Rows merged between two looks at cancellation.
constexpr int64_t merge_poll = 16 * 1024;
constexpr int64_t morsel_rows = 64 * 1024;

template <typename Entry>
struct Run {
  std::vector<EncodedKeys> keys;  // what the entries point into; a chunk
  BufferPtr entries;
  int64_t rows = 0;

  Entry* begin() const { return entries->as<Entry>(); }
  Entry* end() const { return begin() + rows; }
};

// All rows, and their order.
struct Sorted {
  std::shared_ptr<const ChunkedRows> rows;
  BufferPtr order;   // int64_t row ids
  int64_t step = 1;  // rows of a vector
};

// Chunks [first, last) in order. `keys`: by chunk.
template <typename Entry>
Run<Entry> make_run(Memory& memory, const std::vector<KeyOrder>& order, const std::vector<Batch>& keys, size_t first,
                    size_t last) {
  Run<Entry> run;
  for (size_t chunk = first; chunk < last; ++chunk) run.rows += keys[chunk].rows;
  run.entries = memory.allocate(static_cast<size_t>(run.rows) * sizeof(Entry));
  Entry* next = run.begin();
  for (size_t chunk = first; chunk < last; ++chunk) {
    const int64_t rows = keys[chunk].rows;
    auto encoded = encode_keys(memory, order, keys[chunk].columns, 0, rows);
    make_entries(encoded, rows, row_id(static_cast<int64_t>(chunk), 0), next);
    if constexpr (std::is_same_v<Entry, SortEntry>) run.keys.push_back(std::move(encoded));
    next += rows;
  }
  std::sort(run.begin(), run.end());
  return run;
}

// Entries that cut the sorted rows into about `parts` equal parts.
template <typename Entry>
std::vector<Entry> splitters(const std::vector<Run<Entry>>& runs, int64_t parts) {
  std::vector<Entry> sample;
  const int64_t wanted = parts * 16;
  int64_t total = 0;
  for (const auto& run : runs) total += run.rows;
  const int64_t stride = std::max<int64_t>(1, total / wanted);
  for (const auto& run : runs) {
    for (int64_t at = stride / 2; at < run.rows; at += stride) sample.push_back(run.begin()[at]);
  }
  std::sort(sample.begin(), sample.end());
  std::vector<Entry> out;
  for (int64_t part = 1; part < parts && !sample.empty(); ++part) {
    out.push_back(sample[static_cast<size_t>(static_cast<int64_t>(sample.size()) * part / parts)]);
  }
  return out;
}

template <typename Entry>
struct Range {
  const Entry* at;
  const Entry* end;
};

// Merges ranges into row numbers.
template <typename Entry>
void merge(Context& context, std::vector<Range<Entry>> ranges, int64_t* out) {
  const auto later = [](const Range<Entry>& a, const Range<Entry>& b) { return *b.at < *a.at; };
  std::erase_if(ranges, [](const Range<Entry>& range) { return range.at == range.end; });
  std::make_heap(ranges.begin(), ranges.end(), later);
  int64_t until_poll = merge_poll;
  while (!ranges.empty()) {
    std::pop_heap(ranges.begin(), ranges.end(), later);
    auto& lowest = ranges.back();
    // As long as the range stays lowest nothing else moves.
    do {
      *out++ = lowest.at++->row;
      if (--until_poll == 0) {
        context.check_cancelled();
        until_poll = merge_poll;
      }
    } while (lowest.at != lowest.end && (ranges.size() == 1 || *lowest.at < *ranges.front().at));
    if (lowest.at == lowest.end)
      ranges.pop_back();
    else
      std::push_heap(ranges.begin(), ranges.end(), later);
  }
}

template <typename Entry>
BufferPtr merge_runs(Context& context, const std::vector<Run<Entry>>& runs, int64_t rows, const Parallel& parallel) {
  auto order = context.memory().allocate(static_cast<size_t>(rows) * sizeof(int64_t));
  auto* out = order->as<int64_t>();
  const int64_t parts = std::clamp<int64_t>(rows / morsel_rows, 1, 4L * context.settings().threads);
  const auto cuts = splitters(runs, parts);
  // Entries below cut i lie before bound[i + 1] of each run.
  const auto part_count = static_cast<int64_t>(cuts.size()) + 1;
  std::vector<std::vector<Range<Entry>>> ranges(static_cast<size_t>(part_count));
  std::vector<int64_t> starts(static_cast<size_t>(part_count) + 1, 0);
  for (const auto& run : runs) {
    const Entry* at = run.begin();
    for (int64_t part = 0; part < part_count; ++part) {
      const Entry* end = part + 1 == part_count ? run.end()
                                                : std::lower_bound(at, static_cast<const Entry*>(run.end()),
                                                                   cuts[static_cast<size_t>(part)]);
      ranges[static_cast<size_t>(part)].push_back({at, end});
      starts[static_cast<size_t>(part) + 1] += end - at;
      at = end;
    }
  }
  for (size_t part = 1; part < starts.size(); ++part) starts[part] += starts[part - 1];
  parallel(part_count, [&](int64_t part) {
    merge(context, std::move(ranges[static_cast<size_t>(part)]), out + starts[static_cast<size_t>(part)]);
  });
  return order;
}

// First chunks of the runs, and the end: small chunks go together.
std::vector<size_t> run_bounds(const std::vector<Batch>& chunks) {
  std::vector<size_t> bounds{0};
  int64_t rows = 0;
  for (size_t chunk = 0; chunk < chunks.size(); ++chunk) {
    if (rows > 0 && rows + chunks[chunk].rows > run_rows) {
      bounds.push_back(chunk);
      rows = 0;
    }
    rows += chunks[chunk].rows;
  }
  bounds.push_back(chunks.size());
  return bounds;
}

// Row ids in order. Empties `keys`, the key columns by chunk.
template <typename Entry>
BufferPtr sort_rows(Context& context, const std::vector<KeyOrder>& order, std::vector<Batch> keys,
                    const Parallel& parallel) {
  int64_t rows = 0;
  for (const auto& chunk : keys) rows += chunk.rows;
  const auto bounds = run_bounds(keys);
  std::vector<Run<Entry>> runs(bounds.size() - 1);
  parallel(static_cast<int64_t>(runs.size()), [&](int64_t i) {
    const auto run = static_cast<size_t>(i);
    runs[run] = make_run<Entry>(context.memory(), order, keys, bounds[run], bounds[run + 1]);
  });
  keys.clear();
  return merge_runs(context, runs, rows, parallel);
}

class SortedReader : public Reader {
 public:
  SortedReader(Context& context, const Sorted& sorted, int64_t start, int64_t end)
      : context_(context), sorted_(sorted), at_(start), end_(end) {}

  bool next(Batch& batch) override {
    const int64_t rows = std::min(sorted_.step, end_ - at_);
    if (rows <= 0) return false;
    batch = sorted_.rows->gather(context_.memory(), sorted_.order->as<const int64_t>() + at_, rows);
    at_ += rows;
    return true;
  }

 private:
  Context& context_;
  const Sorted& sorted_;
  int64_t at_;
  int64_t end_;
};

class SortedSource : public Source {
 public:
  SortedSource(Context& context, std::function<std::shared_ptr<const Sorted>()> get)
      : context_(context), get_(std::move(get)) {}
  void prepare(const Parallel&) override { sorted_ = get_(); }
  int64_t morsels() override { return (sorted_->rows->rows() + morsel_rows - 1) / morsel_rows; }
  std::unique_ptr<Reader> open(int64_t morsel) override {
    const int64_t start = morsel * morsel_rows;
    return std::make_unique<SortedReader>(context_, *sorted_, start,
                                          std::min(sorted_->rows->rows(), start + morsel_rows));
  }

 private:
  Context& context_;
  std::function<std::shared_ptr<const Sorted>()> get_;
  std::shared_ptr<const Sorted> sorted_;
};

class SortSink : public StoringSink {
 public:
  SortSink(Context& context, std::shared_ptr<const plan::Plan> plan, const std::vector<plan::SortKey>& keys)
      : context_(context), plan_(std::move(plan)), keys_(keys) {
    for (const auto& key : keys) order_.push_back({plan_->exprs[key.expr].type, key.descending, key.nulls_first});
  }

  std::unique_ptr<Source> source() override {
    auto self = std::static_pointer_cast<SortSink>(shared_from_this());
    return std::make_unique<SortedSource>(context_, [self] { return self->sorted_; });
  }

  std::unique_ptr<Sink::Local> make_local() override { return std::make_unique<State>(*this); }

  void consume(Local& local, int64_t, Batch&& batch) override {
    auto& state = static_cast<State&>(local);
    Batch with_keys = batch;
    for (auto& evaluator : state.evaluators) with_keys.columns.push_back(evaluator.evaluate(batch));
    state.collector.add(std::move(with_keys));
  }

  void end_morsel(Local& local, int64_t morsel) override {
    auto batches = static_cast<State&>(local).collector.take();
    if (batches.empty()) return;
    std::lock_guard lock(mutex_);
    morsels_[morsel] = std::move(batches);
  }

  void finish(const Parallel& parallel) override {
    auto sorted = std::make_shared<Sorted>();
    std::vector<Batch> keys;
    auto chunks = split_keys(keys);
    sorted->step = context_.settings().batch_rows;
    for (const auto& chunk : chunks) sorted->step = std::min(sorted->step, vector_rows(context_, chunk));
    sorted->rows = std::make_shared<ChunkedRows>(std::move(chunks));
    if (sorted->rows->rows() > 0) {
      const auto order = order_of(keys);
      const int64_t bytes = fixed_key_bytes(order);
      const bool narrow = bytes > 0 && bytes <= 8;
      sorted->order = narrow ? sort_rows<NarrowEntry>(context_, order, std::move(keys), parallel)
                             : sort_rows<SortEntry>(context_, order, std::move(keys), parallel);
    }
    sorted_ = std::move(sorted);
  }

 private:
  struct State : Local {
    explicit State(SortSink& sink) : collector(sink.context_) {
      for (const auto& key : sink.keys_) evaluators.emplace_back(sink.context_, sink.plan_, key.expr);
    }
    Collector collector;
    std::vector<Evaluator> evaluators;
  };

  // All chunks in input order; their key columns, which are the last, go to `keys`. Empties the morsels.
  std::vector<Batch> split_keys(std::vector<Batch>& keys) {
    std::vector<Batch> chunks;
    for (auto& [morsel, list] : morsels_) {
      for (auto& batch : list) {
        const auto payload = batch.columns.end() - static_cast<int64_t>(keys_.size());
        keys.push_back({batch.rows, {payload, batch.columns.end()}});
        batch.columns.erase(payload, batch.columns.end());
        chunks.push_back(std::move(batch));
      }
    }
    morsels_.clear();
    return chunks;
  }

  // The order, told which keys have no NULL.
  std::vector<KeyOrder> order_of(const std::vector<Batch>& keys) const {
    auto order = order_;
    for (size_t i = 0; i < order.size(); ++i) {
      order[i].nullable =
          std::any_of(keys.begin(), keys.end(), [&](const Batch& chunk) { return chunk.columns[i]->null_count > 0; });
    }
    return order;
  }

  Context& context_;
  std::shared_ptr<const plan::Plan> plan_;
  const std::vector<plan::SortKey>& keys_;  // of the plan
  std::vector<KeyOrder> order_;
  std::mutex mutex_;
  std::map<int64_t, std::vector<Batch>> morsels_;
  std::shared_ptr<const Sorted> sorted_;
};

}  // namespace

std::shared_ptr<StoringSink> make_sort(Context& context, std::shared_ptr<const plan::Plan> plan,
                                       const std::vector<plan::SortKey>& keys) {
  return std::make_shared<SortSink>(context, std::move(plan), keys);
}

}  // namespace quern::cpu
