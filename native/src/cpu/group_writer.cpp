#include "cpu/group_writer.hpp"

namespace quern::cpu {

void GroupWriter::add(parquet::Shred&& shred) {
  rows_ += shred.rows;
  held_ += held_bytes(shred);
  cutter_.add(std::move(shred));
  write_groups();
}

void GroupWriter::flush() {
  cutter_.end();
  write_groups();
  cutter_.resume();
}

void GroupWriter::finish() {
  flush();
  close();
}

void GroupWriter::write_groups() {
  const auto& leaves = files_.schema().leaves;
  while (const std::shared_ptr<WriteGroup> group = cutter_.next()) {
    group->chunks.clear();
    group->chunks.resize(leaves.size());
    for (size_t leaf = 0; leaf < leaves.size(); ++leaf) {
      context_.check_cancelled();
      group->encode(context_.memory(), leaves[leaf], leaf, files_.options());
    }
    if (group->is_trial && !cutter_.take(*group)) continue;
    held_ -= group->held;
    sequence_.append(group->take());
  }
}

}  // namespace quern::cpu
