#include "exec/cut.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "cpu/filter.hpp"
#include "cpu/generate.hpp"
#include "cpu/hash_group_by.hpp"
#include "cpu/hash_join.hpp"
#include "cpu/limit.hpp"
#include "cpu/project.hpp"
#include "cpu/range.hpp"
#include "cpu/scan.hpp"
#include "cpu/sort.hpp"
#include "cpu/table.hpp"
#include "cpu/top_k.hpp"
#include "cpu/union_all.hpp"
#include "cpu/unnest.hpp"
#include "cpu/values.hpp"
#include "cpu/write_parquet.hpp"
#include "exec/constant_lists.hpp"
#include "exec/device_build.hpp"
#include "exec/device_chain.hpp"
#include "exec/device_library.hpp"
#include "exec/device_scan.hpp"
#include "exec/device_sink.hpp"
#include "exec/result_sink.hpp"

namespace quern {

namespace {

using plan::NodeIndex;

// A pipeline without its sink.
struct Stream {
  std::unique_ptr<Source> source;
  NodeIndex source_node = 0;
  bool count_source = true;
  std::vector<PlacedStep> steps;
  std::vector<int32_t> after;
};

// A subplan that is stored once for all its readers.
struct Stored {
  std::shared_ptr<StoringSink> sink;
  int32_t pipeline = 0;
};

class Cutter {
 public:
  Cutter(std::shared_ptr<const plan::Plan> plan, Context& context, cpu::FileCache& files, QueryMetrics& metrics)
      : plan_(std::move(plan)),
        context_(context),
        files_(files),
        metrics_(metrics),
        readers_(plan_->nodes.size(), 0),
        filters_(std::make_shared<cpu::JoinFilters>(filter_count(*plan_))),
        filter_makers_(filter_count(*plan_)) {}

  std::vector<Pipeline> cut(ResultQueue& result) {
    const auto root = static_cast<NodeIndex>(plan_->nodes.size()) - 1;
    count_readers(root);
    NodeIndex top = root;
    // A limit at the top is the queue's: it streams, and stops the sources.
    if (const auto* limit = std::get_if<plan::Limit>(&plan_->nodes[root].op)) {
      result.set_limit(limit->offset, limit->limit);
      top = plan_->nodes[root].inputs[0];
      limited_by_reader_ = covers(*limit, top);
    } else if (const auto* scan = std::get_if<plan::Scan>(&plan_->nodes[root].op); scan != nullptr && scan->limit) {
      result.set_limit(0, scan->limit);
      limited_by_reader_ = true;
    }
    close(stream(top), make_result_sink(context_, result), root);
    return std::move(pipelines_);
  }

 private:
  static size_t filter_count(const plan::Plan& plan) {
    int32_t count = 0;
    const auto see = [&](int32_t number) { count = std::max(count, number + 1); };
    for (const auto& node : plan.nodes) {
      if (const auto* scan = std::get_if<plan::Scan>(&node.op)) {
        for (const auto& use : scan->join_filters) see(use.filter);
      } else if (const auto* join = std::get_if<plan::Join>(&node.op)) {
        for (const auto& key : join->keys) see(key.filter);
      }
    }
    return static_cast<size_t>(count);
  }

  void count_readers(NodeIndex root) {
    std::vector<bool> reached(plan_->nodes.size(), false);
    reached[root] = true;
    for (NodeIndex node = root; node >= 0; --node) {
      if (!reached[node]) continue;
      for (NodeIndex input : plan_->nodes[node].inputs) {
        reached[input] = true;
        ++readers_[input];
      }
    }
  }

  int32_t close(Stream stream, std::shared_ptr<Sink> sink, NodeIndex node) {
    Pipeline pipeline;
    pipeline.source = std::move(stream.source);
    pipeline.source_node = stream.source_node;
    pipeline.count_source = stream.count_source;
    pipeline.steps = std::move(stream.steps);
    pipeline.after = std::move(stream.after);
    pipeline.sink = std::move(sink);
    pipeline.node = node;
    pipelines_.push_back(std::move(pipeline));
    return static_cast<int32_t>(pipelines_.size()) - 1;
  }

