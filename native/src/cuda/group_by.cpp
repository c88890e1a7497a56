#include "cuda/group_by.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace quern::cuda {

namespace {

// Tables in shared memory, with these slots at most. A tile of four rows a thread fits the first table.
constexpr int64_t block_bytes = 75 * 1024;
constexpr int32_t most_block_slots = 2048, least_block_slots = 128, most_block_threads = 384;
// Groups of a part at the most on the average, by slots of its table.
constexpr double part_load = 0.5, most_part_load = 0.8;
// So many standard deviations beyond what is expected there is room for.
constexpr double room = 8;
constexpr int64_t most_part_rows = 1LL << 31;
constexpr int32_t most_bits = 2 * most_part_bits;

// `row_bytes`: of each row of a tile, which has as many rows as there are slots at most.
int32_t block_slots_for(const jit::GroupLayout& layout, int32_t row_bytes) {
  const int64_t slot_bytes = block_slot_bytes(layout.key_words + layout.aggregate_words);
  const auto fit = static_cast<uint32_t>(block_bytes / (slot_bytes + row_bytes));
  const auto slots = static_cast<int32_t>(std::bit_floor(fit));
  return slots < least_block_slots ? 0 : std::min(slots, most_block_slots);
}

// Of result columns that are allocated before it is known how many groups there are.
constexpr int64_t most_guessed_bytes = 256 << 20;
constexpr int32_t table_threads = 256;

int64_t row_bytes(const std::vector<TypePtr>& types) {
  int64_t bytes = 0;
  for (const auto& type : types) bytes += width(*type);
  return bytes;
}

std::vector<TypePtr> output_types(const plan::Plan& plan, plan::NodeIndex node) {
  std::vector<TypePtr> out;
  for (const auto& field : plan.nodes[static_cast<size_t>(node)].output) out.push_back(field.type);
  return out;
}

// Of the slots of a table three quarters are used.
uint64_t limit_of(uint64_t slots) { return slots - slots / 4; }

// Groups that `rows` random rows have of so many.
double groups_met(double groups, double rows) { return groups * -std::expm1(-rows / groups); }

// How many groups there are when of `rows` random rows all but the `refused` last new ones have `found` of them: the
// refused rows are as random ones of the groups that are not among those.
double groups_behind(double rows, double found, double refused) {
  const auto expected = [&](double groups) {
    const double others = std::max(groups - found, 1.0);
    return groups_met(groups, rows) - (refused > 0 ? groups_met(others, refused) : 0);
  };
  if (found + refused >= rows) return 1e18;
  double low = found, high = 1e18;
  for (int i = 0; i < 200 && high > low * 1.0001; ++i) {
    const double middle = std::sqrt(low * high);
    (expected(middle) < found ? low : high) = middle;
  }
  return high;
}

// Records of a part with room for chance, when `records` of `groups` groups go to `parts` of them: a part's groups vary
// by the root of their number, each with all of its records.
int64_t part_capacity(double records, double groups, double parts) {
  const double mean = records / parts, of_group = records / std::max(groups, 1.0);
  return static_cast<int64_t>(mean + room * std::sqrt(mean * (1 + of_group))) + 64;
}

}  // namespace

GroupBy::GroupBy(Device& device, const plan::Plan& plan, const jit::Segment& segment, GroupTiers tiers,
                 const Layout& layout)
    : device_(device),
      plan_(plan),
      segment_(segment),
      texts_(jit::group_texts(plan, segment)),
      layout_(jit::group_layout(plan, std::get<plan::HashGroupBy>(plan.nodes[static_cast<size_t>(*segment.group)].op))),
      tiers_(tiers),
      strings_(device, layout, texts_, output_types(plan, *segment.group)),
      output_(strings_.written()),
      literals_(device, texts_.literals()),
      without_keys_(layout_.keys.empty()),
      holds_columns_(jit::holds_columns(segment)) {
  const auto kernels = device_.kernels->load(texts_.now());
  blocks_kernel_ = kernels[0];
  finish_kernel_ = kernels[1];
  const auto joins = std::count_if(segment.fused.begin(), segment.fused.end(), [&](plan::NodeIndex node) {
    return std::holds_alternative<plan::Join>(plan.nodes[static_cast<size_t>(node)].op);
  });
  row_bytes_ = joins == 0 ? 0 : static_cast<int32_t>(4 * (1 + joins));
  block_slots_ = block_slots_for(layout_, row_bytes_);
  block_threads_ = std::min(most_block_threads, block_slots_ / 4);
  blocks_pay_ = tiers.blocks && block_threads_ > 0;
  check(cudaFuncSetAttribute(reinterpret_cast<const void*>(blocks_kernel_), cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(block_bytes)),
        "shared memory of group_blocks");
  if (blocks_pay_)
    most_blocks_ = resident_blocks(device_, blocks_kernel_, block_threads_, block_shared(), INT64_MAX / 2);
}

