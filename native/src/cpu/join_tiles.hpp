// Every row of a batch with every row of the table, tile by tile: one row of one side against a vector of the other,
// whose columns are used as they are.
#pragma once
#include "cpu/join_output.hpp"

namespace quern::cpu {

// One thread's.
class JoinTiles {
 public:
  JoinTiles(Context& context, std::shared_ptr<const plan::Plan> plan, plan::NodeIndex node, JoinBuild& build);
  // Between output's start (without a residual) and end.
  void join(const Batch& batch, JoinOutput& output);

 private:
  struct Tile {
    std::vector<ColumnPtr> columns;  // by place in the payload
    int64_t rows = 0;
    int64_t first = 0;  // id of its first row
  };

  template <typename Each>
  void for_tiles(Each&& each);
  void join_all(const Batch& batch, JoinOutput& output);
  void give(const Batch& batch, int64_t row, const Tile& tile, int64_t tile_row, JoinOutput& output);
  void test_row(const Batch& batch, int64_t row, const Tile& tile, JoinOutput& output);
  void test_tile_row(const Batch& batch, const Tile& tile, int64_t tile_row, JoinOutput& output);
  ColumnPtr build_column(const JoinOutput& output, int32_t column, const Tile& tile, int64_t tile_row, int64_t rows);

  Context& context_;
  const plan::Join& join_;  // of the plan
  JoinBuild& build_;
  Predicate residual_;
  std::vector<uint32_t> selected_;
};

}  // namespace quern::cpu