  // A pipeline that works on the GPU. They run one after another: each counts on the whole device memory.
  int32_t close_on_device(Stream stream, std::shared_ptr<Sink> sink, NodeIndex node) {
    if (last_on_device_) stream.after.push_back(*last_on_device_);
    last_on_device_ = close(std::move(stream), std::move(sink), node);
    return *last_on_device_;
  }

  static Stream read(const Stored& stored, NodeIndex node, bool count) {
    Stream stream;
    stream.source = stored.sink->source();
    stream.source_node = node;
    stream.count_source = count;
    stream.after.push_back(stored.pipeline);
    return stream;
  }

  bool ends_on_device(NodeIndex node) const {
    const auto* exchange = std::get_if<plan::Exchange>(&plan_->nodes[node].op);
    return exchange != nullptr && exchange->mode == plan::ExchangeMode::to_host;
  }

  // Whether `limit` lets no more through than the scan below it: then the scan's own limit needs no second sink.
  bool covers(const plan::Limit& limit, NodeIndex input) const {
    const auto* scan = std::get_if<plan::Scan>(&plan_->nodes[input].op);
    return scan != nullptr && readers_[input] == 1 && scan->limit && limit.limit &&
           *limit.limit <= *scan->limit - limit.offset;
  }

  // Rows of a node as they stream; a node with several readers is stored.
  Stream stream(NodeIndex node) {
    const bool by_reader = std::exchange(limited_by_reader_, false);
    if (plan_->nodes[node].device == plan::Device::gpu)
      throw internal_error("plan node " + std::to_string(node) + " is on a GPU, but no exchange to_host reads it");
    if (const auto found = stored_.find(node); found != stored_.end()) return read(found->second, node, false);
    Stored stored;
    if (ends_on_device(node)) {
      stored = start_chain(plan_->nodes[node].inputs[0], node, 0, nullptr);
      if (readers_[node] > 1) stored_[node] = stored;
      return read(stored, node, true);
    }
    if (auto sink = storing_sink(node)) {
      stored.sink = sink;
      stored.pipeline = close(stream(plan_->nodes[node].inputs[0]), sink, node);
      if (readers_[node] > 1) stored_[node] = stored;
      return read(stored, node, true);
    }
    Stream out = streaming(node);
    const auto* scan = std::get_if<plan::Scan>(&plan_->nodes[node].op);
    if (scan != nullptr && scan->limit && !by_reader) {
      out.count_source = false;
      stored.sink = cpu::make_limit(context_, plan::Limit{scan->limit, 0});
      stored.pipeline = close(std::move(out), stored.sink, node);
      if (readers_[node] > 1) stored_[node] = stored;
      return read(stored, node, true);
    }
    if (readers_[node] > 1) {
      stored.sink = std::make_shared<cpu::TableSink>(context_);
      stored.pipeline = close(std::move(out), stored.sink, node);
      stored_[node] = stored;
      return read(stored, node, false);
    }
    return out;
  }

