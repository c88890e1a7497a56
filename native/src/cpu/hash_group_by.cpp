// Every thread groups what it sees in a table of its own (group_table.hpp); at the end the tables are merged partition
// by partition, partitions in parallel. Rows never move: a merged row is marked and left.
#include "cpu/hash_group_by.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>

#include "cpu/aggregate.hpp"
#include "cpu/expression.hpp"
#include "cpu/group_table.hpp"

namespace quern::cpu {

namespace {

// Aggregates of the node with their places in a row's states.
struct Aggregates {
  std::vector<std::unique_ptr<AggregateFunction>> functions;
  std::vector<int32_t> offsets;
  int32_t state_bytes = 0;
  bool owns_memory = false;

  std::vector<uint64_t> initial() const {
    std::vector<uint64_t> states(static_cast<size_t>(state_bytes) / sizeof(uint64_t));
    auto* bytes = reinterpret_cast<uint8_t*>(states.data());
    for (size_t i = 0; i < functions.size(); ++i) functions[i]->init(bytes + offsets[i]);
    return states;
  }
  void merge(uint8_t* into, uint8_t* from) const {
    for (size_t i = 0; i < functions.size(); ++i) functions[i]->merge(into + offsets[i], from + offsets[i]);
  }
  void destroy(uint8_t* states) const {
    for (size_t i = 0; i < functions.size(); ++i) functions[i]->destroy(states + offsets[i]);
  }
};

class GroupBy;

// Expressions of one thread; equal expressions are evaluated once a batch.
class Inputs {
 public:
  Inputs(Context& context, const std::shared_ptr<const plan::Plan>& plan) : context_(context), plan_(plan) {}
  void add(plan::ExprIndex expr) {
    if (!evaluators_.contains(expr)) evaluators_.emplace(expr, Evaluator(context_, plan_, expr));
  }
  void begin() { values_.clear(); }
  const ColumnPtr& value(plan::ExprIndex expr, const Batch& batch) {
    auto& value = values_[expr];
    if (!value) value = evaluators_.at(expr).evaluate(batch);
    return value;
  }

 private:
  Context& context_;
  std::shared_ptr<const plan::Plan> plan_;
  std::map<plan::ExprIndex, Evaluator> evaluators_;
  std::map<plan::ExprIndex, ColumnPtr> values_;
};

// Rows of a boolean column that are true.
void true_rows(Memory& memory, const ColumnPtr& column, std::vector<uint32_t>& rows) {
  rows.clear();
  const auto flat = flatten(memory, column);
  const auto* values = flat->values<uint8_t>();
  for (int64_t i = 0; i < flat->length; ++i) {
    if (values != nullptr && values[i] != 0 && flat->is_valid(i)) rows.push_back(static_cast<uint32_t>(i));
  }
}

class GroupLocal : public Sink::Local {
 public:
  GroupLocal(Context& context, const std::shared_ptr<const plan::Plan>& plan, const plan::HashGroupBy& op,
             const KeyLayout& layout, const Aggregates& aggregates)
      : context_(context),
        op_(op),
        aggregates_(aggregates),
        heap_(context.memory()),
        inputs_(context, plan),
        encoder_(context.memory(), layout),
        table_(context.memory(), layout, aggregates.initial()),
        states_at_(8 + 8 * static_cast<int64_t>(layout.words)) {
    for (const auto expr : op.keys) inputs_.add(expr);
    for (const auto& aggregate : op.aggregates) {
      for (const auto expr : aggregate.args) inputs_.add(expr);
      for (const auto& key : aggregate.order) inputs_.add(key.expr);
      if (aggregate.filter) inputs_.add(*aggregate.filter);
    }
  }

  void consume(int64_t morsel, const Batch& batch) {
    if (morsel != morsel_) {
      morsel_ = morsel;
      row_in_morsel_ = 0;
    }
    inputs_.begin();
    std::vector<ColumnPtr> keys;
    for (const auto expr : op_.keys) keys.push_back(inputs_.value(expr, batch));
    groups_.resize(static_cast<size_t>(std::max<int64_t>(batch.rows, 1)));
    const bool one_group = op_.keys.empty();
    if (one_group) {
      if (batch.rows > 0) groups_[0] = only_group();
    } else if (keys.size() == 1 && keys[0]->form == Form::dictionary) {
      find_by_codes(keys[0], batch.rows);
    } else {
      encoder_.encode(keys, batch.rows);
      table_.find_or_insert(encoder_.keys(), encoder_.hashes(), batch.rows, groups_.data());
    }
    if (batch.rows > 0) {
      for (size_t i = 0; i < op_.aggregates.size(); ++i) update(i, batch, one_group);
    }
    row_in_morsel_ += batch.rows;
  }