void GroupBy::look_into(const std::vector<std::shared_ptr<DeviceJoinTable>>& tables, size_t counts) {
  std::vector<DeviceBatch> rows;
  for (const auto& table : tables) rows.push_back(strings_.numbered(table->rows(), static_cast<int32_t>(rows.size())));
  joins_.emplace(device_, tables, std::move(rows), counts);
}

GroupBy::Table GroupBy::make_table(uint64_t slots) {
  constexpr uint64_t head = 256;  // the count of used slots, before the slots
  Table table;
  table.memory = device_.memory.allocate_zeroed(head + slots * static_cast<uint64_t>(layout_.slot_words()) * 8);
  auto* words = table.memory->as<uint64_t>();
  table.view = {words + head / 8, slots - 1, reinterpret_cast<unsigned long long*>(words), limit_of(slots)};
  return table;
}

uint64_t GroupBy::read_used() {
  uint64_t count = 0;
  if (table_.memory) device_.read_back(&count, table_.view.used, sizeof(count));
  return count;
}

void GroupBy::reserve(uint64_t groups, uint64_t least_slots) {
  const bool fits = table_.memory && table_.view.limit >= groups && table_.view.mask + 1 >= least_slots;
  if (fits && !dense_.slots) return;
  Table next = make_table(std::max(std::bit_ceil(groups + groups / 3 + 1), least_slots));
  if (table_.memory) {
    rehash(device_, layout_, table_.slots(), next.view);
    ++grown_;
  }
  if (dense_.slots) rehash(device_, layout_, {dense_.slots->as<uint64_t>(), dense_.count}, next.view);
  dense_ = {};
  table_ = std::move(next);
}

void GroupBy::launch_over(const Rows& rows, const GroupControl& control, const DeviceLiterals& literals,
                          const char* name, cudaKernel_t kernel, int64_t most_blocks, int32_t threads,
                          size_t shared_bytes, int64_t rows_a_block, std::vector<void*> arguments) {
  auto views = column_views(rows.batch);
  const auto run = [&](Input input) {
    if (input.count == 0) return;
    if (joins_) joins_->bind(input);
    if (rows.counted) input.counts = nullptr;
    input.before = rows.before;
    arguments[0] = &input;
    if (holds_columns_) arguments[1] = views.data();
    launch(device_, name, kernel, std::min(most_blocks, (input.count + rows_a_block - 1) / rows_a_block), threads,
           shared_bytes, arguments);
  };
  arguments.insert(arguments.begin(), holds_columns_ ? 2 : 1, nullptr);
  if (rows.numbered > 0) run(control.input(literals, rows.numbers->as<uint32_t>(), 0, rows.numbered));
  run(control.input(literals, nullptr, rows.first, rows.count));
}

int64_t GroupBy::tile_rows() const { return static_cast<int64_t>(block_threads_) * jit::rows_a_thread(layout_); }

size_t GroupBy::table_bytes(int32_t slots) const {
  return static_cast<size_t>(slots) *
         static_cast<size_t>(block_slot_bytes(layout_.key_words + layout_.aggregate_words));
}

size_t GroupBy::block_shared() const {
  return table_bytes(block_slots_) + static_cast<size_t>(tile_rows() * row_bytes_);
}

uint64_t GroupBy::update(const DeviceBatch& batch) {
  if (const uint64_t failed = wait_for_pending(); failed != no_failure) return failed;
  if (batch.rows == 0) return no_failure;
  Rows rows;
  uint64_t failed = no_failure;
  rows.batch = strings_.with_made(batch, failed);
  if (failed != no_failure) return failed;
  rows.batch = strings_.numbered(rows.batch, -1);
  rows.count = batch.rows;
  rows.before = std::exchange(arrived_, arrived_ + batch.rows);
  failed = group(std::move(rows));
  // A pending batch keeps its memory from the next one.
  const bool wait = texts_.can_fail() || device_.memory.used() > device_.memory.limit() / 2;
  return failed == no_failure && wait ? wait_for_pending() : failed;
}