  // A chain of GPU nodes up to `last`, behind the pipelines that give other inputs of its joins and unions. Its rows go
  // through the exchange `end` to the host, or to `reader` as input number `input` of its join or union `end`.
  Stored start_chain(NodeIndex last, NodeIndex end, size_t input, std::shared_ptr<cuda::Run> reader) {
    DeviceRun run;
    run.chain = device_chain(*plan_, last);
    run.source = device_source(*plan_, run.chain);
    run.end = end;
    run.input = input;
    run.run = open_device(0).start(context_, with_constant_lists(context_, plan_), run.chain);
    run.reader = std::move(reader);
    run.filters = filters_;
    if (run.reader) run.run->keep_on_device();
    std::vector<int32_t> after;
    for (const NodeIndex node : run.chain) {
      for (size_t other = 1; other < plan_->nodes[node].inputs.size(); ++other)
        after.push_back(start_input(node, other, run.run));
    }
    Stored out;
    Stream rows;
    const NodeIndex source = run.source;
    if (const auto* pages = std::get_if<plan::Scan>(&plan_->nodes[source].op)) {
      const auto makers = filter_makers(*pages);
      after.insert(after.end(), makers.begin(), makers.end());
      auto scan = make_device_scan(context_, files_, plan_, std::move(run), metrics_);
      rows.source = std::move(scan.source);
      rows.source_node = source;
      rows.count_source = false;
      out.sink = std::move(scan.sink);
    } else {
      out.sink = make_device_sink(context_, plan_, std::move(run), metrics_);
      rows = stream(plan_->nodes[source].inputs[0]);
    }
    rows.after.insert(rows.after.end(), after.begin(), after.end());
    out.pipeline = close_on_device(std::move(rows), out.sink, end);
    return out;
  }

  // The pipeline that fills the table of a join of a chain, or gives another input of a union.
  int32_t start_input(NodeIndex node, size_t input, const std::shared_ptr<cuda::Run>& run) {
    const NodeIndex rows = plan_->nodes[node].inputs[input];
    const int32_t given =
        std::holds_alternative<plan::Exchange>(plan_->nodes[rows].op)
            ? close_on_device(stream(plan_->nodes[rows].inputs[0]),
                              make_device_build(context_, plan_, node, input, run, filters_, metrics_.node(rows)), node)
            : start_chain(rows, node, input, run).pipeline;
    if (const auto* join = std::get_if<plan::Join>(&plan_->nodes[node].op)) set_makers(*join, given);
    return given;
  }

  // The pipeline that makes the filters of a join.
  void set_makers(const plan::Join& join, int32_t pipeline) {
    for (const auto& key : join.keys) {
      if (key.filter >= 0) filter_makers_[static_cast<size_t>(key.filter)] = pipeline;
    }
  }

  // The sink of an operator that needs all its input; nullptr for those that stream.
  std::shared_ptr<StoringSink> storing_sink(NodeIndex node) {
    const auto& op = plan_->nodes[node].op;
    if (std::holds_alternative<plan::HashGroupBy>(op)) return cpu::make_hash_group_by(context_, plan_, node);
    if (const auto* sort = std::get_if<plan::Sort>(&op)) return cpu::make_sort(context_, plan_, sort->keys);
    if (const auto* top_k = std::get_if<plan::TopK>(&op)) return cpu::make_top_k(context_, plan_, *top_k);
    if (std::holds_alternative<plan::WriteParquet>(op)) return cpu::make_write_parquet(context_, *plan_, node);
    if (const auto* limit = std::get_if<plan::Limit>(&op)) {
      limited_by_reader_ = covers(*limit, plan_->nodes[node].inputs[0]);
      return cpu::make_limit(context_, *limit);
    }
    return nullptr;
  }

  Stream streaming(NodeIndex node) {
    const auto& row = plan_->nodes[node];
    Stream out;
    out.source_node = node;
    if (const auto* scan = std::get_if<plan::Scan>(&row.op)) {
      out.after = filter_makers(*scan);
      out.source = cpu::make_scan(context_, files_, plan_, node, filters_, metrics_.node(node).counters);
    } else if (std::holds_alternative<plan::Values>(row.op))
      out.source = cpu::make_values(context_, plan_, row);
    else if (const auto* range = std::get_if<plan::Range>(&row.op))
      out.source = cpu::make_range(context_, *range);
    else if (std::holds_alternative<plan::Generate>(row.op))
      out.source = cpu::make_generate(context_, row);
    else if (std::holds_alternative<plan::UnionAll>(row.op))
      return union_all(node);
    else if (std::holds_alternative<plan::Join>(row.op))
      return join(node);
    if (out.source) return out;
    out = stream(row.inputs[0]);
    if (const auto* filter = std::get_if<plan::Filter>(&row.op))
      out.steps.push_back({cpu::make_filter(context_, plan_, filter->predicate), node});
    else if (const auto* project = std::get_if<plan::Project>(&row.op))
      out.steps.push_back({cpu::make_project(context_, plan_, *project), node});
    else if (const auto* unnest = std::get_if<plan::Unnest>(&row.op))
      out.steps.push_back({cpu::make_unnest(context_, plan_, *unnest), node});
    else if (!std::holds_alternative<plan::Exchange>(row.op))
      throw internal_error("no CPU operator for plan node " + std::to_string(node));
    // An exchange between instances of one host device moves nothing.
    return out;
  }

