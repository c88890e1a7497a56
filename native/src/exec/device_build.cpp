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
  DeviceBuild(Context& context, std::shared_ptr<const plan::Plan> plan, plan::NodeIndex node, size_t input,
              std::shared_ptr<cuda::Run> run, std::shared_ptr<cpu::JoinFilters> filters, NodeMetrics& exchanged)
      : context_(context),
        plan_(std::move(plan)),
        node_(node),
        input_(input),
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
    if (std::holds_alternative<plan::UnionAll>(plan_->nodes[static_cast<size_t>(node_)].op)) {
      run_->add_input(node_, input_, rows);
    } else {
      run_->build(node_, rows);
      set_device_filters(context_, *plan_, node_, *run_, *filters_);
    }
    run_.reset();
  }

 private:
  Context& context_;
  std::shared_ptr<const plan::Plan> plan_;
  plan::NodeIndex node_;
  size_t input_;
  std::shared_ptr<cuda::Run> run_;
  std::shared_ptr<cpu::JoinFilters> filters_;
  NodeMetrics& exchanged_;
  std::mutex mutex_;
  std::map<int64_t, std::vector<Batch>> morsels_;
};

}  // namespace

std::shared_ptr<Sink> make_device_build(Context& context, std::shared_ptr<const plan::Plan> plan, plan::NodeIndex node,
                                        size_t input, std::shared_ptr<cuda::Run> run,
                                        std::shared_ptr<cpu::JoinFilters> filters, NodeMetrics& exchanged) {
  return std::make_shared<DeviceBuild>(context, std::move(plan), node, input, std::move(run), std::move(filters),
                                       exchanged);
}

}  // namespace quern