uint64_t GroupBy::wait_for_pending() {
  while (pending_) {
    Pending work = *std::exchange(pending_, std::nullopt);
    const Words words = work.control.read(device_);
    if (const uint64_t failed = settle(std::move(work), words); failed != no_failure) return failed;
  }
  return no_failure;
}

uint64_t GroupBy::group(Rows rows) {
  if (rows.all() == 0) return no_failure;
  if (blocks_pay_) {
    start_blocks(std::move(rows));
    return no_failure;
  }
  if (parts_pay(rows)) {
    uint64_t failed = no_failure;
    if (group_in_parts(rows, failed)) return failed;
    rows.counted = true;
  }
  start_table(std::move(rows));
  return no_failure;
}

void GroupBy::start_blocks(Rows rows) {
  if (!table_.memory || dense_.slots) reserve(static_cast<uint64_t>(dense_.count), tiers_.first_slots);
  const int64_t tile = tile_rows(), blocks = std::min(most_blocks_, (rows.count + tile - 1) / tile);
  // Half of it is for what blocks hold when they learn that they are to stop.
  const auto capacity = static_cast<uint64_t>(std::min(rows.count, 4 * blocks * block_slots_));
  const auto spilled = device_.memory.allocate(capacity * static_cast<uint64_t>(layout_.slot_words()) * 8);
  // The tile with which a block stops, and the one that it had drawn.
  const auto returned = device_.memory.allocate(static_cast<size_t>(std::min(rows.count, 2 * blocks * tile)) * 4);
  GroupSpill spill{spilled->as<uint64_t>(), capacity};
  uint32_t* left = returned->as<uint32_t>();
  int32_t slots = block_slots_;
  auto full = static_cast<uint32_t>(slots / 2);
  GroupControl control(device_, rows.batch, output_.size());
  GroupCounters* counters = control.counters();
  launch_over(rows, control, literals_, "group_blocks", blocks_kernel_, most_blocks_, block_threads_, block_shared(),
              tile, {&table_.view, &spill, &left, &slots, &full, &counters});
  most_groups_ = static_cast<int64_t>(table_.view.limit);
  pending_.emplace(Pending{std::move(rows), std::move(control), returned, spilled, blocks});
}

void GroupBy::start_table(Rows rows) {
  const auto slot_bytes = static_cast<uint64_t>(layout_.slot_words()) * 8;
  const uint64_t spread = std::bit_floor(std::max<uint64_t>(tiers_.spread_bytes / slot_bytes, 1));
  const auto held = static_cast<uint64_t>(dense_.count) + (table_.memory ? table_.view.limit : 0);
  const auto most = held + static_cast<uint64_t>(rows.all());
  const auto expected = static_cast<uint64_t>(expected_groups(rows) * 1.05) + static_cast<uint64_t>(dense_.count);
  reserve(std::min(most, expected), std::min(spread, std::bit_ceil(4 * most)));
  const auto overflow = device_.memory.allocate(static_cast<size_t>(rows.all()) * 4);
  uint32_t* left = overflow->as<uint32_t>();
  GroupControl control(device_, rows.batch, output_.size());
  GroupCounters* counters = control.counters();
  const auto kernel = load(texts_.table);
  launch_over(rows, control, literals_, "group_table", kernel,
              resident_blocks(device_, kernel, table_threads, 0, rows.all()), table_threads, 0, table_threads,
              {&table_.view, &left, &counters});
  // Threads that run together may all pass the limit.
  most_groups_ = static_cast<int64_t>(table_.view.limit) + device_.info.multiprocessors * 2048LL;
  pending_.emplace(Pending{std::move(rows), std::move(control), overflow, nullptr, 0});
}