  GroupTable& table() { return table_; }
  uint8_t* only_group() {
    if (only_ == nullptr) {
      const uint64_t key = 0;
      const uint64_t hash = 0;
      table_.find_or_insert(&key, &hash, 1, &only_);
    }
    return only_;
  }

 private:
  // One key of dictionary codes: each entry is looked up once, its row stays where it is.
  void find_by_codes(const ColumnPtr& column, int64_t rows) {
    const auto& entries = column->children[0];
    if (dictionary_ != entries) {
      dictionary_ = entries;
      group_of_code_.assign(static_cast<size_t>(entries->length), nullptr);
    }
    const auto* codes = column->values<uint32_t>();
    const bool nulls = column->null_count > 0;
    new_codes_.clear();
    for (int64_t i = 0; i < rows; ++i) {
      if (nulls && !column->is_valid(i)) continue;
      auto& group = group_of_code_[codes[i]];
      if (group != nullptr) continue;
      group = &pending_;
      new_codes_.push_back(codes[i]);
    }
    if (!new_codes_.empty()) {
      const auto count = static_cast<int64_t>(new_codes_.size());
      new_groups_.resize(new_codes_.size());
      encoder_.encode({gather(context_.memory(), entries, new_codes_.data(), count)}, count);
      table_.find_or_insert(encoder_.keys(), encoder_.hashes(), count, new_groups_.data());
      for (size_t i = 0; i < new_codes_.size(); ++i) group_of_code_[new_codes_[i]] = new_groups_[i];
    }
    if (nulls && null_group_ == nullptr) {
      encoder_.encode({make_null_column(column->type, 1)}, 1);
      table_.find_or_insert(encoder_.keys(), encoder_.hashes(), 1, &null_group_);
    }
    for (int64_t i = 0; i < rows; ++i) {
      groups_[static_cast<size_t>(i)] = nulls && !column->is_valid(i) ? null_group_ : group_of_code_[codes[i]];
    }
  }

  void update(size_t index, const Batch& batch, bool one_group) {
    const auto& aggregate = op_.aggregates[index];
    AggregateInput input;
    input.rows = batch.rows;
    input.offset = states_at_ + aggregates_.offsets[index];
    input.one_group = one_group;
    input.heap = &heap_;
    input.groups = groups_.data();
    input.sequence = (morsel_ << 32) + row_in_morsel_;
    args_.clear();
    if (aggregate.filter) {
      true_rows(context_.memory(), inputs_.value(*aggregate.filter, batch), selected_);
      if (selected_.empty()) return;
      input.rows = static_cast<int64_t>(selected_.size());
      input.positions = selected_.data();
      if (!one_group) {
        selected_groups_.resize(selected_.size());
        for (size_t i = 0; i < selected_.size(); ++i) selected_groups_[i] = groups_[selected_[i]];
        input.groups = selected_groups_.data();
      }
    }
    const auto take = [&](plan::ExprIndex expr) {
      ColumnPtr value = inputs_.value(expr, batch);
      if (aggregate.filter) value = gather(context_.memory(), value, selected_.data(), input.rows);
      args_.push_back(std::move(value));
    };
    for (const auto expr : aggregate.args) take(expr);
    for (const auto& key : aggregate.order) take(key.expr);
    input.args = args_.data();
    aggregates_.functions[index]->update(input);
  }

  Context& context_;
  const plan::HashGroupBy& op_;
  const Aggregates& aggregates_;
  StringHeap heap_;  // of states
  Inputs inputs_;
  KeyEncoder encoder_;
  GroupTable table_;
  int64_t states_at_;
  uint8_t* only_ = nullptr;
  ColumnPtr dictionary_;  // whose codes group_of_code_ is for
  std::vector<uint8_t*> group_of_code_;
  std::vector<uint32_t> new_codes_;
  std::vector<uint8_t*> new_groups_;
  uint8_t* null_group_ = nullptr;
  uint8_t pending_ = 0;  // its address marks a code of the batch that is being looked up
  std::vector<uint8_t*> groups_;
  std::vector<uint8_t*> selected_groups_;
  std::vector<uint32_t> selected_;
  std::vector<ColumnPtr> args_;
  int64_t morsel_ = -1;
  int64_t row_in_morsel_ = 0;
};

// The groups of one partition after merging.
using GroupRows = std::vector<uint8_t*>;

class GroupBy : public StoringSink {
 public:
  GroupBy(Context& context, std::shared_ptr<const plan::Plan> plan, plan::NodeIndex node)
      : context_(context),
        plan_(std::move(plan)),
        op_(std::get<plan::HashGroupBy>(plan_->nodes[static_cast<size_t>(node)].op)),
        key_types_(types_of(*plan_, op_.keys)),
        // One global group has a key of one constant word.
        layout_(op_.keys.empty() ? std::vector<TypePtr>{make_type(TypeKind::null)} : key_types_),
        reservation_(context.memory()) {
    for (const auto& aggregate : op_.aggregates) {
      auto function = make_aggregate(context, plan_, aggregate);
      aggregates_.offsets.push_back(aggregates_.state_bytes);
      aggregates_.state_bytes += function->state_bytes();
      aggregates_.owns_memory |= function->owns_memory();
      aggregates_.functions.push_back(std::move(function));
    }
  }

