#include <chrono>
#include <condition_variable>
#include <mutex>

#include "cpu/hash_join.hpp"
#include "cpu/join_columns.hpp"

namespace quern::cpu {

// Counts the morsels of the first input that were joined to their end.
class JoinGate {
 public:
  void expect(int64_t morsels) {
    std::lock_guard lock(mutex_);
    left_ = morsels;
  }
  void end_one() {
    std::lock_guard lock(mutex_);
    if (--left_ == 0) ended_.notify_all();
  }
  // Morsels are handed out in ascending order, so that whoever waits here waits for morsels that others have.
  void wait(const Context& context) {
    constexpr auto poll = std::chrono::milliseconds(20);  // for cancellation
    std::unique_lock lock(mutex_);
    while (left_ > 0) {
      context.check_cancelled();
      ended_.wait_for(lock, poll);
    }
  }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  int64_t left_ = 0;
};

namespace {

class GatedReader : public Reader {
 public:
  GatedReader(std::unique_ptr<Reader> reader, JoinGate& gate) : reader_(std::move(reader)), gate_(gate) {}
  // Whoever reads lets go of the reader when the last batch went through all steps.
  ~GatedReader() override { gate_.end_one(); }
  bool next(Batch& batch) override { return reader_->next(batch); }

 private:
  std::unique_ptr<Reader> reader_;
  JoinGate& gate_;
};

class GatedSource : public Source {
 public:
  GatedSource(std::unique_ptr<Source> source, std::shared_ptr<JoinGate> gate)
      : source_(std::move(source)), gate_(std::move(gate)) {}
  void prepare(const Parallel& parallel) override {
    source_->prepare(parallel);
    gate_->expect(source_->morsels());
  }
  int64_t morsels() override { return source_->morsels(); }
  std::unique_ptr<Reader> open(int64_t morsel) override {
    return std::make_unique<GatedReader>(source_->open(morsel), *gate_);
  }

 private:
  std::unique_ptr<Source> source_;
  std::shared_ptr<JoinGate> gate_;
};

// Rows of one chunk of the table that no row of the first input matched.
class UnmatchedReader : public Reader {
 public:
  UnmatchedReader(Context& context, const plan::Plan& plan, plan::NodeIndex node, const JoinColumns& columns,
                  const JoinTable& table, JoinGate& gate, int64_t chunk)
      : context_(context), plan_(plan), node_(node), columns_(columns), table_(table), gate_(gate), chunk_(chunk) {}

  bool next(Batch& batch) override {
    if (row_ == 0) gate_.wait(context_);
    const int64_t rows = table_.payload().chunks()[static_cast<size_t>(chunk_)].rows;
    ids_.clear();
    for (; row_ < rows && static_cast<int64_t>(ids_.size()) < table_.vector_rows(); ++row_) {
      if (!table_.is_marked(chunk_, row_)) ids_.push_back(row_id(chunk_, row_));
    }
    if (ids_.empty()) return false;
    batch = Batch();
    batch.rows = static_cast<int64_t>(ids_.size());
    const auto& row = plan_.nodes[static_cast<size_t>(node_)];
    const auto& keep = std::get<plan::Join>(row.op).keep;
    for (size_t i = 0; i < keep.size(); ++i) {
      const int32_t column = keep[i];
      batch.columns.push_back(
          column < columns_.probe_count
              ? make_null_column(row.output[i].type, batch.rows)
              : table_.payload().gather_column(
                    context_.memory(),
                    static_cast<size_t>(columns_.payload_at[static_cast<size_t>(column - columns_.probe_count)]),
                    ids_.data(), batch.rows));
    }
    return true;
  }

 private:
  Context& context_;
  const plan::Plan& plan_;
  plan::NodeIndex node_;
  const JoinColumns& columns_;
  const JoinTable& table_;
  JoinGate& gate_;
  int64_t chunk_;
  int64_t row_ = 0;
  std::vector<int64_t> ids_;
};

class UnmatchedSource : public Source {
 public:
  UnmatchedSource(Context& context, std::shared_ptr<const plan::Plan> plan, plan::NodeIndex node,
                  std::shared_ptr<JoinBuild> build, std::shared_ptr<JoinGate> gate)
      : context_(context),
        plan_(std::move(plan)),
        node_(node),
        build_(std::move(build)),
        gate_(std::move(gate)),
        columns_(*plan_, node) {}

  int64_t morsels() override { return static_cast<int64_t>(build_->table().payload().chunks().size()); }
  std::unique_ptr<Reader> open(int64_t morsel) override {
    return std::make_unique<UnmatchedReader>(context_, *plan_, node_, columns_, build_->table(), *gate_, morsel);
  }

 private:
  Context& context_;
  std::shared_ptr<const plan::Plan> plan_;
  plan::NodeIndex node_;
  std::shared_ptr<JoinBuild> build_;
  std::shared_ptr<JoinGate> gate_;
  JoinColumns columns_;
};

}  // namespace

std::shared_ptr<JoinGate> make_join_gate() { return std::make_shared<JoinGate>(); }

std::unique_ptr<Source> make_gated(std::unique_ptr<Source> source, std::shared_ptr<JoinGate> gate) {
  return std::make_unique<GatedSource>(std::move(source), std::move(gate));
}

std::unique_ptr<Source> make_join_unmatched(Context& context, std::shared_ptr<const plan::Plan> plan,
                                            plan::NodeIndex node, std::shared_ptr<JoinBuild> build,
                                            std::shared_ptr<JoinGate> gate) {
  return std::make_unique<UnmatchedSource>(context, std::move(plan), node, std::move(build), std::move(gate));
}

}  // namespace quern::cpu
