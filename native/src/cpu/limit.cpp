#include "cpu/limit.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

namespace quern::cpu {

namespace {

// A morsel gives at most `need` rows, whatever the others give. Once the morsels that have ended without a gap hold so
// many, nothing later counts.
class LimitSink : public StoringSink {
 public:
  LimitSink(Context& context, const plan::Limit& limit) : context_(context), offset_(limit.offset) {
    constexpr int64_t all = std::numeric_limits<int64_t>::max();
    need_ = !limit.limit || *limit.limit > all - offset_ ? all : offset_ + *limit.limit;
    if (limit.limit && *limit.limit == 0) done_ = true;
  }

  std::unique_ptr<Source> source() override {
    auto self = std::static_pointer_cast<LimitSink>(shared_from_this());
    return std::make_unique<TableSource>(context_, [self] { return self->table_; });
  }

  std::unique_ptr<Sink::Local> make_local() override { return std::make_unique<State>(context_); }

  void consume(Local& local, int64_t, Batch&& batch) override {
    auto& state = static_cast<State&>(local);
    const int64_t rows = std::min(batch.rows, need_ - state.rows);
    if (rows == 0) return;
    state.rows += rows;
    state.collector.add(rows == batch.rows ? std::move(batch) : slice(context_.memory(), batch, 0, rows));
  }

  bool morsel_done(const Local& local) const override { return static_cast<const State&>(local).rows >= need_; }

  void end_morsel(Local& local, int64_t morsel) override {
    auto& state = static_cast<State&>(local);
    auto batches = state.collector.take();
    std::lock_guard lock(mutex_);
    morsels_[morsel] = {state.rows, std::move(batches)};
    state.rows = 0;
    for (auto at = morsels_.find(ended_); at != morsels_.end() && at->first == ended_; ++at, ++ended_)
      ended_rows_ += at->second.rows;
    if (ended_rows_ >= need_) done_ = true;
  }

  bool done() const override { return done_; }

  void finish(const Parallel&) override {
    auto table = std::make_shared<Table>();
    int64_t at = 0;
    for (auto& [number, morsel] : morsels_) {
      for (auto& batch : morsel.batches) {
        const int64_t start = std::max(at, offset_);
        const int64_t end = std::min(at + batch.rows, need_);
        if (start < end) table->batches.push_back(slice(context_.memory(), batch, start - at, end - start));
        at += batch.rows;
      }
    }
    morsels_.clear();
    table_ = std::move(table);
  }

 private:
  struct State : Local {
    explicit State(Context& context) : collector(context) {}
    Collector collector;
    int64_t rows = 0;  // of the current morsel
  };
  struct Morsel {
    int64_t rows = 0;
    std::vector<Batch> batches;
  };

  Context& context_;
  int64_t offset_;
  int64_t need_;  // offset + limit
  std::atomic<bool> done_{false};
  std::mutex mutex_;
  std::map<int64_t, Morsel> morsels_;
  int64_t ended_ = 0;       // morsels [0, ended_) have ended
  int64_t ended_rows_ = 0;  // what they gave
  TablePtr table_;
};

}  // namespace

std::shared_ptr<StoringSink> make_limit(Context& context, const plan::Limit& limit) {
  return std::make_shared<LimitSink>(context, limit);
}

}  // namespace quern::cpu
