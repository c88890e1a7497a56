// From a Parquet file in the page cache to decoded columns on the GPU, by the engine's own scan: JSON lines on standard
// output. Writes files of random values (uncompressed, plain) into a folder, counts their rows behind a scan on the GPU
// with several numbers of threads, and compares every value once, outside the clock. Usage: quern_scan_bench [FOLDER
// [GIGABYTES]].
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>
#include <thread>

#include "cpu/table.hpp"
#include "exec/device_chain.hpp"
#include "exec/device_library.hpp"
#include "exec/device_scan.hpp"
#include "exec/scheduler.hpp"
#include "parquet/write.hpp"

namespace quern {
namespace {

using plan::NodeIndex;

// The value of element i of a column: neither constant nor sorted, and known without a copy.
uint64_t mixed(uint64_t i) {
  i = (i + 0x9e3779b97f4a7c15ULL) * 0xbf58476d1ce4e5b9ULL;
  i = (i ^ (i >> 27)) * 0x94d049bb133111ebULL;
  return i ^ (i >> 31);
}
float real_of(int64_t i) { return static_cast<float>(mixed(static_cast<uint64_t>(i)) >> 40) / 16777216.0F; }

struct Kind {
  const char* name;
  int64_t length;  // of lists of FLOAT; 0 = BIGINT, DOUBLE and nullable INTEGER columns
  std::vector<parquet::WriteField> fields() const {
    if (length > 0) return {{"v", make_list(make_type(TypeKind::float32))}};
    return {{"a", make_type(TypeKind::int64)}, {"b", make_type(TypeKind::float64)}, {"c", make_type(TypeKind::int32)}};
  }
  int64_t row_bytes() const { return length > 0 ? length * 4 : 20; }
};

Batch rows_of(Memory& memory, const Kind& kind, int64_t start, int64_t rows) {
  Batch out;
  out.rows = rows;
  if (kind.length > 0) {
    ColumnBuilder elements(memory, make_type(TypeKind::float32), rows * kind.length);
    for (int64_t i = 0; i < rows * kind.length; ++i) elements.data<float>()[i] = real_of(start * kind.length + i);
    ColumnBuilder lists(memory, make_list(make_type(TypeKind::float32)), rows);
    for (int64_t i = 0; i < rows; ++i) lists.data<ListEntry>()[i] = {i * kind.length, kind.length};
    lists.add_child(elements.finish());
    out.columns = {lists.finish()};
    return out;
  }
  ColumnBuilder a(memory, make_type(TypeKind::int64), rows), b(memory, make_type(TypeKind::float64), rows),
      c(memory, make_type(TypeKind::int32), rows, true);
  for (int64_t i = 0; i < rows; ++i) {
    const uint64_t value = mixed(static_cast<uint64_t>(start + i));
    a.data<int64_t>()[i] = static_cast<int64_t>(value);
    b.data<double>()[i] = static_cast<double>(value >> 12);
    if (value % 10 == 0)
      c.set_null(i);
    else
      c.data<int32_t>()[i] = static_cast<int32_t>(value);
  }
  out.columns = {a.finish(), b.finish(), c.finish()};
  return out;
}

// Row groups are encoded side by side.
int64_t write_file(const Kind& kind, const std::string& path, int64_t bytes, int64_t group_bytes) {
  Memory memory(64LL << 30);
  parquet::FileWriter writer(path, parquet::make_write_schema(kind.fields()));
  parquet::WriteOptions options;
  options.codec = parquet::Codec::uncompressed;
  options.bloom_ratio = 0;
  const int64_t group_rows = group_bytes / kind.row_bytes(), rows = bytes / kind.row_bytes();
  for (int64_t first = 0; first < rows; first += 8 * group_rows) {
    std::vector<parquet::EncodedGroup> groups(8);
    std::vector<std::thread> threads;
    for (size_t g = 0; g < groups.size(); ++g) {
      const int64_t start = first + static_cast<int64_t>(g) * group_rows;
      if (start >= rows) continue;
      threads.emplace_back([&, g, start] {
        groups[g].rows = std::min(group_rows, rows - start);
        const auto shred = parquet::shred(memory, writer.schema(), rows_of(memory, kind, start, groups[g].rows));
        for (size_t leaf = 0; leaf < writer.schema().leaves.size(); ++leaf) {
          const parquet::LeafPiece* piece = &shred.leaves[leaf];
          groups[g].chunks.push_back(parquet::encode_chunk(memory, writer.schema().leaves[leaf], {&piece, 1}, options));
        }
      });
    }
    for (auto& thread : threads) thread.join();
    for (auto& group : groups) {
      if (group.rows > 0) writer.append(std::move(group));
    }
  }
  writer.finish();
  return rows;
}

// scan, and count(*) above it, on the GPU.
std::shared_ptr<const plan::Plan> plan_of(const Kind& kind, const std::string& path, bool counts) {
  auto out = std::make_shared<plan::Plan>();
  plan::Scan scan;
  scan.files = {path};
  plan::Node node;
  node.device = plan::Device::gpu;
  for (const auto& field : kind.fields()) {
    scan.columns.push_back({field.name, field.type, plan::ColumnSource::field, field.name, 0});
    node.output.push_back({field.name, field.type});
  }
  node.op = scan;
  out->nodes.push_back(node);
  if (counts) {
    plan::Aggregate count;
    count.fn = "count_star";
    count.type = make_type(TypeKind::int64);
    node.op = plan::HashGroupBy{{}, {count}};
    node.inputs = {0};
    node.output = {{"n", count.type}};
    out->nodes.push_back(node);
  }
  node.op = plan::Exchange{plan::ExchangeMode::to_host, {}};
  node.inputs = {static_cast<NodeIndex>(out->nodes.size()) - 1};
  node.device = plan::Device::cpu;
  out->nodes.push_back(node);
  return out;
}

// A file of the same bytes under another time of change: nothing of it is on the device.
void touch(const std::string& path) {
  std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) + std::chrono::milliseconds(1));
}

