#include "exec/device_sink.hpp"

#include <atomic>
#include <map>
#include <mutex>

#include "cpu/table.hpp"

namespace quern {

namespace {

// Rows go to the device when so much has come together.
constexpr int64_t chunk_bytes = 64 << 20;

struct DeviceLocal : Sink::Local {
  explicit DeviceLocal(Context& context) : collector(context) {}
  cpu::Collector collector;
};

class DeviceSink final : public StoringSink {
 public:
  DeviceSink(Context& context, std::shared_ptr<const plan::Plan> plan, DeviceRun run, QueryMetrics& metrics)
      : context_(context), plan_(std::move(plan)), run_(std::move(run)), metrics_(metrics) {}

  std::unique_ptr<Local> make_local() override { return std::make_unique<DeviceLocal>(context_); }

  void consume(Local& local, int64_t, Batch&& batch) override {
    static_cast<DeviceLocal&>(local).collector.add(std::move(batch));
  }

  // Morsels go to the device in order; whoever completes the next one takes what has come together, and one thread at a
  // time works with the device while the others read on.
  void end_morsel(Local& local, int64_t morsel) override {
    auto batches = static_cast<DeviceLocal&>(local).collector.take();
    std::unique_lock lock(mutex_);
    morsels_[morsel] = std::move(batches);
    collect();
    while (!busy_ && !done_ && pending_bytes_ >= chunk_bytes) {
      auto chunk = take();
      busy_ = true;
      lock.unlock();
      try {
        send(chunk);
      } catch (...) {
        lock.lock();
        busy_ = false;
        throw;
      }
      lock.lock();
      busy_ = false;
    }
  }

  void finish(const Parallel&) override {
    for (auto& [morsel, batches] : morsels_) append(std::move(batches));
    morsels_.clear();
    if (!pending_.empty() && !done_) send(take());
    auto table = std::make_shared<cpu::Table>();
    on_device(context_, plan_, run_, [&] { table->batches = run_.finish(context_, *plan_); });
    metrics_.node(run_.source).rows += entered_;
    run_.count_rows(metrics_);
    metrics_.add_device(run_.end, run_.run->metrics());
    run_ = {};
    table_ = std::move(table);
  }

  bool done() const override { return done_; }

  std::unique_ptr<Source> source() override {
    auto self = std::static_pointer_cast<DeviceSink>(shared_from_this());
    return std::make_unique<cpu::TableSource>(context_, [self] { return self->table_; });
  }

 private:
  void append(std::vector<Batch>&& batches) {
    for (auto& batch : batches) {
      pending_bytes_ += batch.rows;
      for (const auto& column : batch.columns) pending_bytes_ += row_bytes(*column);
      pending_.push_back(std::move(batch));
    }
  }

  void collect() {
    for (auto found = morsels_.find(next_); found != morsels_.end(); found = morsels_.find(++next_)) {
      append(std::move(found->second));
      morsels_.erase(found);
    }
  }

  std::vector<Batch> take() {
    pending_bytes_ = 0;
    return std::exchange(pending_, {});
  }

  void send(const std::vector<Batch>& batches) {
    for (const auto& batch : batches) entered_ += batch.rows;
    on_device(context_, plan_, run_, [&] { run_.run->consume(batches); });
    if (run_.run->done()) done_ = true;
  }

  Context& context_;
  std::shared_ptr<const plan::Plan> plan_;
  DeviceRun run_;
  QueryMetrics& metrics_;
  std::mutex mutex_;
  std::map<int64_t, std::vector<Batch>> morsels_;  // complete, after a gap
  int64_t next_ = 0;
  std::vector<Batch> pending_;
  int64_t pending_bytes_ = 0;
  bool busy_ = false;
  std::atomic<bool> done_{false};  // no further row can change the result
  int64_t entered_ = 0;            // rows that went to the device
  cpu::TablePtr table_;
};

}  // namespace

std::shared_ptr<StoringSink> make_device_sink(Context& context, std::shared_ptr<const plan::Plan> plan, DeviceRun run,
                                              QueryMetrics& metrics) {
  return std::make_shared<DeviceSink>(context, std::move(plan), std::move(run), metrics);
}

}  // namespace quern
