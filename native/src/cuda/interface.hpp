// What the addon and quern_cuda.so share: one C function that opens a device, and the classes that it hands out. No
// CUDA type appears here. Both libraries are built from one tree; the version and the hash of the function table say
// so.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "columnar/column.hpp"
#include "context/context.hpp"
#include "cuda/encoded.hpp"
#include "plan/plan.hpp"

namespace quern::cuda {

// Raised with every change of this file.
constexpr uint32_t interface_version = 5;

struct DeviceInfo {
  int32_t ordinal = 0;
  std::string name;
  int32_t major = 0, minor = 0;  // compute capability
  int32_t multiprocessors = 0;
  int64_t memory_bytes = 0;
  int32_t driver = 0;  // 1000 · major + 10 · minor
};

// What a chain of nodes cost on the device; rows belong to the nodes.
struct RunMetrics {
  int64_t device_ns = 0;   // between the first and the last piece of work of each chunk
  int64_t compile_ns = 0;  // of kernels that were not in the cache
  int64_t launches = 0;    // kernels
  int64_t read_backs = 0;  // waits for a number from the device
  int64_t bytes_to_device = 0;
  int64_t bytes_to_host = 0;
  int64_t peak_bytes = 0;                                        // device memory
  std::vector<std::pair<plan::NodeIndex, std::string>> tiers;    // of group-bys: which tables held the groups
  std::vector<std::pair<plan::NodeIndex, std::string>> indexes;  // of joins: how their tables find rows
  // Of a scan, filled by the host: column chunks that the device decoded, those that it still had, and those that the
  // host decoded, by reason.
  int64_t device_chunks = 0;
  int64_t cached_chunks = 0;
  std::vector<std::pair<std::string, int64_t>> host_chunks;
};

// An expression failed for one row. The CPU evaluates the same nodes over `row` and so finds the error to raise.
struct RowFailure {
  plan::NodeIndex node;  // reads the row
  Batch row;
};

// One chain of plan nodes at work: rows in at its `exchange to_device`, or pages at its scan, and rows of the tables of
// its joins; rows out at its `exchange to_host`.
class Run {
 public:
  virtual ~Run() = default;
  // All rows of the second input of a join of the chain, in order; before the first row of the chain.
  virtual void build(plan::NodeIndex join, const std::vector<Batch>& batches) = 0;
  // The same from where they lie: in the place of finish() of `other`, a run of the same device that was to keep its
  // rows there.
  virtual void build_from(plan::NodeIndex join, Run& other) = 0;
  // Rows of another input than the first of a union of the chain, as above; before the first row of the chain.
  virtual void add_input(plan::NodeIndex union_all, size_t input, const std::vector<Batch>& batches) = 0;
  virtual void add_input_from(plan::NodeIndex union_all, size_t input, Run& other) = 0;
  // Before the first row.
  virtual void keep_on_device() = 0;
  // A column of the second input of a join, whose table is complete; nullptr where it has more than `most_rows`.
  virtual ColumnPtr second_column(plan::NodeIndex join, int32_t column, int64_t most_rows) = 0;
  // Rows of the first node, in order; batches of any length. One thread at a time. Throws RowFailure and Error.
  virtual void consume(const std::vector<Batch>& batches) = 0;
  // Of a chain that begins with a scan: room for pages. Any thread.
  virtual std::shared_ptr<Upload> make_upload(int64_t bytes) = 0;
  // A column that an earlier run decoded and kept; nullptr = none. `key` names file, row group, leaf and type. Any
  // thread.
  virtual std::shared_ptr<const void> cached(const std::string& key) = 0;
  // Rows of a row group, in order. One thread at a time; what decode_on_host throws is passed on.
  virtual void consume(const EncodedGroup& group) = 0;
  // No further row can change the result. By the thread that gave the last rows.
  virtual bool done() const = 0;
  // After the last batch: the rows of the last node, in order.
  virtual std::vector<Batch> finish() = 0;
  virtual RunMetrics metrics() const = 0;
  // Rows that a node of the chain gave.
  virtual int64_t rows(plan::NodeIndex node) const = 0;
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual const DeviceInfo& info() const = 0;
  // `chain`: nodes from the scan, or the one that reads the exchange to_device, to the one that the exchange to_host
  // reads.
  virtual std::unique_ptr<Run> start(Context& context, std::shared_ptr<const plan::Plan> plan,
                                     std::vector<plan::NodeIndex> chain) = 0;
};

extern "C" {

struct QuernCudaRequest {
  uint32_t version;       // interface_version
  const char* functions;  // plan::function_table_hash()
  int32_t ordinal;        // of the device
  int64_t memory_limit;   // bytes of device memory; 0 = 80 % of what is free
};

enum QuernCudaStatus : int32_t { quern_cuda_ok = 0, quern_cuda_stale = 1, quern_cuda_no_device = 2 };

struct QuernCudaReply {
  Backend* backend;   // the caller deletes it
  int32_t devices;    // that the driver has
  char message[512];  // why there is none
};

// The one exported function.
QuernCudaStatus quern_cuda_open(const QuernCudaRequest* request, QuernCudaReply* reply);
}

}  // namespace quern::cuda