struct Result {
  double ms = 0;
  std::string metrics;
  std::vector<Batch> batches;
};

Result scan(Memory& memory, cpu::FileCache& files, const std::shared_ptr<const plan::Plan>& plan, int32_t threads) {
  Settings settings;
  settings.threads = threads;
  Context context(memory, settings);
  ThreadPool pool;
  QueryMetrics metrics;
  metrics.start(plan->nodes.size());
  const auto start = std::chrono::steady_clock::now();
  DeviceRun run;
  run.end = static_cast<NodeIndex>(plan->nodes.size()) - 1;
  run.chain = device_chain(*plan, run.end - 1);
  run.source = device_source(*plan, run.chain);
  run.filters = std::make_shared<cpu::JoinFilters>(0);
  run.run = open_device(0).start(context, plan, run.chain);
  auto scan = make_device_scan(context, files, plan, std::move(run), metrics);
  auto rows = scan.sink->source();
  Pipeline pipeline;
  pipeline.source = std::move(scan.source);
  pipeline.sink = scan.sink;
  std::vector<Pipeline> pipelines;
  pipelines.push_back(std::move(pipeline));
  Scheduler(std::move(pipelines), context, pool, metrics).run();
  Result out;
  out.ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  metrics.end();
  out.metrics = metrics.json(context);
  rows->prepare(make_parallel(pool, context));
  for (int64_t morsel = 0; morsel < rows->morsels(); ++morsel) {
    const auto reader = rows->open(morsel);
    for (Batch batch; reader->next(batch); batch = Batch()) out.batches.push_back(batch);
  }
  pool.close();
  return out;
}

