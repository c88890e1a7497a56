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

bool keeps_first(const plan::Join& join) {
  return join.type == plan::JoinType::left || join.type == plan::JoinType::full || join.type == plan::JoinType::single;
}
bool keeps_second(const plan::Join& join) {
  return join.type == plan::JoinType::right || join.type == plan::JoinType::full;
}

DeviceBufferPtr no_bits(Device& device, int64_t bits) {
  return device.memory.allocate_zeroed(static_cast<size_t>((bits + 31) / 32) * 4);
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
  const bool tests = !join.residual.empty();
  const JoinNeeds needs{!plan::decides_rows(join.type), tests, keeps_second(join) && !tests};
  auto table = std::make_shared<DeviceJoinTable>(device, std::move(rows), words, keys, mask->as<uint32_t>(), needs);
  if (join.null_aware)
    table->set_null_keys(select(device, mask->as<uint32_t>(), table->rows().rows).count < table->rows().rows);
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
      first_types_(segment.input),
      kernel_(device.kernels->load({jit::probe_text(plan, segment)})[0]),
      literals_(device, jit::probe_text(plan, segment).literals),
      joins_(device, {table_}, {table_->rows()}, 0),
      second_(table_->rows().columns),
      adds_none_(keeps_first(join_)),
      by_row_(plan::decides_rows(join_.type)),
      can_fail_(jit::probe_text(plan, segment).source.find("fail(in, row)") != std::string::npos) {
  if (!join_.residual.empty()) {
    const auto text = jit::pair_text(plan, segment);
    pair_kernel_ = device.kernels->load({text})[0];
    pair_literals_.emplace(device, text.literals);
  }
  if (keeps_second(join_)) marks_ = no_bits(device, table_->rows().rows);
  if (!adds_none_) return;
  const auto first_columns = static_cast<int32_t>(first_types_.size());
  for (const int32_t column : join_.keep) {
    if (column < first_columns) continue;
    auto& own = second_[static_cast<size_t>(column - first_columns)];
    if (own->length == table_->rows().rows) own = with_null_row(device, layout, own);
  }
}

uint64_t JoinStage::process(const DeviceBatch& batch, const Next& next) {
  if (batch.rows == 0) return no_failure;
  const auto mask = mask_of(device_, batch.rows);
  const auto found = device_.memory.allocate(static_cast<size_t>(batch.rows) * 4);
  DeviceInput input(device_, batch, literals_, nullptr, batch.rows);
  joins_.bind(*input.get());
  void *found_rows = found->data(), *mask_words = mask->data();
  launch(device_, "probe_rows", kernel_, resident_blocks(device_, kernel_, threads, 0, batch.rows), threads, 0,
         {input.get(), &found_rows, &mask_words});
  if (can_fail_) {
    if (const uint64_t failed = input.failure(device_); failed != no_failure) return failed;
  }
  give(batch, found, mask, next);
  return no_failure;
}

// Rows by what they found.
void JoinStage::give(const DeviceBatch& batch, DeviceBufferPtr found, const DeviceBufferPtr& mask, const Next& next) {
  const bool tests = pair_kernel_ != nullptr;
  if (join_.type == plan::JoinType::mark && !tests)
    return next(joined(batch, {nullptr, nullptr, batch.rows}, mark_column(found->as<uint32_t>(), nullptr, batch.rows)));
  RowIds kept{nullptr, batch.rows};
  if (!jit::keeps_all(join_)) kept = select(device_, mask->as<uint32_t>(), batch.rows);
  if (kept.count == 0) return;
  const bool all = kept.count == batch.rows, pairs_matter = tests || !by_row_;
  if (!all && pairs_matter) {
    const auto taken = device_.memory.allocate(static_cast<size_t>(kept.count) * 4);
    gather_values(device_, 4, found->data(), kept.rows->as<uint32_t>(), kept.count, taken->data());
    found = taken;
  }
  if (marks_ && !tests)
    mark_rows(device_, found->as<uint32_t>(), kept.count, static_cast<uint32_t>(table_->rows().rows),
              marks_->as<uint32_t>());
  if (!pairs_matter || table_->is_single()) {
    next(joined(batch, {all ? nullptr : kept.rows->as<uint32_t>(), found->as<uint32_t>(), kept.count}));
    return;
  }
  if (!kept.rows) {
    kept.rows = device_.memory.allocate(static_cast<size_t>(batch.rows) * 4);
    number_rows(device_, batch.rows, kept.rows->as<uint32_t>());
  }
  each_piece(kept.rows->as<uint32_t>(), found->as<uint32_t>(), kept.count, [&](const JoinPairs& pairs, int64_t count) {
    if (tests) return test_pairs(batch, pairs, count, next);
    if (join_.type == plan::JoinType::single && count > pairs.count) throw several_rows();
    give_pairs(batch, pairs, nullptr, count, next);
  });
}

void JoinStage::each_piece(const uint32_t* rows, const uint32_t* found, int64_t count,
                           const std::function<void(const JoinPairs&, int64_t)>& use) {
  const auto lengths = device_.memory.allocate(static_cast<size_t>(count) * 8);
  const auto targets = device_.memory.allocate(static_cast<size_t>(count + 1) * 8);
  const JoinLists& lists = table_->lists();
  const JoinPairs pairs{rows,
                        found,
                        targets->as<int64_t>(),
                        count,
                        lists.starts->as<int64_t>(),
                        lists.ends->as<int64_t>(),
                        lists.lists->as<uint32_t>(),
                        static_cast<uint32_t>(table_->rows().rows)};
  list_lengths(device_, pairs, adds_none_ && pair_kernel_ != nullptr ? 1 : 0, lengths->as<int64_t>());
  sum_lengths(device_, lengths->as<int64_t>(), count, targets->as<int64_t>());
  int64_t total = 0;
  device_.staging.to_host(&total, targets->as<int64_t>() + count, sizeof(total));
  ++device_.read_backs;
  if (total > most_pairs && count > 1) {
    const int64_t half = count / 2;
    each_piece(rows, found, half, use);
    each_piece(rows + half, found + half, count - half, use);
    return;
  }
  use(pairs, total);
}

void JoinStage::give_pairs(const DeviceBatch& batch, const JoinPairs& pairs, const uint32_t* chosen, int64_t count,
                           const Next& next) {
  if (count == 0) return;
  const auto first = device_.memory.allocate(static_cast<size_t>(count) * 4);
  const auto second = device_.memory.allocate(static_cast<size_t>(count) * 4);
  write_pairs(device_, pairs, chosen, count, first->as<uint32_t>(), second->as<uint32_t>());
  if (marks_ && pair_kernel_ != nullptr)
    mark_rows(device_, second->as<uint32_t>(), count, pairs.none, marks_->as<uint32_t>());
  next(joined(batch, {first->as<uint32_t>(), second->as<uint32_t>(), count}));
}

// A bit a pair: what fails is never written.
void JoinStage::test_pairs(const DeviceBatch& batch, const JoinPairs& pairs, int64_t count, const Next& next) {
  const auto mask = mask_of(device_, count), matched = no_bits(device_, pairs.count);
  DeviceInput input(device_, batch, *pair_literals_, nullptr, count);
  joins_.bind(*input.get());
  JoinPairs argument = pairs;
  void *mask_words = mask->data(), *matched_words = matched->data();
  launch(device_, "test_pairs", pair_kernel_, resident_blocks(device_, pair_kernel_, threads, 0, count), threads, 0,
         {input.get(), &argument, &mask_words, &matched_words});
  if (by_row_) return decide_rows(batch, pairs, matched->as<uint32_t>(), next);
  if (adds_none_) choose_unmatched(device_, pairs, matched->as<uint32_t>(), mask->as<uint32_t>());
  const RowIds chosen = select(device_, mask->as<uint32_t>(), count);
  if (join_.type == plan::JoinType::single && chosen.count > pairs.count) throw several_rows();
  give_pairs(batch, pairs, chosen.rows->as<uint32_t>(), chosen.count, next);
}

void JoinStage::decide_rows(const DeviceBatch& batch, const JoinPairs& pairs, const uint32_t* matched,
                            const Next& next) {
  if (join_.type == plan::JoinType::mark)
    return next(joined(batch, {pairs.rows, nullptr, pairs.count}, mark_column(pairs.found, matched, pairs.count)));
  RowIds chosen;
  if (join_.type == plan::JoinType::semi) {
    chosen = select(device_, matched, pairs.count);
  } else {
    const auto unmatched = mask_of(device_, pairs.count);
    unmarked_rows(device_, matched, nullptr, pairs.count, unmatched->as<uint32_t>());
    chosen = select(device_, unmatched->as<uint32_t>(), pairs.count);
  }
  if (chosen.count == 0) return;
  const auto rows = device_.memory.allocate(static_cast<size_t>(chosen.count) * 4);
  gather_values(device_, 4, pairs.rows, chosen.rows->as<uint32_t>(), chosen.count, rows->data());
  next(joined(batch, {rows->as<uint32_t>(), nullptr, chosen.count}));
}

DeviceColumnPtr JoinStage::mark_column(const uint32_t* found, const uint32_t* matched, int64_t count) {
  auto out = std::make_shared<DeviceColumn>();
  out->type = make_type(TypeKind::boolean);
  out->length = count;
  out->data = device_.memory.allocate(static_cast<size_t>(count));
  out->validity = mask_of(device_, count);
  const auto nulls = device_.memory.allocate_zeroed(8);
  const int64_t rows = table_->rows().rows;
  const bool unknown = join_.null_aware && rows > 0;
  match_values(device_, found, matched, count, static_cast<uint32_t>(rows), unknown, unknown && table_->has_null_keys(),
               out->data->as<uint8_t>(), out->validity->as<uint32_t>(), nulls->as<unsigned long long>());
  device_.staging.to_host(&out->null_count, nulls->data(), 8);
  ++device_.read_backs;
  if (out->null_count == 0) out->validity = nullptr;
  return out;
}

Error JoinStage::several_rows() const {
  Error error = runtime_error("a scalar subquery gives more than one row");
  error.with_hint("add LIMIT 1 or an aggregate");
  if (join_.span) error.at(*join_.span);
  return error;
}

void JoinStage::finish(const Next& next) {
  const int64_t rows = table_->rows().rows;
  if (!marks_ || rows == 0) return;
  const auto mask = mask_of(device_, rows);
  const auto* leaders = pair_kernel_ == nullptr ? table_->leaders()->as<uint64_t>() : nullptr;
  unmarked_rows(device_, marks_->as<uint32_t>(), leaders, rows, mask->as<uint32_t>());
  const RowIds left = select(device_, mask->as<uint32_t>(), rows);
  if (left.count == 0) return;
  DeviceBatch absent;
  absent.rows = left.count;
  for (const auto& type : first_types_) absent.columns.push_back(null_column(device_, type, left.count));
  next(joined(absent, {nullptr, left.rows->as<uint32_t>(), left.count}));
}

DeviceBatch JoinStage::joined(const DeviceBatch& batch, const Pairs& pairs, DeviceColumnPtr mark) {
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
  if (mark) out.columns.push_back(std::move(mark));
  return out;
}

}  // namespace quern::cuda