// Begins what kernels left undone.
uint64_t GroupBy::settle(Pending work, const Words& words) {
  if (words.failure != no_failure) return words.failure;
  const GroupCounters& counters = words.counters;
  if (counters.lost != 0) throw internal_error("a group table ran over");
  const bool first = passed_ == 0;
  if (!work.rows.counted) passed_ += static_cast<int64_t>(counters.passed);
  Rows rest;
  rest.batch = std::move(work.rows.batch);
  rest.before = work.rows.before;
  rest.numbers = std::move(work.left);
  if (work.blocks == 0) {
    rest.numbered = static_cast<int64_t>(counters.overflow);
    if (rest.numbered == 0) return no_failure;
    const uint64_t used = read_used();
    // A greater one in any case: a search may have been given up before the limit.
    reserve(std::max(std::min(used + static_cast<uint64_t>(rest.numbered), 4 * used), table_.view.limit + 1), 0);
    return group(std::move(rest));
  }
  if (counters.spilled > 0) merge(work.spilled->as<uint64_t>(), static_cast<int64_t>(counters.spilled));
  const int64_t tile = tile_rows();
  const int64_t taken = std::min(work.rows.count, (work.blocks + static_cast<int64_t>(counters.tickets)) * tile);
  rest.numbered = static_cast<int64_t>(counters.returned);
  rest.first = work.rows.first + taken;
  rest.count = work.rows.count - taken;
  if (counters.stops > 0) {
    blocks_pay_ = false;
    const auto stops = static_cast<double>(counters.stops);
    sample_ = {stops, static_cast<double>(counters.stop_rows) / stops,
               static_cast<double>(counters.stop_groups) / stops, static_cast<double>(counters.stop_refused) / stops};
    if (first && rest.numbered == taken) table_ = {};  // nothing came of it
  }
  return group(std::move(rest));
}

void GroupBy::merge(const uint64_t* slots, int64_t count) {
  const uint64_t groups = read_used() + static_cast<uint64_t>(count);
  if (table_.view.limit < groups) reserve(std::max(groups, 2 * table_.view.limit), 0);
  GroupControl control(device_, {}, 0);
  GroupCounters* counters = control.counters();
  const auto kernel = load(texts_.merge);
  constexpr int32_t threads = 256;
  launch(device_, "merge_groups", kernel, resident_blocks(device_, kernel, threads, 0, count), threads, 0,
         {&slots, &count, &table_.view, &counters});
  if (control.read(device_).counters.lost != 0) throw internal_error("a group table ran over");
}

double GroupBy::expected_groups(const Rows& rows, double doubt) const {
  if (sample_.rows == 0) return 0;
  // What tells the number of groups is how many rows met one another.
  const double met = std::max(sample_.blocks * (sample_.rows - sample_.groups - sample_.refused), 1.0);
  const double groups = groups_behind(sample_.rows, sample_.groups, sample_.refused) * (1 + doubt / std::sqrt(met));
  return std::max(sample_.groups, groups_met(groups, static_cast<double>(passed_ + rows.all())));
}

// Small tables leave room for more blocks; so many groups that they ask for more parts than there may be get greater
// ones.
std::pair<int32_t, int32_t> GroupBy::part_shape(const Rows& rows) const {
  const double groups = expected_groups(rows, 1);
  const int32_t half = block_slots_ / 2;
  const int32_t slots = groups <= part_load * half * (1 << most_bits) ? half : block_slots_;
  const double wanted = std::max(static_cast<double>(rows.all()) / tiers_.part_rows, groups / (part_load * slots));
  const auto bits = static_cast<int32_t>(std::ceil(std::log2(std::max(wanted, 1.0))));
  return {std::clamp(bits, 2, most_bits), slots};
}

bool GroupBy::parts_pay(const Rows& rows) const {
  const double groups = expected_groups(rows);
  const auto all = static_cast<double>(rows.all());
  const double bytes = all * 2.5 * (layout_.row_words() + 1) * 8 + all * layout_.slot_words() * 8;
  return texts_.has_parts && block_slots_ > 0 && rows.all() >= tiers_.least_part_rows &&
         groups >= tiers_.least_part_groups && passed_ + rows.all() < most_part_rows &&
         groups <= most_part_load * block_slots_ * (1 << most_bits) &&
         bytes < static_cast<double>(device_.memory.limit()) / 2;
}

GroupBy::Parts GroupBy::make_parts(int32_t bits, double records, double groups, int32_t words) {
  Parts out;
  GroupParts& parts = out.view;
  parts.first.bits = (bits + 1) / 2;
  parts.second.bits = bits - parts.first.bits;
  const auto firsts = static_cast<size_t>(1) << parts.first.bits, all = static_cast<size_t>(1) << bits;
  parts.first.capacity = part_capacity(records, groups, static_cast<double>(firsts));
  parts.second.capacity = part_capacity(records, groups, static_cast<double>(all));
  const auto bytes = static_cast<size_t>(words) * 8;
  out.used = device_.memory.allocate_zeroed((firsts + all) * 8);
  out.sent = device_.memory.allocate(firsts * static_cast<size_t>(parts.first.capacity) * bytes);
  out.ordered = device_.memory.allocate(all * static_cast<size_t>(parts.second.capacity) * bytes);
  parts.first.used = out.used->as<unsigned long long>();
  parts.second.used = parts.first.used + firsts;
  parts.records = out.sent->as<uint64_t>();
  parts.ordered = out.ordered->as<uint64_t>();
  return out;
}