bool same_values(Memory& memory, const Kind& kind, const std::vector<Batch>& batches, int64_t rows) {
  int64_t at = 0;
  for (const auto& batch : batches) {
    const Batch wanted = rows_of(memory, kind, at, batch.rows);
    for (size_t i = 0; i < wanted.columns.size(); ++i) {
      const Column& found = *batch.columns[i];
      const Column& right = *wanted.columns[i];
      if (kind.length > 0) {
        for (int64_t row = 0; row < batch.rows; ++row) {
          const ListEntry entry = found.values<ListEntry>()[row];
          if (entry.length != kind.length || std::memcmp(found.children[0]->values<float>() + entry.start,
                                                         right.children[0]->values<float>() + row * kind.length,
                                                         static_cast<size_t>(entry.length) * 4) != 0)
            return false;
        }
        continue;
      }
      const auto bytes = static_cast<size_t>(width(*right.type));
      for (int64_t row = 0; row < batch.rows; ++row) {
        if (found.is_valid(row) != right.is_valid(row) ||
            std::memcmp(static_cast<const uint8_t*>(found.data) + static_cast<size_t>(row) * bytes,
                        static_cast<const uint8_t*>(right.data) + static_cast<size_t>(row) * bytes, bytes) != 0)
          return false;
      }
    }
    at += batch.rows;
  }
  return at == rows;
}

void measure(const Kind& kind, const std::string& folder, int64_t bytes, int64_t group_bytes) {
  const std::string path = folder + "/quern_scan_bench.parquet";
  std::filesystem::remove(path);
  const int64_t rows = write_file(kind, path, bytes, group_bytes);
  const auto size = static_cast<double>(std::filesystem::file_size(path));
  Memory memory(64LL << 30);
  cpu::FileCache files(memory);
  const auto counting = plan_of(kind, path, true);
  std::string metrics;
  for (const int32_t threads : {1, 4, 8, 12, 16}) {
    std::vector<double> ms;
    bool right = true;
    for (int sample = 0; sample < 6; ++sample) {
      touch(path);
      auto result = scan(memory, files, counting, threads);
      if (sample > 0) ms.push_back(result.ms);
      right &= result.batches.size() == 1 && result.batches[0].columns[0]->values<int64_t>()[0] == rows;
      metrics = result.metrics;
    }
    std::sort(ms.begin(), ms.end());
    std::printf(
        "{\"bench\": \"scan %s\", \"bytes\": %.0f, \"group_bytes\": %ld, \"threads\": %d, \"ms\": %.2f, \"fast\": "
        "%.2f, "
        "\"slow\": %.2f, \"gb_s\": %.1f, \"right\": %s}\n",
        kind.name, size, group_bytes, threads, ms[ms.size() / 2], ms.front(), ms.back(), size / ms[ms.size() / 2] / 1e6,
        right ? "true" : "false");
    std::fflush(stdout);
  }
  scan(memory, files, counting, 8);
  std::vector<double> kept;
  for (int sample = 0; sample < 6; ++sample) kept.push_back(scan(memory, files, counting, 8).ms);
  std::sort(kept.begin(), kept.end());
  std::printf("{\"bench\": \"scan %s, columns kept on the device\", \"ms\": %.2f}\n", kind.name, kept[kept.size() / 2]);
  touch(path);
  const auto found = scan(memory, files, plan_of(kind, path, false), 8);
  std::printf("{\"bench\": \"values %s\", \"ms\": %.0f, \"right\": %s}\n", kind.name, found.ms,
              same_values(memory, kind, found.batches, rows) ? "true" : "false");
  std::fprintf(stderr, "%s\n", metrics.substr(metrics.find("\"devices\"")).c_str());
  std::fflush(stdout);
  std::filesystem::remove(path);
}

int measure_all(const std::string& folder, double gigabytes) {
  try {
    open_device(0);
  } catch (const Error& error) {
    std::printf("{\"skipped\": \"%s\"}\n", error.message().c_str());
    return 0;
  }
  const auto bytes = static_cast<int64_t>(gigabytes * 1e9);
  measure({"list<float>[768]", 768}, folder, bytes, 128 << 20);
  measure({"list<float>[768], one row group", 768}, folder, bytes / 2, bytes);
  measure({"bigint, double, nullable integer", 0}, folder, bytes, 128 << 20);
  return 0;
}

}  // namespace
}  // namespace quern

int main(int count, char** arguments) {
  try {
    const std::string folder = count > 1 ? std::string(arguments[1]) : std::filesystem::temp_directory_path().string();
    return quern::measure_all(folder, count > 2 ? std::stod(arguments[2]) : 4);
  } catch (const std::exception& error) {
    std::printf("{\"error\": \"%s\"}\n", error.what());
    return 1;
  }
}
