#include "cuda/run.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <optional>

#include "cuda/column_cache.hpp"
#include "cuda/compiled.hpp"
#include "cuda/decode_group.hpp"
#include "cuda/device_upload.hpp"
#include "cuda/group_by.hpp"
#include "cuda/join_stage.hpp"
#include "cuda/kernel_cache.hpp"
#include "cuda/limit_stage.hpp"
#include "cuda/run_costs.hpp"
#include "cuda/sort_stage.hpp"
#include "cuda/stream_stage.hpp"
#include "cuda/unnest_stage.hpp"

namespace quern::cuda {

namespace {

using plan::NodeIndex;

// Rows of a batch on the device: row numbers have 32 bits, and a few go to rounding.
constexpr int64_t most_rows = (1LL << 31) - 1024;

class ChainRun final : public Run {
 public:
  ChainRun(Device& device, Context& context, std::shared_ptr<const plan::Plan> plan, std::vector<NodeIndex> chain)
      : device_(device),
        context_(context),
        plan_(std::move(plan)),
        layout_{context.settings().list_offset_limit},
        segments_(jit::segments(*plan_, chain)) {
    if (!chain.empty() && std::holds_alternative<plan::Scan>(plan_->nodes[static_cast<size_t>(chain[0])].op))
      scan_ = chain[0];
    const std::lock_guard lock(device_.mutex);
    device_.use();
    device_.memory.reset_peak();
    const RunCosts before(device_);
    if (count_joins() == 0) make_stages();
    before.add_to(metrics_, device_);
  }

  ~ChainRun() override {
    const std::lock_guard lock(device_.mutex);
    cudaSetDevice(device_.info.ordinal);
    stages_.clear();
    tables_.clear();
    inputs_.clear();
    kept_.clear();
  }

  void build(NodeIndex join, const std::vector<Batch>& batches) override {
    const std::lock_guard lock(device_.mutex);
    device_.use();
    const RunCosts before(device_);
    int64_t rows = 0;
    for (const auto& batch : batches) rows += batch.rows;
    require_rows(rows);
    add_table(join, upload(second_types(join), batches, rows));
    before.add_to(metrics_, device_);
  }

  void keep_on_device() override { keeps_ = true; }

  ColumnPtr second_column(NodeIndex join, int32_t column, int64_t limit) override {
    const std::lock_guard lock(device_.mutex);
    device_.use();
    const DeviceBatch& rows = tables_.at(join)->rows();
    if (rows.rows > limit) return nullptr;
    const RunCosts before(device_);
    auto out = to_host(device_, context_.memory(), *rows.columns.at(static_cast<size_t>(column)));
    before.add_to(metrics_, device_);
    return out;
  }

  void build_from(NodeIndex join, Run& other) override {
    auto& run = dynamic_cast<ChainRun&>(other);
    const std::lock_guard lock(device_.mutex);
    device_.use();
    const RunCosts before_rows(device_);
    run.end_stages();
    before_rows.add_to(run.metrics_, device_);
    const RunCosts before(device_);
    DeviceBatch rows;
    for (const auto& batch : run.kept_) rows.rows += batch.rows;
    require_rows(rows.rows);
    const auto types = second_types(join);
    if (run.kept_.empty()) rows = upload(types, {}, 0);
    for (size_t i = 0; i < types.size() && !run.kept_.empty(); ++i) {
      std::vector<DeviceColumnPtr> pieces;
      for (const auto& batch : run.kept_) pieces.push_back(batch.columns[i]);
      rows.columns.push_back(concat(device_, layout_, pieces));
    }
    run.kept_.clear();
    add_table(join, std::move(rows));
    before.add_to(metrics_, device_);
  }

