#include "exec/device_scan.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>

#include "cpu/scan_constants.hpp"
#include "cpu/scan_select.hpp"
#include "cpu/table.hpp"
#include "exec/group_load.hpp"

namespace quern {

namespace {

using plan::NodeIndex;

// Row groups are loaded ahead of the one that the device decodes while their bytes are within this.
constexpr int64_t bytes_ahead = 2LL << 30;

// The row groups of a scan, in order, and the pieces of work that bring them to the device.
class ScanLoad {
 public:
  ScanLoad(Context& context, cpu::FileCache& files, std::shared_ptr<const plan::Plan> plan, NodeIndex node,
           std::shared_ptr<cpu::JoinFilters> filters, QueryMetrics& metrics)
      : context_(context),
        files_(files),
        plan_(std::move(plan)),
        scan_(std::get<plan::Scan>(plan_->nodes[static_cast<size_t>(node)].op)),
        filters_(std::move(filters)),
        counters_(metrics.node(node).counters) {}

  void set_run(cuda::Run* run) { run_ = run; }

  void prepare(const Parallel& parallel) {
    keys_ = cpu::key_filters(scan_, *filters_);
    layouts_.resize(scan_.files.size());
    std::vector<std::vector<std::unique_ptr<GroupLoad>>> by_file(scan_.files.size());
    parallel(static_cast<int64_t>(scan_.files.size()), [&](int64_t i) {
      const auto file = static_cast<size_t>(i);
      layouts_[file] = cpu::read_layout(files_, scan_, scan_.files[file]);
    });
    int64_t rows = 0;
    for (auto& layout : layouts_) {
      layout.first_row = rows;
      for (const int64_t of_group : layout.group_rows) rows += of_group;
    }
    parallel(static_cast<int64_t>(scan_.files.size()), [&](int64_t i) {
      const auto file = static_cast<size_t>(i);
      by_file[file] = groups_of(layouts_[file]);
    });
    for (auto& groups : by_file) {
      for (auto& group : groups) groups_.push_back(std::move(group));
    }
    parallel(static_cast<int64_t>(groups_.size()), [&](int64_t i) { groups_[static_cast<size_t>(i)]->plan(*run_); });
    bytes_before_.push_back(0);
    for (size_t group = 0; group < groups_.size(); ++group) {
      for (int64_t piece = 0; piece < groups_[group]->pieces(); ++piece) pieces_.push_back({group, piece});
      left_.push_back(groups_[group]->pieces());
      bytes_before_.push_back(bytes_before_.back() + groups_[group]->bytes());
    }
  }

  struct Piece {
    size_t group = 0;
    int64_t piece = 0;
  };
  const std::vector<Piece>& pieces() const { return pieces_; }
  GroupLoad& group(size_t index) { return *groups_[index]; }
  size_t groups() const { return groups_.size(); }
  int64_t& left(size_t group) { return left_[group]; }
  // Bytes of the groups from `first` up to and with `last`.
  int64_t bytes(size_t first, size_t last) const { return bytes_before_[last + 1] - bytes_before_[first]; }
  void drop(size_t group) { groups_[group].reset(); }

 private:
  std::vector<std::unique_ptr<GroupLoad>> groups_of(const cpu::FileLayout& layout) {
    std::vector<std::unique_ptr<GroupLoad>> out;
    const auto constants = cpu::scan_constants(context_, scan_, layout);
    const auto file = cpu::open_scan_file(files_, scan_, layout.path);
    int64_t first_row = 0;
    auto& metrics = context_.metrics();
    for (size_t group = 0; group < layout.group_rows.size(); ++group) {
      const int64_t rows = layout.group_rows[group];
      const auto number = static_cast<int32_t>(group);
      const cpu::ScanFilter own{*plan_, scan_, no_keys_, counters_, layout, layout.first_row + first_row, constants};
      auto ranges = cpu::select_ranges(context_, own, file->parquet(), number);
      // Row groups as a whole: what joins drop of the others costs the device less than ranges of rows cost the host.
      const cpu::ScanFilter by_keys{*plan_, scan_, keys_, counters_, layout, layout.first_row + first_row, constants};
      if (!keys_.empty() && !ranges.empty() && !cpu::group_may_match(context_, by_keys, file->parquet(), number))
        ranges.clear();
      ++(ranges.empty() && rows > 0 ? metrics.row_groups_skipped : metrics.row_groups_read);
      if (!ranges.empty() && rows > 0) {
        out.push_back(std::make_unique<GroupLoad>(
            context_, files_, GroupLoad::Place{&scan_, &layout, number, first_row, std::move(ranges), constants}));
      }
      first_row += rows;
    }
    return out;
  }

