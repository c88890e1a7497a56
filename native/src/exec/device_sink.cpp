#include "exec/device_sink.hpp"

#include <algorithm>
#include <map>
#include <mutex>

#include "cpu/filter.hpp"
#include "cpu/hash_group_by.hpp"
#include "cpu/project.hpp"
#include "cpu/table.hpp"
#include "exec/device_library.hpp"

namespace quern {

namespace {

using plan::NodeIndex;

// Rows go to the device when so much has come together.
constexpr int64_t chunk_bytes = 64 << 20;

bool is_exchange(const plan::Node& node, plan::ExchangeMode mode) {
  const auto* exchange = std::get_if<plan::Exchange>(&node.op);
  return exchange != nullptr && exchange->mode == mode;
}

// From the node that reads the exchange to_device to the one that the exchange to_host reads.
std::vector<NodeIndex> chain_of(const plan::Plan& plan, NodeIndex to_host) {
  std::vector<NodeIndex> chain;
  NodeIndex at = to_host;
  for (;;) {
    const auto& inputs = plan.nodes[static_cast<size_t>(at)].inputs;
    if (inputs.size() != 1)
      throw internal_error("a chain of GPU nodes with " + std::to_string(inputs.size()) + " inputs");
    at = inputs[0];
    if (is_exchange(plan.nodes[static_cast<size_t>(at)], plan::ExchangeMode::to_device)) break;
    chain.push_back(at);
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

struct DeviceLocal : Sink::Local {
  explicit DeviceLocal(Context& context) : collector(context) {}
  cpu::Collector collector;
};

// Throws what the CPU says of a row that failed on the device.
class FailedRow {
 public:
  FailedRow(Context& context, std::shared_ptr<const plan::Plan> plan, const std::vector<NodeIndex>& chain)
      : context_(context), plan_(std::move(plan)), chain_(chain) {}

  [[noreturn]] void raise(const cuda::RowFailure& failure) {
    const auto from = std::find(chain_.begin(), chain_.end(), failure.node);
    push(from, Batch(failure.row));
    throw internal_error("the GPU refused a row that the CPU does not refuse");
  }

 private:
  void push(std::vector<NodeIndex>::const_iterator at, Batch&& batch) {
    if (at == chain_.end() || batch.rows == 0) return;
    const auto& op = plan_->nodes[static_cast<size_t>(*at)].op;
    if (std::holds_alternative<plan::HashGroupBy>(op)) {
      const auto sink = cpu::make_hash_group_by(context_, plan_, *at);
      const auto local = sink->make_local();
      sink->consume(*local, 0, std::move(batch));
      return;
    }
    std::unique_ptr<Step> step;
    if (const auto* filter = std::get_if<plan::Filter>(&op))
      step = cpu::make_filter(context_, plan_, *filter);
    else if (const auto* project = std::get_if<plan::Project>(&op))
      step = cpu::make_project(context_, plan_, *project);
    else
      throw internal_error("a GPU node that evaluates nothing");
    step->process(std::move(batch), [&](Batch&& out) { push(at + 1, std::move(out)); });
  }

  Context& context_;
  std::shared_ptr<const plan::Plan> plan_;
  const std::vector<NodeIndex>& chain_;
};

class DeviceSink final : public StoringSink {
 public:
  DeviceSink(Context& context, std::shared_ptr<const plan::Plan> plan, NodeIndex to_host, QueryMetrics& metrics)
      : context_(context),
        plan_(std::move(plan)),
        chain_(chain_of(*plan_, to_host)),
        metrics_(metrics),
        to_host_(to_host),
        run_(open_device(0).start(context, plan_, chain_)) {}

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
    while (!busy_ && pending_bytes_ >= chunk_bytes) {
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
    if (!pending_.empty()) send(take());
    auto table = std::make_shared<cpu::Table>();
    try {
      table->batches = run_->finish();
    } catch (const cuda::RowFailure& failure) {
      FailedRow(context_, plan_, chain_).raise(failure);
    }
    metrics_.node(device_source(*plan_, to_host_)).rows += entered_;
    for (const NodeIndex node : chain_) metrics_.node(node).rows += run_->rows(node);
    metrics_.add_device(to_host_, run_->metrics());
    run_.reset();
    table_ = std::move(table);
  }

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
    try {
      run_->consume(batches);
    } catch (const cuda::RowFailure& failure) {
      FailedRow(context_, plan_, chain_).raise(failure);
    }
  }

  Context& context_;
  std::shared_ptr<const plan::Plan> plan_;
  std::vector<NodeIndex> chain_;
  QueryMetrics& metrics_;
  NodeIndex to_host_;
  std::unique_ptr<cuda::Run> run_;
  std::mutex mutex_;
  std::map<int64_t, std::vector<Batch>> morsels_;  // complete, after a gap
  int64_t next_ = 0;
  std::vector<Batch> pending_;
  int64_t pending_bytes_ = 0;
  bool busy_ = false;
  int64_t entered_ = 0;  // rows that went to the device
  cpu::TablePtr table_;
};

}  // namespace

std::shared_ptr<StoringSink> make_device_sink(Context& context, std::shared_ptr<const plan::Plan> plan,
                                              NodeIndex to_host, QueryMetrics& metrics) {
  return std::make_shared<DeviceSink>(context, std::move(plan), to_host, metrics);
}

NodeIndex device_source(const plan::Plan& plan, NodeIndex to_host) {
  const auto chain = chain_of(plan, to_host);
  const NodeIndex first = chain.empty() ? to_host : chain.front();
  return plan.nodes[static_cast<size_t>(first)].inputs[0];
}

}  // namespace quern