  void add_input(NodeIndex union_all, size_t input, const std::vector<Batch>& batches) override {
    const std::lock_guard lock(device_.mutex);
    device_.use();
    const RunCosts before(device_);
    const auto types = types_of(plan_->nodes[static_cast<size_t>(union_all)].inputs.at(input));
    for_pieces(types, batches, [&](DeviceBatch&& rows) { inputs_[union_all][input].push_back(std::move(rows)); });
    before.add_to(metrics_, device_);
  }

  void add_input_from(NodeIndex union_all, size_t input, Run& other) override {
    auto& run = dynamic_cast<ChainRun&>(other);
    const std::lock_guard lock(device_.mutex);
    device_.use();
    const RunCosts before(device_);
    run.end_stages();
    before.add_to(run.metrics_, device_);
    inputs_[union_all][input] = std::move(run.kept_);
    run.kept_.clear();
  }

  void consume(const std::vector<Batch>& batches) override {
    const std::lock_guard lock(device_.mutex);
    device_.use();
    const RunCosts before(device_);
    for_pieces(segments_[0].input, batches, [&](DeviceBatch&& rows) { process(0, rows); });
    before.add_to(metrics_, device_);
  }

  std::shared_ptr<Upload> make_upload(int64_t bytes) override {
    return std::make_shared<DeviceUpload>(device_, bytes, uploaded_);
  }

  std::shared_ptr<const void> cached(const std::string& key) override {
    return device_.columns->find(cache_key(layout_, key));
  }

  void consume(const EncodedGroup& group) override {
    const std::lock_guard lock(device_.mutex);
    device_.use();
    const RunCosts before(device_);
    if (group.rows > most_rows) throw internal_error("a row group of too many rows");
    const DeviceBatch batch = decode_group(device_, context_.memory(), layout_, group);
    if (counts_whole_groups()) rows_[*scan_] += batch.rows;
    process(0, batch);
    before.add_to(metrics_, device_);
    context_.check_cancelled();
  }

  bool done() const override {
    return std::any_of(stages_.begin(), stages_.end(), [](const Stage& at) { return at.limit && at.limit->full(); });
  }

  std::vector<Batch> finish() override {
    const std::lock_guard lock(device_.mutex);
    device_.use();
    const RunCosts before(device_);
    end_stages();
    before.add_to(metrics_, device_);
    return std::move(results_);
  }

  RunMetrics metrics() const override {
    RunMetrics out = metrics_;
    out.bytes_to_device += *uploaded_;
    return out;
  }
  int64_t rows(NodeIndex node) const override {
    const auto found = rows_.find(node);
    return found == rows_.end() ? 0 : found->second;
  }

 private:
  struct Stage {
    std::unique_ptr<StreamStage> stream;
    std::unique_ptr<GroupBy> group;
    std::unique_ptr<SortStage> sort;
    std::unique_ptr<JoinStage> join;
    std::unique_ptr<LimitStage> limit;
    std::unique_ptr<UnnestStage> unnest;
  };

  std::vector<TypePtr> types_of(NodeIndex node) const {
    std::vector<TypePtr> out;
    for (const auto& field : plan_->nodes[static_cast<size_t>(node)].output) out.push_back(field.type);
    return out;
  }
  std::vector<TypePtr> second_types(NodeIndex join) const {
    return types_of(plan_->nodes[static_cast<size_t>(join)].inputs[1]);
  }

  // Rows of a scan with a filter or a limit are counted behind these.
  bool counts_whole_groups() const {
    if (!scan_) return false;
    const auto& scan = std::get<plan::Scan>(plan_->nodes[static_cast<size_t>(*scan_)].op);
    return scan.filter.empty() && !scan.limit;
  }

  // Rows of the host as batches of the device, as large as these may be.
  template <typename Visit>
  void for_pieces(const std::vector<TypePtr>& types, const std::vector<Batch>& batches, Visit visit) {
    size_t first = 0;
    while (first < batches.size()) {
      int64_t rows = 0;
      size_t last = first;
      do {
        rows += batches[last++].rows;
      } while (last < batches.size() && rows + batches[last].rows <= most_rows);
      if (rows > most_rows) throw internal_error("a batch of too many rows");
      visit(upload(
          types,
          {batches.begin() + static_cast<std::ptrdiff_t>(first), batches.begin() + static_cast<std::ptrdiff_t>(last)},
          rows));
      first = last;
      context_.check_cancelled();
    }
  }

