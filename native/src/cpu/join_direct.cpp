#include "cpu/join_direct.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "cpu/join_places.hpp"
#include "cpu/key_bounds.hpp"
#include "cpu/whole_number.hpp"

namespace quern::cpu {

namespace {

class JoinDirect : public JoinIndex {
 public:
  JoinDirect(Context& context, JoinPlaces places, PackedIds packing)
      : context_(context), places_(places), packing_(packing) {}

  bool is_single() const override { return single_ != nullptr; }
  std::string name() const override {
    return std::string(places_.is_ranked() ? "ranked" : "direct") + (is_single() ? ", unique" : "");
  }
  std::unique_ptr<JoinFinder> finder() const override;
  std::vector<JoinList> lists() const override {
    if (!ids_) return {};
    return {{ids_->as<uint32_t>(), starts_->as<uint32_t>()[places_.count()]}};
  }

  // Of `rows` rows that have a key.
  template <typename T>
  void fill(const std::vector<ColumnPtr>& keys, int64_t rows, bool ranked, bool one_is_enough,
            const Parallel& parallel) {
    if (ranked) {
      rank<T>(keys, parallel);
      const bool single = one_is_enough || places_.count() == rows;
      return single ? fill_single<T, true>(keys, parallel) : fill_lists<T, true>(keys, parallel);
    }
    fill_single<T, false>(keys, parallel);
    if (one_is_enough || is_unique<T>(keys, parallel)) return;
    single_.reset();
    fill_lists<T, false>(keys, parallel);
  }

  template <typename T>
  void find_single(const Column& key, int64_t* ids) const {
    places_.is_ranked() ? find_single<T, true>(key, ids) : find_single<T, false>(key, ids);
  }
  template <typename T>
  void find(const Column& key, JoinMatches* matches) const {
    places_.is_ranked() ? find<T, true>(key, matches) : find<T, false>(key, matches);
  }

 private:
  template <typename T, bool ranked>
  void find_single(const Column& key, int64_t* ids) const {
    const T* values = key.values<T>();
    const auto* single = single_->as<uint32_t>();
    const JoinPlaces places = places_;
    const auto id_of = [&](int64_t i) -> int64_t {
      const uint64_t offset = places.offset_of(values[i]);
      if (!places.occurs<ranked>(offset)) return -1;
      const uint32_t id = single[places.place<ranked>(offset)];
      return !ranked && id == PackedIds::none ? -1 : packing_.unpack(id);
    };
    if (key.null_count == 0) {
      for (int64_t i = 0; i < key.length; ++i) ids[i] = id_of(i);
    } else {
      for (int64_t i = 0; i < key.length; ++i) ids[i] = key.is_valid(i) ? id_of(i) : -1;
    }
  }

  template <typename T, bool ranked>
  void find(const Column& key, JoinMatches* matches) const {
    const T* values = key.values<T>();
    const auto* single = single_ ? single_->as<uint32_t>() : nullptr;
    const auto* starts = starts_ ? starts_->as<uint32_t>() : nullptr;
    const auto* ids = ids_ ? ids_->as<uint32_t>() : nullptr;
    const JoinPlaces places = places_;
    for (int64_t i = 0; i < key.length; ++i) {
      const uint64_t offset = places.offset_of(values[i]);
      if (!places.occurs<ranked>(offset) || !key.is_valid(i)) {
        matches[i] = {};
        continue;
      }
      const uint64_t place = places.place<ranked>(offset);
      if (single != nullptr)
        matches[i] = {single + place, single[place] != PackedIds::none ? 1U : 0U};
      else
        matches[i] = {ids + starts[place], starts[place + 1] - starts[place], 0};
    }
  }

  // Calls each(offset, packed id) for the rows of one chunk that have a key.
  template <typename T, typename Each>
  void visit(const std::vector<ColumnPtr>& keys, size_t chunk, Each&& each) const {
    context_.check_cancelled();
    const Column& key = *keys[chunk];
    const T* values = key.values<T>();
    for (int64_t i = 0; i < key.length; ++i) {
      if (key.is_valid(i)) each(places_.offset_of(values[i]), packing_.pack(chunk, i));
    }
  }

  // Tasks that go through all rows, each with a range of the numbers for itself: no two write to one place, and a place
  // sees its rows in input order. Calls each(offset, packed id).
  template <typename T, typename Each>
  void visit_ranges(const std::vector<ColumnPtr>& keys, const Parallel& parallel, Each&& each) const {
    const int64_t tasks = context_.settings().threads;
    parallel(tasks, [&](int64_t task) {
      const uint64_t first = places_.first_offset(task, tasks), length = places_.first_offset(task + 1, tasks) - first;
      for (size_t chunk = 0; chunk < keys.size(); ++chunk) {
        visit<T>(keys, chunk, [&](uint64_t offset, uint32_t id) {
          if (offset - first < length) each(offset, id);
        });
      }
    });
  }

  template <typename T>
  void rank(const std::vector<ColumnPtr>& keys, const Parallel& parallel) {
    places_.begin_ranks(context_.memory());
    visit_ranges<T>(keys, parallel, [&](uint64_t offset, uint32_t) { places_.set(offset); });
    places_.end_ranks();
  }

