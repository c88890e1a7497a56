#include "cpu/join_tiles.hpp"

#include <algorithm>

namespace quern::cpu {

namespace {

constexpr int64_t every_row = -1;

}  // namespace

JoinTiles::JoinTiles(Context& context, std::shared_ptr<const plan::Plan> plan, plan::NodeIndex node, JoinBuild& build)
    : context_(context),
      join_(std::get<plan::Join>(plan->nodes[static_cast<size_t>(node)].op)),
      build_(build),
      residual_(context, plan, join_.residual) {}

template <typename Each>
void JoinTiles::for_tiles(Each&& each) {
  const auto& chunks = build_.table().payload().chunks();
  const int64_t most = build_.table().vector_rows();
  for (size_t chunk = 0; chunk < chunks.size(); ++chunk) {
    for (int64_t at = 0; at < chunks[chunk].rows; at += most) {
      Tile tile;
      tile.rows = std::min(most, chunks[chunk].rows - at);
      tile.first = row_id(static_cast<int64_t>(chunk), at);
      for (const auto& column : chunks[chunk].columns)
        tile.columns.push_back(slice(context_.memory(), column, at, tile.rows));
      each(tile);
    }
  }
}

void JoinTiles::join(const Batch& batch, JoinOutput& output) {
  if (join_.residual.empty()) {
    join_all(batch, output);
  } else {
    for_tiles([&](const Tile& tile) {
      output.count_tested(batch.rows * tile.rows);
      if (tile.rows >= batch.rows) {
        for (int64_t row = 0; row < batch.rows; ++row) test_row(batch, row, tile, output);
      } else {
        for (int64_t row = 0; row < tile.rows; ++row) test_tile_row(batch, tile, row, output);
      }
    });
  }
  output.flush();
  if (!output.keeps_probe_rows()) return;
  for (int64_t row = 0; row < batch.rows; ++row) output.end_row(static_cast<uint32_t>(row));
}

// Every pair is one.
void JoinTiles::join_all(const Batch& batch, JoinOutput& output) {
  const int64_t rows = build_.table().rows();
  if (rows == 0) return;
  for (int64_t row = 0; row < batch.rows; ++row) output.set_match(static_cast<uint32_t>(row));
  if (output.decides()) return;
  if (join_.type == plan::JoinType::single && rows > 1) throw output.several_rows();
  output.count_tested(batch.rows * rows);
  for_tiles([&](const Tile& tile) {
    if (output.marks_build_rows()) {
      for (int64_t i = 0; i < tile.rows; ++i) build_.table().mark(tile.first + i);
    }
    if (rows >= batch.rows) {
      for (int64_t row = 0; row < batch.rows; ++row) give(batch, row, tile, every_row, output);
    } else {
      for (int64_t row = 0; row < tile.rows; ++row) give(batch, every_row, tile, row, output);
    }
  });
}

// One row of one side with all of the other.
void JoinTiles::give(const Batch& batch, int64_t row, const Tile& tile, int64_t tile_row, JoinOutput& output) {
  context_.check_cancelled();
  Batch out;
  out.rows = row == every_row ? batch.rows : tile.rows;
  for (const int32_t column : join_.keep) {
    if (column >= output.columns().probe_count)
      out.columns.push_back(build_column(output, column, tile, tile_row, out.rows));
    else if (row == every_row)
      out.columns.push_back(batch.columns[static_cast<size_t>(column)]);
    else
      out.columns.push_back(make_constant(batch.columns[static_cast<size_t>(column)], row, out.rows));
  }
  output.give(std::move(out));
}

ColumnPtr JoinTiles::build_column(const JoinOutput& output, int32_t column, const Tile& tile, int64_t tile_row,
                                  int64_t rows) {
  const JoinColumns& columns = output.columns();
  const auto place = static_cast<size_t>(columns.payload_at[static_cast<size_t>(column - columns.probe_count)]);
  return tile_row == every_row ? tile.columns[place] : make_constant(tile.columns[place], tile_row, rows);
}

void JoinTiles::test_row(const Batch& batch, int64_t row, const Tile& tile, JoinOutput& output) {
  const auto at = static_cast<uint32_t>(row);
  if (output.is_decided(at)) return;
  context_.check_cancelled();
  const JoinColumns& columns = output.columns();
  Batch input;
  input.rows = tile.rows;
  input.columns.resize(static_cast<size_t>(columns.probe_count) + columns.payload_at.size());
  for (const int32_t column : columns.residual) {
    input.columns[static_cast<size_t>(column)] =
        column < columns.probe_count ? make_constant(batch.columns[static_cast<size_t>(column)], row, tile.rows)
                                     : build_column(output, column, tile, every_row, tile.rows);
  }
  selected_.resize(static_cast<size_t>(tile.rows));
  const int64_t count = residual_.select(input, selected_.data());
  if (output.decides()) {
    if (count > 0) output.set_match(at);
    return;
  }
  for (int64_t next = 0; next < count;) {
    const uint32_t* passing = selected_.data() + next;
    next += output.add(at, count - next, [&](int64_t i) { return tile.first + passing[i]; });
  }
}

void JoinTiles::test_tile_row(const Batch& batch, const Tile& tile, int64_t tile_row, JoinOutput& output) {
  context_.check_cancelled();
  const JoinColumns& columns = output.columns();
  Batch input;
  input.rows = batch.rows;
  input.columns.resize(static_cast<size_t>(columns.probe_count) + columns.payload_at.size());
  for (const int32_t column : columns.residual) {
    input.columns[static_cast<size_t>(column)] = column < columns.probe_count
                                                     ? batch.columns[static_cast<size_t>(column)]
                                                     : build_column(output, column, tile, tile_row, batch.rows);
  }
  selected_.resize(static_cast<size_t>(batch.rows));
  const int64_t count = residual_.select(input, selected_.data());
  const int64_t id = tile.first + tile_row;
  for (int64_t i = 0; i < count; ++i) {
    const uint32_t row = selected_[static_cast<size_t>(i)];
    if (output.decides())
      output.set_match(row);
    else
      output.add(row, 1, [id](int64_t) { return id; });
  }
}

}  // namespace quern::cpu
