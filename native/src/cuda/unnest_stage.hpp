// Rows for the elements of lists: as many of each row as its longest list has elements, shorter lists filled up with
// NULL.
#pragma once
#include <functional>

#include "cuda/stream_stage.hpp"

namespace quern::cuda {

// Rows of `batch` for the elements of `lists`, its columns `keep` before them, in pieces of at most `piece` rows.
// `outer`: a row without elements gives one; `ordinality`: the place of each element from 1 as a last column.
struct UnnestForm {
  std::vector<int32_t> keep;
  bool ordinality = false;
  bool outer = false;
  int64_t piece = 64 << 20;
};
void unnest(Device& device, const Layout& layout, const DeviceBatch& batch, const std::vector<DeviceColumnPtr>& lists,
            const UnnestForm& form, const std::function<void(const DeviceBatch&)>& next);

class UnnestStage {
 public:
  UnnestStage(Device& device, const Layout& layout, const plan::Plan& plan, const jit::Segment& segment);

  // Rows in the order of the batch, in pieces. Sets `failed` to the least row whose lists failed, and gives none then.
  void process(const DeviceBatch& batch, uint64_t& failed, const std::function<void(const DeviceBatch&)>& next);

 private:
  Device& device_;
  Layout layout_;
  UnnestForm form_;
  StreamStage lists_;  // the batch's lists
};

}  // namespace quern::cuda