  // The pipelines whose joins tell the scan which keys they have. Those of later pipelines come too late for it.
  std::vector<int32_t> filter_makers(const plan::Scan& scan) const {
    std::vector<int32_t> out;
    for (const auto& use : scan.join_filters) {
      if (const auto& maker = filter_makers_[static_cast<size_t>(use.filter)]) out.push_back(*maker);
    }
    return out;
  }

  // The second input is stored as a table; the first streams past it.
  Stream join(NodeIndex node) {
    const auto& row = plan_->nodes[node];
    const auto& join = std::get<plan::Join>(row.op);
    auto build = cpu::make_join_build(context_, plan_, node, filters_, metrics_.node(node).counters);
    const int32_t built = close(stream(row.inputs[1]), build, node);
    set_makers(join, built);
    Stream out = stream(row.inputs[0]);
    out.after.push_back(built);
    out.steps.push_back({cpu::make_join_probe(context_, plan_, node, build), node});
    if (join.type != plan::JoinType::right && join.type != plan::JoinType::full) return out;
    const auto gate = cpu::make_join_gate();
    std::vector<cpu::UnionInput> parts;
    parts.push_back(
        {cpu::make_gated(std::move(out.source), gate), out.count_source ? out.source_node : -1, std::move(out.steps)});
    parts.push_back({cpu::make_join_unmatched(context_, plan_, node, build, gate), node, {}});
    Stream both;
    both.source_node = node;
    both.after = std::move(out.after);
    both.source = union_of(std::move(parts));
    // The steps count the rows of the joined part, the source would count them again.
    both.count_source = false;
    return both;
  }

  std::unique_ptr<Source> union_of(std::vector<cpu::UnionInput> inputs) {
    auto& metrics = metrics_;
    return cpu::make_union_all(std::move(inputs), [&metrics](NodeIndex at, int64_t rows) {
      if (at >= 0) metrics.node(at).rows += rows;
    });
  }

  Stream union_all(NodeIndex node) {
    Stream out;
    out.source_node = node;
    std::vector<cpu::UnionInput> inputs;
    for (NodeIndex input : plan_->nodes[node].inputs) {
      Stream part = stream(input);
      out.after.insert(out.after.end(), part.after.begin(), part.after.end());
      inputs.push_back({std::move(part.source), part.count_source ? part.source_node : -1, std::move(part.steps)});
    }
    out.source = union_of(std::move(inputs));
    return out;
  }

  std::shared_ptr<const plan::Plan> plan_;
  Context& context_;
  cpu::FileCache& files_;
  QueryMetrics& metrics_;
  std::vector<int32_t> readers_;
  std::shared_ptr<cpu::JoinFilters> filters_;
  std::vector<std::optional<int32_t>> filter_makers_;  // the pipeline that sets a filter, by the filter's number
  std::optional<int32_t> last_on_device_;
  std::map<NodeIndex, Stored> stored_;
  std::vector<Pipeline> pipelines_;
  bool limited_by_reader_ = false;  // the next stream's reader takes no more than the scan's limit
};

}  // namespace

std::vector<Pipeline> cut(const std::shared_ptr<const plan::Plan>& plan, Context& context, cpu::FileCache& files,
                          QueryMetrics& metrics, ResultQueue& result) {
  return Cutter(plan, context, files, metrics).cut(result);
}

}  // namespace quern
