#include "cuda/join_stage.hpp"

#include <map>

#include "cuda/kernel_cache.hpp"
#include "cuda/move_kernels.hpp"
#include "cuda/sort_kernels.hpp"
#include "jit/join_text.hpp"

namespace quern::cuda {

namespace {

constexpr int32_t threads = 256;
// Of one piece of joined rows where keys repeat.
constexpr int64_t most_pairs = 1 << 26;

const plan::Node& join_node(const plan::Plan& plan, const jit::Segment& segment) {
  return plan.nodes[static_cast<size_t>(*segment.join)];
}

DeviceBufferPtr mask_of(Device& device, int64_t rows) {
  return device.memory.allocate(static_cast<size_t>((rows + 31) / 32) * 4);
}

// One row more, all NULL: what rows of a left join without a match get.
DeviceColumnPtr with_null_row(Device& device, const Layout& layout, const DeviceColumnPtr& column) {
  return concat(device, layout, {column, null_column(device, column->type, 1)});
}

}  // namespace

std::shared_ptr<DeviceJoinTable> make_join_table(Device& device, const plan::Plan& plan, const jit::Segment& segment,
                                                 const Layout& layout, DeviceBatch rows) {
  DeviceBatch keyed = rows;
  std::vector<std::unique_ptr<StringIds>> strings;
  for (const auto& key : jit::join_strings(plan, join_node(plan, segment))) {
    const auto& column = *rows.columns.at(static_cast<size_t>(key.column));
    strings.push_back(std::make_unique<StringIds>(device, layout, column.type, StringIds::slots_for(column.length)));
    keyed.columns.push_back(strings.back()->number(column));
  }
  const auto& join = std::get<plan::Join>(join_node(plan, segment).op);
  const auto text = jit::key_text(plan, segment);
  const auto kernel = device.kernels->load({text})[0];
  const int32_t words = jit::join_key_words(plan, join);
  const auto keys = device.memory.allocate(static_cast<size_t>(rows.rows) * static_cast<size_t>(words) * 8);
  const auto mask = mask_of(device, rows.rows);
  const DeviceLiterals literals(device, text.literals);
  if (rows.rows > 0) {
    DeviceInput input(device, keyed, literals, nullptr, rows.rows);
    void *key_words = keys->data(), *mask_words = mask->data();
    launch(device, "key_rows", kernel, resident_blocks(device, kernel, threads, 0, rows.rows), threads, 0,
           {input.get(), &key_words, &mask_words});
    device.wait();
  }
  const bool wants_lists = !plan::decides_rows(join.type);
  auto table = std::make_shared<DeviceJoinTable>(device, std::move(rows), words, keys, mask->as<uint32_t>(), wants_lists);
  table->keep_strings(device, std::move(strings));
  return table;
}

DeviceJoins::DeviceJoins(Device& device, std::vector<std::shared_ptr<DeviceJoinTable>> tables,
                         std::vector<DeviceBatch> rows, size_t counts)
    : tables_(std::move(tables)), rows_(std::move(rows)), count_(counts) {
  std::vector<JoinView> views;
  for (size_t i = 0; i < tables_.size(); ++i) {
    const auto& table = tables_[i];
    const auto columns = column_views(rows_.at(i));
    columns_.push_back(device.memory.allocate(columns.size() * sizeof(ColumnView)));
    device.staging.to_device(columns_.back()->data(), columns.data(), columns.size() * sizeof(ColumnView));
    views.push_back({table->view(), columns_.back()->as<ColumnView>(), static_cast<uint32_t>(table->rows().rows),
                     table->strings()});
  }
  views_ = device.memory.allocate(views.size() * sizeof(JoinView));
  device.staging.to_device(views_->data(), views.data(), views.size() * sizeof(JoinView));
  counts_ = device.memory.allocate_zeroed(counts * 8);
}

void DeviceJoins::bind(Input& input) const {
  input.joins = views_->as<JoinView>();
  // Rows that run again were counted.
  input.counts = count_ == 0 || input.rows != nullptr ? nullptr : counts_->as<unsigned long long>();
}

std::vector<int64_t> DeviceJoins::counts(Device& device) const {
  std::vector<int64_t> out(count_);
  if (count_ > 0) device.staging.to_host(out.data(), counts_->data(), count_ * 8);
  return out;
}

JoinStage::JoinStage(Device& device, const Layout& layout, const plan::Plan& plan, const jit::Segment& segment,
                     std::shared_ptr<DeviceJoinTable> table)
    : device_(device),
      layout_(layout),
      join_(std::get<plan::Join>(join_node(plan, segment).op)),
      table_(std::move(table)),
      kernel_(device.kernels->load({jit::probe_text(plan, segment)})[0]),
      literals_(device, jit::probe_text(plan, segment).literals),
      joins_(device, {table_}, {table_->rows()}, 0),
      second_(table_->rows().columns) {
  if (join_.type != plan::JoinType::left) return;
  const auto first_columns = static_cast<int32_t>(segment.input.size());
  for (const int32_t column : join_.keep) {
    if (column < first_columns) continue;
    auto& own = second_[static_cast<size_t>(column - first_columns)];
    if (own->length == table_->rows().rows) own = with_null_row(device, layout, own);
  }
}

void JoinStage::process(const DeviceBatch& batch, const std::function<void(const DeviceBatch&)>& next) {
  if (batch.rows == 0) return;
  const auto mask = mask_of(device_, batch.rows);
  auto found = device_.memory.allocate(static_cast<size_t>(batch.rows) * 4);
  DeviceInput input(device_, batch, literals_, nullptr, batch.rows);
  joins_.bind(*input.get());
  void *found_rows = found->data(), *mask_words = mask->data();
  launch(device_, "probe_rows", kernel_, resident_blocks(device_, kernel_, threads, 0, batch.rows), threads, 0,
         {input.get(), &found_rows, &mask_words});
  const bool by_row = plan::decides_rows(join_.type);
  // A left join keeps every row.
  RowIds kept{nullptr, batch.rows};
  if (join_.type != plan::JoinType::left) kept = select(device_, mask->as<uint32_t>(), batch.rows);
  if (kept.count == 0) return;
  const bool all = kept.count == batch.rows;
  if (!all && !by_row) {
    const auto taken = device_.memory.allocate(static_cast<size_t>(kept.count) * 4);
    gather_values(device_, 4, found->data(), kept.rows->as<uint32_t>(), kept.count, taken->data());
    found = taken;
  }
  if (by_row || table_->is_single()) {
    next(joined(batch, {all ? nullptr : kept.rows->as<uint32_t>(), found->as<uint32_t>(), kept.count}));
    return;
  }
  if (!kept.rows) {
    kept.rows = device_.memory.allocate(static_cast<size_t>(batch.rows) * 4);
    number_rows(device_, batch.rows, kept.rows->as<uint32_t>());
  }
  expand(batch, kept.rows->as<uint32_t>(), found->as<uint32_t>(), kept.count, next);
}

// All rows of each leader that was found. Halves of the rows where there would be too many pairs at once.
void JoinStage::expand(const DeviceBatch& batch, const uint32_t* rows, const uint32_t* found, int64_t count,
                       const std::function<void(const DeviceBatch&)>& next) {
  const auto lengths = device_.memory.allocate(static_cast<size_t>(count) * 8);
  const auto targets = device_.memory.allocate(static_cast<size_t>(count + 1) * 8);
  const JoinLists& lists = table_->lists();
  list_lengths(device_, found, count, lists.starts->as<int64_t>(), lists.ends->as<int64_t>(), lengths->as<int64_t>());
  sum_lengths(device_, lengths->as<int64_t>(), count, targets->as<int64_t>());
  int64_t pairs = 0;
  device_.staging.to_host(&pairs, targets->as<int64_t>() + count, sizeof(pairs));
  ++device_.read_backs;
  if (pairs > most_pairs && count > 1) {
    const int64_t half = count / 2;
    expand(batch, rows, found, half, next);
    expand(batch, rows + half, found + half, count - half, next);
    return;
  }
  const auto first = device_.memory.allocate(static_cast<size_t>(pairs) * 4);
  const auto second = device_.memory.allocate(static_cast<size_t>(pairs) * 4);
  write_pairs(device_, targets->as<int64_t>(), count, pairs, rows, found, lists.starts->as<int64_t>(),
              lists.lists->as<uint32_t>(), first->as<uint32_t>(), second->as<uint32_t>());
  next(joined(batch, {first->as<uint32_t>(), second->as<uint32_t>(), pairs}));
}

DeviceBatch JoinStage::joined(const DeviceBatch& batch, const Pairs& pairs) {
  const auto first_columns = static_cast<int32_t>(batch.columns.size());
  DeviceBatch out;
  out.rows = pairs.count;
  std::map<int32_t, DeviceColumnPtr> gathered;
  for (const int32_t index : join_.keep) {
    auto& column = gathered[index];
    if (!column && index < first_columns) {
      const auto& source = batch.columns[static_cast<size_t>(index)];
      column = pairs.first == nullptr ? source : gather(device_, layout_, *source, pairs.first, pairs.count);
    } else if (!column) {
      const auto& source = *second_[static_cast<size_t>(index - first_columns)];
      column = gather(device_, layout_, source, pairs.second, pairs.count);
    }
    out.columns.push_back(column);
  }
  return out;
}

}  // namespace quern::cuda
