// Groups of one hash_group_by on the device, in three tiers. Rows go to tables in the shared memory of blocks, which
// end in one table in device memory; where they hold too few of the groups the blocks stop early, and the other rows go
// to that table, or, for more groups than the L2 cache holds, to parts of the hash that are grouped one after the
// other. Each tier goes on with what the ones before it made.
#pragma once
#include <optional>
#include <string>

#include "cuda/compiled.hpp"
#include "cuda/group_control.hpp"
#include "cuda/group_kernels.hpp"
#include "cuda/group_strings.hpp"
#include "cuda/join_stage.hpp"
#include "cuda/kernel_cache.hpp"
#include "jit/group_text.hpp"

namespace quern::cuda {

// When which tier is taken.
struct GroupTiers {
  bool blocks = true;
  // From so many groups on the table leaves the L2 cache, and parts pay, given rows enough for their three passes.
  double least_part_groups = 2e5;
  int64_t least_part_rows = 1 << 22;
  // Rows of a part on the average, where its groups ask for no smaller ones.
  double part_rows = 4096;
  // Slots of the first table in device memory, in which blocks end.
  uint64_t first_slots = 1 << 14;
  // A table that rows go to is spread over so many bytes of slots while there are few groups: lanes then seldom meet in
  // a line of the L2 cache.
  uint64_t spread_bytes = 32 << 20;
};

class GroupBy {
 public:
  GroupBy(Device& device, const plan::Plan& plan, const jit::Segment& segment, GroupTiers tiers = {},
          const Layout& layout = {});

  // no_failure, or the least row for which an expression of the segment failed. Where none can fail the kernels may
  // still run, and the batch is held until the next call.
  uint64_t update(const DeviceBatch& batch);
  DeviceBatch finish();
  // Before the first update: what a fused segment joins, and how many nodes it counts.
  void look_into(const std::vector<std::shared_ptr<DeviceJoinTable>>& tables, size_t counts);
  // Rows that each fused node let through.
  std::vector<int64_t> fused_counts() const { return joins_ ? joins_->counts(device_) : std::vector<int64_t>{}; }
  // Rows that passed the segment's filters.
  int64_t passed() const { return passed_; }
  // Where the groups were held, and why.
  std::string tier() const;

 private:
  // Rows of a batch: `count` from `first` on, and those that `numbers` names, which passed() has already.
  struct Rows {
    DeviceBatch batch;
    int64_t before = 0;  // rows of the batches before
    int64_t first = 0, count = 0;
    DeviceBufferPtr numbers;
    int64_t numbered = 0;
    bool counted = false;  // passed() has all of them
    int64_t all() const { return count + numbered; }
  };
  struct Table {
    DeviceBufferPtr memory;
    GroupTable view{};
    GroupSlots slots() const { return {view.slots, memory ? static_cast<int64_t>(view.mask) + 1 : 0}; }
  };
  // Groups behind one another, which no table finds.
  struct Dense {
    DeviceBufferPtr slots;
    int64_t count = 0;
  };
  // Room for the records of both passes.
  struct Parts {
    GroupParts view{};
    DeviceBufferPtr used, sent, ordered;
  };
  // Kernels at work, and what they were given.
  struct Pending {
    Rows rows;
    GroupControl control;
    DeviceBufferPtr left;     // rows given back by blocks, or without room in the table
    DeviceBufferPtr spilled;  // by blocks
    int64_t blocks = 0;       // 0: the work of group_table
  };
  using Words = GroupControl::Words;

  // Begins the work; it is pending then, unless it had to be waited for. no_failure, or the least row that failed.
  uint64_t group(Rows rows);
  void start_blocks(Rows rows);
  void start_table(Rows rows);
  // Launches a kernel that reads rows: once over those by number, once over the others.
  void launch_over(const Rows& rows, const GroupControl& control, const DeviceLiterals& literals, const char* name,
                   cudaKernel_t kernel, int64_t most_blocks, int32_t threads, size_t shared_bytes, int64_t rows_a_block,
                   std::vector<void*> arguments);
  uint64_t wait_for_pending();
  uint64_t settle(Pending work, const Words& words);
  bool parts_pay(const Rows& rows) const;
  // Bits of the number of parts, and slots of the table of one.
  std::pair<int32_t, int32_t> part_shape(const Rows& rows) const;
  // For records of so many words, of random groups.
  Parts make_parts(int32_t bits, double records, double groups, int32_t words);
  // Whether it went well; else nothing has changed but that the rows are counted.
  bool group_in_parts(const Rows& rows, uint64_t& failed);
  void merge(const uint64_t* slots, int64_t count);
  // A table with room for so many groups, and of so many slots, holds all of them.
  void reserve(uint64_t groups, uint64_t least_slots);
  Table make_table(uint64_t slots);
  uint64_t read_used();
  // Of all rows so far and these ones, when all are as the sample was; `doubt`: so many standard deviations more.
  double expected_groups(const Rows& rows, double doubt = 0) const;
  DeviceBatch columns(GroupControl& control, const GroupSlots& from, bool listed, int64_t bound, Words& words);
  int64_t tile_rows() const;
  size_t table_bytes(int32_t slots) const;
  size_t block_shared() const;
  cudaKernel_t load(const jit::KernelText& text) const { return device_.kernels->load({text})[0]; }

  Device& device_;
  const plan::Plan& plan_;
  jit::Segment segment_;
  jit::GroupTexts texts_;
  jit::GroupLayout layout_;
  GroupTiers tiers_;
  GroupStrings strings_;
  const std::vector<TypePtr>& output_;  // as kernels write it
  cudaKernel_t blocks_kernel_, finish_kernel_;
  DeviceLiterals literals_;
  std::optional<DeviceJoins> joins_;

  std::optional<Pending> pending_;
  Table table_;
  Dense dense_;
  int32_t block_slots_ = 0, block_threads_ = 0;
  int64_t most_blocks_ = 0;  // that run at once
  int32_t row_bytes_ = 0;    // of a tile's row in shared memory, beside the table
  bool blocks_pay_ = false;
  int64_t arrived_ = 0;  // rows of batches
  int64_t passed_ = 0;
  int64_t grown_ = 0;
  // What blocks had taken when their tables did not pay.
  struct Sample {
    double blocks = 0;
    double rows = 0, groups = 0, refused = 0;  // of a block on the average; refused: rows of groups that found no room
  } sample_;
  int64_t most_groups_ = 0;  // in the table after what was begun
  int32_t part_bits_ = 0;
  bool without_keys_ = false;
  bool holds_columns_ = false;  // kernels take views of columns as a parameter
};

}  // namespace quern::cuda