  ~GroupBy() override {
    if (!aggregates_.owns_memory) return;
    for (const auto& local : locals_) {
      for (int partition = 0; partition < GroupTable::partitions; ++partition) {
        local->table().for_each(partition, [&](uint8_t* row) {
          if (GroupRow::hash(row) != GroupRow::merged) aggregates_.destroy(states(row));
        });
      }
    }
  }

  // The sink owns its locals, so that states are destroyed also when the query fails half-way.
  struct Handle : Sink::Local {
    explicit Handle(GroupLocal& local) : local(local) {}
    GroupLocal& local;
  };

  std::unique_ptr<Local> make_local() override {
    auto local = std::make_unique<GroupLocal>(context_, plan_, op_, layout_, aggregates_);
    auto handle = std::make_unique<Handle>(*local);
    std::lock_guard lock(mutex_);
    locals_.push_back(std::move(local));
    return handle;
  }

  void consume(Local& local, int64_t morsel, Batch&& batch) override {
    static_cast<Handle&>(local).local.consume(morsel, batch);
  }

  void finish(const Parallel& parallel) override {
    if (op_.keys.empty()) {
      finish_one_group();
      return;
    }
    int64_t rows = 0;
    for (const auto& local : locals_) rows += local->table().rows();
    reservation_.resize(rows * static_cast<int64_t>(sizeof(uint8_t*)));
    std::vector<GroupRows> merged(GroupTable::partitions);
    // A few groups are merged faster than threads are woken.
    constexpr int64_t few = 4096;
    if (rows <= few) {
      for (int p = 0; p < GroupTable::partitions; ++p) merge_partition(p, merged[static_cast<size_t>(p)]);
    } else {
      parallel(GroupTable::partitions,
               [&](int64_t p) { merge_partition(static_cast<int>(p), merged[static_cast<size_t>(p)]); });
    }
    // Morsels of about this many groups: some for every thread, but no crumbs.
    const auto morsel_rows =
        static_cast<size_t>(std::clamp<int64_t>(rows / (4 * context_.settings().threads), 4096, 65536));
    for (auto& part : merged) {
      if (result_.empty() || result_.back().size() >= morsel_rows) {
        result_.push_back(std::move(part));
      } else {
        result_.back().insert(result_.back().end(), part.begin(), part.end());
      }
    }
  }

  std::unique_ptr<Source> source() override;

  int64_t result_morsels() const { return static_cast<int64_t>(result_.size()); }
  const GroupRows& result(int64_t morsel) const { return result_[static_cast<size_t>(morsel)]; }

  Batch output(uint8_t* const* rows, int64_t count) {
    Batch batch;
    batch.rows = count;
    std::vector<const uint64_t*> keys(static_cast<size_t>(count));
    std::vector<uint8_t*> at(static_cast<size_t>(count));
    for (size_t i = 0; i < static_cast<size_t>(count); ++i) keys[i] = GroupRow::key(rows[i]);
    if (!op_.keys.empty()) {
      auto columns = decode_keys(context_.memory(), layout_, key_types_, keys.data(), count);
      for (auto& column : columns) batch.columns.push_back(keep_strings(std::move(column)));
    }
    for (size_t i = 0; i < aggregates_.functions.size(); ++i) {
      for (size_t r = 0; r < static_cast<size_t>(count); ++r) at[r] = states(rows[r]) + aggregates_.offsets[i];
      batch.columns.push_back(aggregates_.functions[i]->finish(at.data(), count));
    }
    return batch;
  }

  Context& context() { return context_; }

 private:
  static std::vector<TypePtr> types_of(const plan::Plan& plan, const std::vector<plan::ExprIndex>& exprs) {
    std::vector<TypePtr> types;
    for (const auto expr : exprs) types.push_back(plan.exprs[static_cast<size_t>(expr)].type);
    return types;
  }

