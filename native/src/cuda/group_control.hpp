// What the kernels of a group-by and the host tell each other, in one piece of device memory: one copy there before the
// kernels run, one back behind them.
#pragma once
#include <vector>

#include "cuda/compiled.hpp"
#include "cuda/fragments/group_rows.cuh"

namespace quern::cuda {

class GroupControl {
 public:
  struct Words {
    uint64_t failure = no_failure;  // the least row for which an expression failed
    GroupCounters counters{};
    unsigned long long listed = 0;  // groups to finish
    uint64_t unfit = no_failure;    // the least aggregate of which a result leaves its type
  };

  // `batch`: whose columns the kernels read. `nulls`: columns of the result.
  GroupControl(Device& device, const DeviceBatch& batch, size_t nulls, unsigned long long listed = 0);

  Input input(const DeviceLiterals& literals, const uint32_t* rows, int64_t first, int64_t count) const;
  GroupCounters* counters() const { return &words()->counters; }
  unsigned long long* listed() const { return &words()->listed; }
  uint64_t* unfit() const { return &words()->unfit; }
  unsigned long long* nulls(size_t column) const { return reinterpret_cast<unsigned long long*>(words() + 1) + column; }

  // Waits for the kernels.
  Words read(Device& device);
  // Of a column of the result, once read.
  int64_t null_count(size_t column) const { return static_cast<int64_t>(nulls_.at(column)); }

 private:
  Words* words() const { return memory_->as<Words>(); }
  DeviceBufferPtr memory_;
  std::vector<uint64_t> nulls_;
};

}  // namespace quern::cuda