// A key with many rows overflows its part.
bool GroupBy::group_in_parts(const Rows& rows, uint64_t& failed) {
  const GroupSlots slots_before =
      dense_.slots ? GroupSlots{dense_.slots->as<uint64_t>(), dense_.count} : table_.slots();
  const double groups = expected_groups(rows), most = expected_groups(rows, 4);
  auto [bits, slots] = part_shape(rows);
  std::vector<bool> nullable;
  for (const auto& column : rows.batch.columns) nullable.push_back(column->valid_words() != nullptr);
  const auto texts = jit::part_texts(plan_, segment_, nullable);
  const auto kernels = device_.kernels->load({texts.partition, texts.again, texts.group});
  const DeviceLiterals literals(device_, texts.partition.literals);
  const auto held = static_cast<double>(dense_.count) + (table_.memory ? static_cast<double>(table_.view.limit) : 0);
  Parts parts = make_parts(bits, static_cast<double>(rows.all()), groups, texts.record_words), before;
  if (slots_before.count > 0) before = make_parts(bits, held, held, 1);
  auto capacity = static_cast<uint64_t>(std::min(static_cast<double>(rows.all()) + held, most * 1.05 + held + 65536));
  const auto out = device_.memory.allocate(capacity * static_cast<uint64_t>(layout_.slot_words()) * 8);

  GroupControl control(device_, rows.batch, 0);
  GroupCounters* counters = control.counters();
  if (slots_before.count > 0) partition_slots(device_, layout_, slots_before, before.view, counters);
  const auto allow = [&](cudaKernel_t kernel, size_t bytes) {
    check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(bytes)),
          "shared memory of parts");
  };
  const int64_t tile = part_tile(texts.record_words);
  const auto shared = static_cast<size_t>(part_shared_bytes(texts.record_words));
  const auto blocks = [&](cudaKernel_t kernel, int64_t tiles) {
    return resident_blocks(device_, kernel, part_threads, shared, tiles * part_threads);
  };
  allow(kernels[0], shared);
  allow(kernels[1], shared);
  launch_over(rows, control, literals, "partition_groups", kernels[0],
              blocks(kernels[0], (rows.all() + tile - 1) / tile), part_threads, shared, tile, {&parts.view, &counters});
  const int64_t tiles = ((parts.view.first.capacity + tile - 1) / tile) << parts.view.first.bits;
  launch(device_, "repartition_groups", kernels[1], blocks(kernels[1], tiles), part_threads, shared,
         {&parts.view, &counters});
  const int32_t threads = std::min(part_group_threads, slots / 4);
  const size_t table = table_bytes(slots);
  allow(kernels[2], table);
  const uint64_t* from = slots_before.slots;
  uint64_t* to = out->as<uint64_t>();
  launch(device_, "group_parts", kernels[2],
         resident_blocks(device_, kernels[2], threads, table, (int64_t{1} << bits) * threads), threads, table,
         {&parts.view, &before.view, &slots, &from, &to, &capacity, &counters});
  const auto words = control.read(device_);
  failed = words.failure;
  if (failed != no_failure) return true;
  if (!rows.counted) passed_ += static_cast<int64_t>(words.counters.passed);
  if (words.counters.overflow != 0) return false;
  part_bits_ = bits;
  table_ = {};
  dense_ = {out, static_cast<int64_t>(words.counters.groups)};
  return true;
}

