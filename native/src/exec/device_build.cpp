#include "exec/device_build.hpp"

#include <map>
#include <mutex>

#include "cpu/table.hpp"

namespace quern {

namespace {

struct BuildLocal : Sink::Local {
  explicit BuildLocal(Context& context) : collector(context) {}
  cpu::Collector collector;
};

class DeviceBuild final : public Sink {
 public:
  DeviceBuild(Context& context, std::shared_ptr<const plan::Plan> plan, plan::NodeIndex join,
              std::shared_ptr<cuda::Run> run, std::shared_ptr<cpu::JoinFilters> filters, NodeMetrics& exchanged)
      : context_(context),
        plan_(std::move(plan)),
        join_(join),
        run_(std::move(run)),
        filters_(std::move(filters)),
        exchanged_(exchanged) {}

  std::unique_ptr<Local> make_local() override { return std::make_unique<BuildLocal>(context_); }

  void consume(Local& local, int64_t, Batch&& batch) override {
    static_cast<BuildLocal&>(local).collector.add(std::move(batch));
  }

  void end_morsel(Local& local, int64_t morsel) override {
    auto batches = static_cast<BuildLocal&>(local).collector.take();
    const std::lock_guard lock(mutex_);
    morsels_[morsel] = std::move(batches);
  }

  void finish(const Parallel&) override {
    std::vector<Batch> rows;
    for (auto& [morsel, batches] : morsels_) {
      for (auto& batch : batches) {
        exchanged_.rows += batch.rows;
        rows.push_back(std::move(batch));
      }
    }
    morsels_.clear();
    run_->build(join_, rows);
    set_device_filters(context_, *plan_, join_, *run_, *filters_);
    run_.reset();
  }

 private:
  Context& context_;
  std::shared_ptr<const plan::Plan> plan_;
  plan::NodeIndex join_;
  std::shared_ptr<cuda::Run> run_;
  std::shared_ptr<cpu::JoinFilters> filters_;
  NodeMetrics& exchanged_;
  std::mutex mutex_;
  std::map<int64_t, std::vector<Batch>> morsels_;
};

}  // namespace

std::shared_ptr<Sink> make_device_build(Context& context, std::shared_ptr<const plan::Plan> plan, plan::NodeIndex join,
                                        std::shared_ptr<cuda::Run> run, std::shared_ptr<cpu::JoinFilters> filters,
                                        NodeMetrics& exchanged) {
  return std::make_shared<DeviceBuild>(context, std::move(plan), join, std::move(run), std::move(filters), exchanged);
}

}  // namespace quern