  uint8_t* states(uint8_t* row) const { return row + 8 + 8 * static_cast<int64_t>(layout_.words); }

  // String keys point into the heaps of the tables, which live as long as this sink.
  ColumnPtr keep_strings(ColumnPtr column) {
    if (physical(*column->type) != Physical::string) return column;
    auto kept = std::make_shared<Column>(*column);
    kept->owners.push_back(shared_from_this());
    return kept;
  }

  void finish_one_group() {
    if (locals_.empty()) make_local();
    uint8_t* first = locals_[0]->only_group();
    for (size_t i = 1; i < locals_.size(); ++i) {
      uint8_t* other = locals_[i]->only_group();
      aggregates_.merge(states(first), states(other));
      GroupRow::hash(other) = GroupRow::merged;
    }
    result_.push_back({first});
  }

  void merge_partition(int partition, GroupRows& out) {
    int64_t rows = 0;
    for (const auto& local : locals_) local->table().for_each(partition, [&](uint8_t*) { ++rows; });
    out.reserve(static_cast<size_t>(rows));
    if (locals_.size() == 1 && locals_[0]->table().unique()) {
      locals_[0]->table().for_each(partition, [&](uint8_t* row) { out.push_back(row); });
      return;
    }
    GroupSlots slots(context_.memory(), rows);
    int64_t seen = 0;
    std::vector<uint8_t*> window;  // rows whose slots were asked for
    const auto drain = [&] {
      for (uint8_t* row : window) slots.prefetch_row(GroupRow::hash(row));
      for (uint8_t* row : window) place(slots, row, out);
      window.clear();
    };
    for (const auto& local : locals_) {
      local->table().for_each(partition, [&](uint8_t* row) {
        slots.prefetch(GroupRow::hash(row));
        window.push_back(row);
        if (window.size() == 32) drain();
        if ((++seen & 0xffff) == 0) context_.check_cancelled();
      });
    }
    drain();
  }

  void place(GroupSlots& slots, uint8_t* row, GroupRows& out) {
    const uint64_t hash = GroupRow::hash(row);
    const auto mask = static_cast<uint64_t>(slots.mask());
    for (uint64_t at = hash & mask;; at = (at + 1) & mask) {
      const uint64_t slot = slots.slots()[at];
      if (slot == 0) {
        slots.slots()[at] = GroupSlots::pack(row, hash);
        out.push_back(row);
        return;
      }
      if (!GroupSlots::same_salt(slot, hash)) continue;
      uint8_t* other = GroupSlots::row(slot);
      if (!same_key(layout_, GroupRow::key(other), GroupRow::key(row))) continue;
      aggregates_.merge(states(other), states(row));
      GroupRow::hash(row) = GroupRow::merged;
      return;
    }
  }

  Context& context_;
  std::shared_ptr<const plan::Plan> plan_;
  const plan::HashGroupBy& op_;
  std::vector<TypePtr> key_types_;
  KeyLayout layout_;
  Aggregates aggregates_;
  Reservation reservation_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<GroupLocal>> locals_;
  std::vector<GroupRows> result_;
};

class GroupReader : public Reader {
 public:
  GroupReader(std::shared_ptr<GroupBy> groups, int64_t morsel) : groups_(std::move(groups)), morsel_(morsel) {}
  bool next(Batch& batch) override {
    const auto& rows = groups_->result(morsel_);
    const auto left = static_cast<int64_t>(rows.size()) - at_;
    if (left == 0) return false;
    const int64_t count = std::min<int64_t>(left, groups_->context().settings().batch_rows);
    batch = groups_->output(rows.data() + at_, count);
    at_ += count;
    return true;
  }

 private:
  std::shared_ptr<GroupBy> groups_;
  int64_t morsel_;
  int64_t at_ = 0;
};

class GroupSource : public Source {
 public:
  explicit GroupSource(std::shared_ptr<GroupBy> groups) : groups_(std::move(groups)) {}
  int64_t morsels() override { return groups_->result_morsels(); }
  std::unique_ptr<Reader> open(int64_t morsel) override { return std::make_unique<GroupReader>(groups_, morsel); }

 private:
  std::shared_ptr<GroupBy> groups_;
};

std::unique_ptr<Source> GroupBy::source() {
  return std::make_unique<GroupSource>(std::static_pointer_cast<GroupBy>(shared_from_this()));
}

}  // namespace

std::shared_ptr<StoringSink> make_hash_group_by(Context& context, std::shared_ptr<const plan::Plan> plan,
                                                plan::NodeIndex node) {
  return std::make_shared<GroupBy>(context, std::move(plan), node);
}

}  // namespace quern::cpu
