#include "cpu/partition_folders.hpp"

#include <algorithm>

#include "cpu/hive_path.hpp"
#include "cpu/partition.hpp"

namespace quern::cpu {

namespace {

// Nothing for NULL.
std::optional<std::string_view> text_at(const Column& column, int64_t row) {
  if (column.form == Form::constant) row = 0;
  if (!column.is_valid(row)) return std::nullopt;
  const Column* base = &column;
  if (column.form == Form::dictionary) {
    row = column.values<uint32_t>()[row];
    base = column.children[0].get();
    if (!base->is_valid(row)) return std::nullopt;
  }
  const StringView& view = base->values<StringView>()[row];
  return std::string_view(view.data(), view.length);
}

}  // namespace

int32_t PartitionSplitter::folder_of(const Batch& batch, int64_t row) {
  const size_t first = batch.columns.size() - names_.size();
  key_.clear();
  for (size_t i = 0; i < names_.size(); ++i) {
    const auto text = text_at(*batch.columns[first + i], row);
    const int64_t length = text ? static_cast<int64_t>(text->size()) : -1;
    key_.append(reinterpret_cast<const char*>(&length), sizeof length);
    if (text) key_.append(*text);
  }
  if (last_ >= 0 && key_ == last_key_) return last_;
  last_key_ = key_;
  const auto [at, is_new] = known_.try_emplace(key_, static_cast<int32_t>(folders_.size()));
  if (is_new) {
    std::string folder;
    for (size_t i = 0; i < names_.size(); ++i) {
      if (i > 0) folder += '/';
      folder += hive_folder(names_[i], text_at(*batch.columns[first + i], row));
    }
    folders_.push_back(std::make_unique<std::string>(std::move(folder)));
  }
  return last_ = at->second;
}

std::vector<PartitionPiece> PartitionSplitter::split(Memory& memory, Batch& batch) {
  std::vector<int32_t> folder(static_cast<size_t>(batch.rows));
  for (int64_t row = 0; row < batch.rows; ++row) folder[static_cast<size_t>(row)] = folder_of(batch, row);
  batch.columns.resize(batch.columns.size() - names_.size());

  // Parts are the folders in the order of their first rows.
  std::vector<int32_t> place(folders_.size(), -1);
  std::vector<PartitionPiece> pieces;
  for (int32_t& number : folder) {
    int32_t& at = place[static_cast<size_t>(number)];
    if (at < 0) {
      at = static_cast<int32_t>(pieces.size());
      pieces.push_back({folders_[static_cast<size_t>(number)].get(), 0, 0});
    }
    number = at;
  }
  if (pieces.empty()) return pieces;
  Parts parts = partition(memory, batch, folder, static_cast<int64_t>(pieces.size()));
  for (size_t part = 0; part < pieces.size(); ++part) {
    pieces[part].first = parts.boundaries[part];
    pieces[part].rows = parts.boundaries[part + 1] - parts.boundaries[part];
  }
  batch = std::move(parts.rows);
  return pieces;
}

}  // namespace quern::cpu