  Context& context_;
  cpu::FileCache& files_;
  std::shared_ptr<const plan::Plan> plan_;
  const plan::Scan& scan_;
  std::shared_ptr<cpu::JoinFilters> filters_;
  NodeCounters& counters_;
  const std::vector<cpu::ScanKeyFilter> no_keys_;
  std::vector<cpu::ScanKeyFilter> keys_;
  cuda::Run* run_ = nullptr;
  std::vector<cpu::FileLayout> layouts_;
  std::vector<std::unique_ptr<GroupLoad>> groups_;
  std::vector<Piece> pieces_;
  std::vector<int64_t> left_;          // pieces of each group that are not loaded
  std::vector<int64_t> bytes_before_;  // of the groups before each
};

class NoRows : public Reader {
 public:
  bool next(Batch&) override { return false; }
};

class PageSource final : public Source {
 public:
  explicit PageSource(std::shared_ptr<ScanLoad> load) : load_(std::move(load)) {}
  void prepare(const Parallel& parallel) override { load_->prepare(parallel); }
  int64_t morsels() override { return static_cast<int64_t>(load_->pieces().size()); }
  std::unique_ptr<Reader> open(int64_t) override { return std::make_unique<NoRows>(); }

 private:
  std::shared_ptr<ScanLoad> load_;
};

class PageSink final : public StoringSink {
 public:
  PageSink(Context& context, std::shared_ptr<const plan::Plan> plan, DeviceRun run, std::shared_ptr<ScanLoad> load,
           QueryMetrics& metrics)
      : context_(context), plan_(std::move(plan)), run_(std::move(run)), metrics_(metrics), load_(std::move(load)) {
    load_->set_run(run_.run.get());
  }

  std::unique_ptr<Local> make_local() override { return std::make_unique<Local>(); }
  void consume(Local&, int64_t, Batch&&) override { throw internal_error("rows of pages"); }

  void end_morsel(Local&, int64_t morsel) override {
    const auto [group, piece] = load_->pieces()[static_cast<size_t>(morsel)];
    wait_for_room(group);
    if (done_) return;
    load_->group(group).load(piece, *run_.run);
    std::unique_lock lock(mutex_);
    --load_->left(group);
    send_complete(lock);
  }

  void finish(const Parallel&) override {
    auto table = std::make_shared<cpu::Table>();
    on_device(context_, plan_, run_, [&] { table->batches = run_.finish(context_, *plan_); });
    run_.count_rows(metrics_);
    auto cost = run_.run->metrics();
    cost.device_chunks = device_chunks_;
    cost.cached_chunks = cached_chunks_;
    cost.host_chunks.assign(host_chunks_.begin(), host_chunks_.end());
    metrics_.add_device(run_.end, cost);
    run_ = {};
    table_ = std::move(table);
  }

  bool done() const override { return done_; }

  std::unique_ptr<Source> source() override {
    auto self = std::static_pointer_cast<PageSink>(shared_from_this());
    return std::make_unique<cpu::TableSource>(context_, [self] { return self->table_; });
  }

 private:
  // Pieces are taken in order, so that whoever waits waits for groups whose pieces others have.
  void wait_for_room(size_t group) {
    std::unique_lock lock(mutex_);
    while (!done_ && group != next_ && load_->bytes(next_, group) > bytes_ahead) {
      sent_.wait_for(lock, std::chrono::milliseconds(20));
      lock.unlock();
      context_.check_cancelled();
      lock.lock();
    }
  }

  // Complete groups go into the chain in order; one thread at a time works with the device while the others load.
  void send_complete(std::unique_lock<std::mutex>& lock) {
    while (!busy_ && !done_ && next_ < load_->groups() && load_->left(next_) == 0) {
      busy_ = true;
      lock.unlock();
      try {
        send(load_->group(next_));
      } catch (...) {
        lock.lock();
        busy_ = false;
        throw;
      }
      lock.lock();
      busy_ = false;
      load_->drop(next_++);
      sent_.notify_all();
    }
  }

  void send(GroupLoad& group) {
    on_device(context_, plan_, run_, [&] { run_.run->consume(group.finish()); });
    if (run_.run->done()) done_ = true;
    device_chunks_ += group.device_chunks();
    cached_chunks_ += group.cached_chunks();
    for (const auto& reason : group.host_chunks()) ++host_chunks_[reason];
  }

  Context& context_;
  std::shared_ptr<const plan::Plan> plan_;
  DeviceRun run_;
  QueryMetrics& metrics_;
  std::shared_ptr<ScanLoad> load_;
  std::mutex mutex_;
  std::condition_variable sent_;
  size_t next_ = 0;  // group that goes into the chain next
  bool busy_ = false;
  std::atomic<bool> done_{false};  // no further row can change the result
  int64_t device_chunks_ = 0;
  int64_t cached_chunks_ = 0;
  std::map<std::string, int64_t> host_chunks_;  // by reason
  cpu::TablePtr table_;
};

}  // namespace

DeviceScan make_device_scan(Context& context, cpu::FileCache& files, std::shared_ptr<const plan::Plan> plan,
                            DeviceRun run, QueryMetrics& metrics) {
  auto load = std::make_shared<ScanLoad>(context, files, plan, run.source, run.filters, metrics);
  DeviceScan out;
  out.source = std::make_unique<PageSource>(load);
  out.sink = std::make_shared<PageSink>(context, std::move(plan), std::move(run), std::move(load), metrics);
  return out;
}

}  // namespace quern