  static void require_rows(int64_t rows) {
    if (rows > most_rows)
      throw unsupported("a join with a table of " + std::to_string(rows) + " rows on the GPU")
          .with_hint("use --device cpu");
  }

  void add_table(NodeIndex join, DeviceBatch rows) {
    const auto segment =
        std::find_if(segments_.begin(), segments_.end(), [&](const auto& part) { return part.join == join; });
    if (segment == segments_.end()) throw internal_error("rows of a join that the chain has not");
    auto table = make_join_table(device_, *plan_, *segment, layout_, std::move(rows));
    metrics_.indexes.emplace_back(join, table->name());
    tables_[join] = std::move(table);
    if (static_cast<int64_t>(tables_.size()) == count_joins()) make_stages();
  }

  // What group-bys and sorts hold goes on, and what unions take behind their first input.
  void end_stages() {
    for (size_t i = 0; i < stages_.size(); ++i) {
      if (segments_[i].union_all) {
        for (const auto& [input, batches] : inputs_[*segments_[i].union_all]) {
          for (const auto& batch : batches) pass(i, *segments_[i].union_all, batch);
        }
        inputs_.erase(*segments_[i].union_all);
      }
      if (stages_[i].sort) {
        const DeviceBatch rows = stages_[i].sort->finish();
        rows_[*segments_[i].sort] += rows.rows;
        if (rows.rows > 0) process(i + 1, rows);
      }
      if (stages_[i].join) {
        stages_[i].join->finish([&](const DeviceBatch& rows) {
          rows_[*segments_[i].join] += rows.rows;
          process(i + 1, rows);
        });
      }
      if (!stages_[i].group) continue;
      const DeviceBatch groups = stages_[i].group->finish();
      metrics_.tiers.emplace_back(*segments_[i].group, tier_text(i));
      rows_[*segments_[i].group] += groups.rows;
      for (const NodeIndex filter : segments_[i].filters) rows_[filter] += stages_[i].group->passed();
      if (segments_[i].project) rows_[*segments_[i].project] += stages_[i].group->passed();
      const auto counts = stages_[i].group->fused_counts();
      for (size_t step = 0; step < counts.size(); ++step) rows_[segments_[i].fused[step]] += counts[step];
      process(i + 1, groups);
    }
  }

  int64_t count_joins() const {
    return std::count_if(segments_.begin(), segments_.end(), [](const auto& part) { return part.join.has_value(); });
  }

  // Once all tables are there: with a key of several rows a group-by is not one kernel with its joins.
  void make_stages() {
    separate_ = segments_;
    const auto fused = jit::fused_segments(*plan_, segments_);
    const bool single =
        std::all_of(tables_.begin(), tables_.end(), [](const auto& table) { return table.second->is_single(); });
    if (fused.size() < segments_.size()) {
      fusion_ = single ? "fused" : "not fused: keys repeat";
      if (single) segments_ = fused;
    }
    make_stages_of_segments();
  }

