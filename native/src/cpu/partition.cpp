#include "cpu/partition.hpp"

#include "common/error.hpp"

namespace quern::cpu {

namespace {

std::vector<int64_t> boundaries_of(std::span<const int32_t> part_of, int64_t parts) {
  std::vector<int64_t> boundaries(static_cast<size_t>(parts) + 1, 0);
  for (const int32_t part : part_of) {
    if (part < 0 || part >= parts)
      throw internal_error("part " + std::to_string(part) + " of " + std::to_string(parts));
    ++boundaries[static_cast<size_t>(part) + 1];
  }
  for (size_t part = 1; part < boundaries.size(); ++part) boundaries[part] += boundaries[part - 1];
  return boundaries;
}

// Whether rows lie by part already: one part, or ascending ones.
bool is_in_order(std::span<const int32_t> part_of) {
  for (size_t row = 1; row < part_of.size(); ++row) {
    if (part_of[row] < part_of[row - 1]) return false;
  }
  return true;
}

}  // namespace

Parts partition(Memory& memory, const Batch& batch, std::span<const int32_t> part_of, int64_t parts) {
  if (parts < 1) throw internal_error(std::to_string(parts) + " parts");
  if (static_cast<int64_t>(part_of.size()) != batch.rows)
    throw internal_error(std::to_string(part_of.size()) + " parts of " + std::to_string(batch.rows) + " rows");
  Parts out{batch, boundaries_of(part_of, parts)};
  if (is_in_order(part_of)) return out;
  std::vector<int64_t> next(out.boundaries.begin(), out.boundaries.end() - 1);
  std::vector<int64_t> order(part_of.size());
  for (size_t row = 0; row < part_of.size(); ++row)
    order[static_cast<size_t>(next[static_cast<size_t>(part_of[row])]++)] = static_cast<int64_t>(row);
  for (auto& column : out.rows.columns) column = gather(memory, column, order.data(), batch.rows);
  return out;
}

}  // namespace quern::cpu