  // Of rows with one key the one that was written last stays.
  template <typename T, bool ranked>
  void fill_single(const std::vector<ColumnPtr>& keys, const Parallel& parallel) {
    single_ = context_.memory().allocate(static_cast<size_t>(places_.count()) * sizeof(uint32_t));
    auto* single = single_->as<uint32_t>();
    if (!ranked) std::fill(single, single + places_.count(), PackedIds::none);
    parallel(static_cast<int64_t>(keys.size()), [&](int64_t chunk) {
      visit<T>(keys, static_cast<size_t>(chunk), [&](uint64_t offset, uint32_t id) {
        std::atomic_ref(single[places_.place<ranked>(offset)]).store(id, std::memory_order_relaxed);
      });
    });
  }

  // Whether each row is there still.
  template <typename T>
  bool is_unique(const std::vector<ColumnPtr>& keys, const Parallel& parallel) const {
    const auto* single = single_->as<uint32_t>();
    std::atomic<bool> unique{true};
    parallel(static_cast<int64_t>(keys.size()), [&](int64_t chunk) {
      if (!unique.load(std::memory_order_relaxed)) return;
      bool same = true;
      visit<T>(keys, static_cast<size_t>(chunk), [&](uint64_t offset, uint32_t id) { same &= single[offset] == id; });
      if (!same) unique = false;
    });
    return unique;
  }

  // Ids of all rows by value.
  template <typename T, bool ranked>
  void fill_lists(const std::vector<ColumnPtr>& keys, const Parallel& parallel) {
    Memory& memory = context_.memory();
    const int64_t count = places_.count();
    starts_ = memory.allocate_zeroed(static_cast<size_t>(count + 1) * sizeof(uint32_t));
    auto* starts = starts_->as<uint32_t>();
    visit_ranges<T>(keys, parallel, [&](uint64_t offset, uint32_t) { ++starts[places_.place<ranked>(offset)]; });
    // Each entry becomes the start of its value, and by filling the start of the next one.
    uint32_t sum = 0;
    for (int64_t place = 0; place < count; ++place) sum += std::exchange(starts[place], sum);
    ids_ = memory.allocate(static_cast<size_t>(sum) * sizeof(uint32_t));
    auto* ids = ids_->as<uint32_t>();
    visit_ranges<T>(keys, parallel,
                    [&](uint64_t offset, uint32_t id) { ids[starts[places_.place<ranked>(offset)]++] = id; });
    for (int64_t place = count; place > 0; --place) starts[place] = starts[place - 1];
    starts[0] = 0;
  }

  Context& context_;
  JoinPlaces places_;
  PackedIds packing_;
  BufferPtr single_;  // unique keys: a packed id for each place
  BufferPtr starts_;  // else where the ids of each place begin, and the end
  BufferPtr ids_;
};

class DirectFinder : public JoinFinder {
 public:
  DirectFinder(Memory& memory, const JoinDirect& index) : memory_(memory), index_(index) {}

  void find(const std::vector<ColumnPtr>& keys, int64_t, JoinMatches* matches) override {
    const auto key = flatten(memory_, keys[0]);
    with_whole_number(*key->type, [&]<typename T>() { index_.find<T>(*key, matches); });
  }
  void find_single(const std::vector<ColumnPtr>& keys, int64_t, int64_t* ids) override {
    const auto key = flatten(memory_, keys[0]);
    with_whole_number(*key->type, [&]<typename T>() { index_.find_single<T>(*key, ids); });
  }

 private:
  Memory& memory_;
  const JoinDirect& index_;
};

std::unique_ptr<JoinFinder> JoinDirect::finder() const {
  return std::make_unique<DirectFinder>(context_.memory(), *this);
}

}  // namespace

std::unique_ptr<JoinIndex> make_join_direct(Context& context, const std::vector<ColumnPtr>& keys, PackedIds packing,
                                            bool one_is_enough, const Parallel& parallel) {
  std::unique_ptr<JoinDirect> out;
  if (keys.empty()) return out;
  for (const auto& key : keys) {
    if (key->form != Form::flat) return out;
  }
  with_whole_number(*keys[0]->type, [&]<typename T>() {
    std::vector<KeyBounds> parts(keys.size());
    parallel(static_cast<int64_t>(keys.size()), [&](int64_t chunk) {
      parts[static_cast<size_t>(chunk)] = key_bounds<T>(*keys[static_cast<size_t>(chunk)]);
    });
    KeyBounds bounds;
    for (const auto& part : parts) bounds.add(part);
    if (bounds.rows == 0) return;
    const uint64_t span = bounds.distance();
    const auto within = [&](int64_t always, int64_t per_row) {
      return span < static_cast<uint64_t>(std::max(always, bounds.rows * per_row));
    };
    if (!within(ranked_span_always, ranked_span_per_row)) return;
    const bool ranked = !within(direct_span_always, direct_span_per_row);
    out = std::make_unique<JoinDirect>(context, JoinPlaces(bounds.least, static_cast<int64_t>(span) + 1), packing);
    out->template fill<T>(keys, bounds.rows, ranked, one_is_enough, parallel);
  });
  return out;
}

}  // namespace quern::cpu