  void make_stages_of_segments() {
    stages_.clear();
    load_all();
    for (const auto& segment : segments_) {
      Stage stage;
      if (segment.sort) {
        stage.sort = std::make_unique<SortStage>(device_, layout_, *plan_, *segment.sort);
      } else if (segment.join) {
        stage.join = std::make_unique<JoinStage>(device_, layout_, *plan_, segment, tables_.at(*segment.join));
      } else if (segment.group) {
        stage.group = std::make_unique<GroupBy>(device_, *plan_, segment, GroupTiers{}, layout_);
        if (!segment.fused.empty()) stage.group->look_into(tables_of(segment), segment.fused.size());
      } else if (segment.limit) {
        stage.limit = std::make_unique<LimitStage>(device_, layout_, plan_->nodes[static_cast<size_t>(*segment.limit)]);
      } else if (segment.unnest) {
        stage.unnest = std::make_unique<UnnestStage>(device_, layout_, *plan_, segment);
      } else if (!segment.union_all) {
        stage.stream = std::make_unique<StreamStage>(device_, layout_, *plan_, segment);
      }
      stages_.push_back(std::move(stage));
    }
  }

  std::vector<std::shared_ptr<DeviceJoinTable>> tables_of(const jit::Segment& segment) const {
    std::vector<std::shared_ptr<DeviceJoinTable>> out;
    for (const NodeIndex node : segment.fused) {
      if (const auto found = tables_.find(node); found != tables_.end()) out.push_back(found->second);
    }
    return out;
  }

  // All kernels of the run at once: they compile side by side.
  void load_all() {
    std::vector<jit::KernelText> texts;
    for (const auto& segment : segments_) {
      if (segment.join) {
        for (auto& text : jit::kernel_texts(*plan_, segment)) {
          if (text.name != "key_rows") texts.push_back(std::move(text));  // compiled before
        }
        continue;
      }
      if (segment.group) {
        for (auto& text : jit::group_texts(*plan_, segment).now()) texts.push_back(std::move(text));
        continue;
      }
      for (auto& text : jit::kernel_texts(*plan_, segment)) texts.push_back(std::move(text));
    }
    device_.kernels->load(texts);
  }

  DeviceBatch upload(const std::vector<TypePtr>& types, const std::vector<Batch>& batches, int64_t rows) {
    DeviceBatch out;
    out.rows = rows;
    for (size_t i = 0; i < types.size(); ++i) {
      std::vector<ColumnPtr> pieces;
      for (const auto& batch : batches) pieces.push_back(batch.columns[i]);
      out.columns.push_back(to_device(device_, context_.memory(), layout_, types[i], pieces));
    }
    return out;
  }

  void process(size_t stage, const DeviceBatch& batch) {
    if (stage == stages_.size()) return keep(batch);
    if (stages_[stage].sort) return stages_[stage].sort->update(batch);
    uint64_t failed = no_failure;
    if (stages_[stage].join) {
      failed = stages_[stage].join->process(
          batch, [&](const DeviceBatch& piece) { pass(stage, *segments_[stage].join, piece); });
      if (failed != no_failure) fail(stage, batch, failed);
      return;
    }
    if (segments_[stage].union_all) return pass(stage, *segments_[stage].union_all, batch);
    if (stages_[stage].limit) return pass(stage, *segments_[stage].limit, stages_[stage].limit->process(batch));
    if (stages_[stage].unnest) {
      stages_[stage].unnest->process(batch, failed,
                                     [&](const DeviceBatch& piece) { pass(stage, *segments_[stage].unnest, piece); });
      if (failed != no_failure) fail(stage, batch, failed);
      return;
    }
    if (stages_[stage].group) {
      failed = stages_[stage].group->update(batch);
      if (failed != no_failure) fail(stage, batch, failed);
      return;
    }
    const DeviceBatch out = stages_[stage].stream->process(batch, failed);
    if (failed != no_failure) fail(stage, batch, failed);
    for (const NodeIndex filter : segments_[stage].filters) {
      if (!is_limited_scan(filter)) rows_[filter] += out.rows;
    }
    if (segments_[stage].project) rows_[*segments_[stage].project] += out.rows;
    process(stage + 1, out);
  }

  // Rows that `node` gave.
  void pass(size_t stage, NodeIndex node, const DeviceBatch& batch) {
    rows_[node] += batch.rows;
    context_.check_cancelled();
    if (batch.rows > 0) process(stage + 1, batch);
  }