// `bound` groups at most as columns; waits. `listed`: which slots are taken is not known.
DeviceBatch GroupBy::columns(GroupControl& control, const GroupSlots& from, bool listed, int64_t bound, Words& words) {
  std::vector<std::shared_ptr<DeviceColumn>> columns;
  std::vector<OutputView> views;
  for (size_t i = 0; i < output_.size(); ++i) {
    auto column = std::make_shared<DeviceColumn>();
    column->type = output_[i];
    column->data = device_.memory.allocate(static_cast<size_t>(bound) * static_cast<size_t>(width(*output_[i])));
    column->validity = device_.memory.allocate(static_cast<size_t>((bound + 31) / 32) * 4);
    views.push_back({column->data->data(), column->validity->as<uint32_t>(), control.nulls(i)});
    columns.push_back(std::move(column));
  }
  const auto outputs = device_.memory.allocate(views.size() * sizeof(OutputView));
  device_.staging.to_device(outputs->data(), views.data(), views.size() * sizeof(OutputView));
  const auto numbers = device_.memory.allocate(static_cast<size_t>(bound) * 4);
  const uint64_t* slots = from.slots;
  const uint32_t* rows = listed ? numbers->as<uint32_t>() : nullptr;
  const unsigned long long* counted = control.listed();
  const OutputView* output = outputs->as<OutputView>();
  uint64_t* unfit = control.unfit();
  if (listed) list_groups(device_, layout_, from, numbers->as<uint32_t>(), bound, control.listed());
  constexpr int32_t threads = 256;
  launch(device_, "finish_groups", finish_kernel_, resident_blocks(device_, finish_kernel_, threads, 0, bound), threads,
         0, {&slots, &rows, &counted, &bound, &output, &unfit});
  words = control.read(device_);
  DeviceBatch out;
  out.rows = static_cast<int64_t>(words.listed);
  for (size_t i = 0; i < columns.size(); ++i) {
    columns[i]->length = out.rows;
    columns[i]->null_count = control.null_count(i);
    if (columns[i]->null_count == 0) columns[i]->validity = nullptr;
    out.columns.push_back(std::move(columns[i]));
  }
  return out;
}

DeviceBatch GroupBy::finish() {
  const auto whole = [&](DeviceBatch&& out, const Words& words) {
    if (words.unfit == no_failure) return strings_.named(std::move(out));
    switch (layout_.aggregates.at(words.unfit).kind) {
      case jit::AggregateKind::moments:
        throw runtime_error("variance is out of range of DOUBLE");
      case jit::AggregateKind::pair_moments:
      case jit::AggregateKind::pair_squares:
        throw runtime_error("a sum of products is out of range of DOUBLE");
      default:
        throw runtime_error("sum is out of range of DECIMAL(38)");
    }
  };
  Words words;
  if (pending_ && most_groups_ * row_bytes(output_) <= most_guessed_bytes) {
    // Most often everything is done then: one wait is for the groups and for the result.
    Pending work = *std::exchange(pending_, std::nullopt);
    const int64_t bound = most_groups_;
    DeviceBatch out = columns(work.control, table_.slots(), true, bound, words);
    const GroupCounters& left = words.counters;
    const bool done = words.failure == no_failure && left.stopped + left.spilled + left.overflow == 0 &&
                      out.rows <= bound && (out.rows > 0 || !without_keys_);
    if (settle(std::move(work), words) != no_failure) throw internal_error("an expression failed that cannot");
    if (done) return whole(std::move(out), words);
  }
  if (wait_for_pending() != no_failure) throw internal_error("an expression failed that cannot");
  if (dense_.slots) {
    GroupControl control(device_, {}, output_.size(), static_cast<unsigned long long>(dense_.count));
    DeviceBatch out = columns(control, {dense_.slots->as<uint64_t>(), dense_.count}, false, dense_.count, words);
    return whole(std::move(out), words);
  }
  reserve(1, tiers_.first_slots);
  uint64_t used = read_used();
  if (without_keys_ && used == 0) {
    const uint64_t head = 2;  // the one group there is even without rows
    device_.staging.to_device(table_.view.slots, &head, sizeof(head));
    used = 1;
  }
  GroupControl control(device_, {}, output_.size());
  DeviceBatch out = columns(control, table_.slots(), true, std::max<int64_t>(1, static_cast<int64_t>(used)), words);
  return whole(std::move(out), words);
}

std::string GroupBy::tier() const {
  std::string out = "shared " + std::to_string(blocks_pay_ || sample_.rows > 0 ? block_slots_ : 0) + " slots";
  if (sample_.rows > 0) {
    const auto whole = [](double number) { return std::to_string(static_cast<int64_t>(number)); };
    out += " (left: " + whole(sample_.groups + sample_.refused) + " groups in " + whole(sample_.rows) + " rows)";
  }
  if (part_bits_ > 0) return out + ", " + std::to_string(1 << part_bits_) + " parts";
  const uint64_t slots = table_.memory ? table_.view.mask + 1 : 0;
  return out + ", global " + std::to_string(slots) + " slots, grown " + std::to_string(grown_) + " times";
}

}  // namespace quern::cuda
