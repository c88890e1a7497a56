// A join of a chain as kernels of its own: the table of its second input, and the rows of the first looked up in it.
#pragma once
#include <functional>
#include <memory>
#include <optional>

#include "cuda/compiled.hpp"
#include "cuda/join_table.hpp"
#include "jit/pipeline_text.hpp"

namespace quern::cuda {

// `segment` is the join's; `rows` are all of the second input.
std::shared_ptr<DeviceJoinTable> make_join_table(Device& device, const plan::Plan& plan, const jit::Segment& segment,
                                                 const Layout& layout, DeviceBatch rows);

// Tables that one kernel looks into, and counts of the rows that its fused nodes let through.
class DeviceJoins {
 public:
  // `rows`: of each table, with what kernels read behind its columns.
  DeviceJoins(Device& device, std::vector<std::shared_ptr<DeviceJoinTable>> tables, std::vector<DeviceBatch> rows,
              size_t counts);
  void bind(Input& input) const;
  std::vector<int64_t> counts(Device& device) const;

 private:
  std::vector<std::shared_ptr<DeviceJoinTable>> tables_;
  std::vector<DeviceBatch> rows_;
  std::vector<DeviceBufferPtr> columns_;
  DeviceBufferPtr views_, counts_;
  size_t count_;
};

class JoinStage {
 public:
  using Next = std::function<void(const DeviceBatch&)>;
  JoinStage(Device& device, const Layout& layout, const plan::Plan& plan, const jit::Segment& segment,
            std::shared_ptr<DeviceJoinTable> table);

  // Joined rows in pieces, in the order of the batch, rows of one key in the order of the table. no_failure, or the
  // least row for which a key could not be computed; then there are none.
  uint64_t process(const DeviceBatch& batch, const Next& next);
  // Behind the last batch: rows of the table that the join keeps without a partner.
  void finish(const Next& next);

 private:
  // Rows of both inputs that belong together; second == nullptr: the join gives none.
  struct Pairs {
    const uint32_t* first;  // nullptr: all rows of the batch
    const uint32_t* second;
    int64_t count;
  };
  DeviceBatch joined(const DeviceBatch& batch, const Pairs& pairs, DeviceColumnPtr mark = nullptr);
  // Entries with their lists, in halves where there would be too many pairs at once.
  void each_piece(const uint32_t* rows, const uint32_t* found, int64_t count,
                  const std::function<void(const JoinPairs&, int64_t pairs)>& use);
  void give_pairs(const DeviceBatch& batch, const JoinPairs& pairs, const uint32_t* chosen, int64_t count,
                  const Next& next);
  void give(const DeviceBatch& batch, DeviceBufferPtr found, const DeviceBufferPtr& mask, const Next& next);
  // With a condition beside the keys.
  void test_pairs(const DeviceBatch& batch, const JoinPairs& pairs, int64_t count, const Next& next);
  void decide_rows(const DeviceBatch& batch, const JoinPairs& pairs, const uint32_t* matched, const Next& next);
  // Of a mark join: from the rows that were found, or from bits.
  DeviceColumnPtr mark_column(const uint32_t* found, const uint32_t* matched, int64_t count);
  Error several_rows() const;

  Device& device_;
  Layout layout_;
  const plan::Join& join_;
  std::shared_ptr<DeviceJoinTable> table_;
  std::vector<TypePtr> first_types_;
  cudaKernel_t kernel_, pair_kernel_ = nullptr;
  DeviceLiterals literals_;
  std::optional<DeviceLiterals> pair_literals_;
  DeviceJoins joins_;
  std::vector<DeviceColumnPtr> second_;  // columns to gather from
  bool adds_none_;                       // rows without a match have a pair with no row
  bool by_row_;
  bool can_fail_;
  DeviceBufferPtr
      marks_;  // bits of rows of the table, or of leaders, that had a partner; of joins that keep the others
};

}  // namespace quern::cuda