  // Its rows are counted behind the limit.
  bool is_limited_scan(NodeIndex node) const {
    const auto* scan = std::get_if<plan::Scan>(&plan_->nodes[static_cast<size_t>(node)].op);
    return scan != nullptr && scan->limit.has_value();
  }

  void keep(const DeviceBatch& batch) {
    if (batch.rows == 0) return;
    if (keeps_) {
      kept_.push_back(batch);
      return;
    }
    Batch out;
    out.rows = batch.rows;
    for (const auto& column : batch.columns) out.columns.push_back(to_host(device_, context_.memory(), *column));
    results_.push_back(std::move(out));
  }

  std::string tier_text(size_t stage) const {
    const bool below = std::any_of(segments_.begin(), segments_.begin() + static_cast<std::ptrdiff_t>(stage),
                                   [](const auto& part) { return part.join; });
    const std::string tier = stages_[stage].group->tier();
    if (fusion_.empty() || (segments_[stage].fused.empty() && !below)) return tier;
    return tier + ", " + fusion_;
  }

  [[noreturn]] void fail(size_t stage, const DeviceBatch& batch, uint64_t row) {
    const auto id = static_cast<uint32_t>(row);
    const auto rows = device_.memory.allocate(4);
    device_.staging.to_device(rows->data(), &id, 4);
    DeviceBatch one;
    one.rows = 1;
    for (const auto& column : batch.columns)
      one.columns.push_back(gather(device_, layout_, *column, rows->as<uint32_t>(), 1));
    const NodeIndex node = first_node(segments_[stage]);
    if (!segments_[stage].fused.empty()) {
      // Kernels of single nodes find the one that refuses the row.
      segments_ = separate_;
      make_stages_of_segments();
      const auto first =
          std::find_if(segments_.begin(), segments_.end(), [&](const auto& part) { return first_node(part) == node; });
      process(static_cast<size_t>(first - segments_.begin()), one);
      throw internal_error("a fused kernel refused a row that the others take");
    }
    RowFailure failure{node, {}};
    failure.row.rows = 1;
    for (const auto& column : one.columns) failure.row.columns.push_back(to_host(device_, context_.memory(), *column));
    throw failure;
  }

  static NodeIndex first_node(const jit::Segment& segment) {
    if (!segment.filters.empty()) return segment.filters.front();
    if (!segment.fused.empty()) return segment.fused.front();
    for (const auto& alone : {segment.join, segment.unnest, segment.limit, segment.union_all}) {
      if (alone) return *alone;
    }
    return segment.project ? *segment.project : segment.group ? *segment.group : *segment.sort;
  }

  Device& device_;
  Context& context_;
  std::shared_ptr<const plan::Plan> plan_;
  Layout layout_;
  std::vector<jit::Segment> segments_, separate_;
  std::map<NodeIndex, std::shared_ptr<DeviceJoinTable>> tables_;  // by join
  std::string fusion_;                                            // what became of a group-by to be fused
  std::vector<Stage> stages_;
  std::map<NodeIndex, std::map<size_t, std::vector<DeviceBatch>>> inputs_;  // of unions, behind the first
  bool keeps_ = false;                                                      // rows stay on the device
  std::vector<DeviceBatch> kept_;                                           // then these, else
  std::vector<Batch> results_;
  std::map<NodeIndex, int64_t> rows_;
  RunMetrics metrics_;
  std::optional<NodeIndex> scan_;  // the chain's first node
  std::shared_ptr<std::atomic<int64_t>> uploaded_ = std::make_shared<std::atomic<int64_t>>(0);
};

}  // namespace

std::unique_ptr<Run> make_run(Device& device, Context& context, std::shared_ptr<const plan::Plan> plan,
                              std::vector<NodeIndex> chain) {
  return std::make_unique<ChainRun>(device, context, std::move(plan), std::move(chain));
}

}  // namespace quern::cuda
