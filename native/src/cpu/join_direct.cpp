#include "cpu/join_direct.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#include "cpu/whole_number.hpp"

namespace quern::cpu {

namespace {

struct Bounds {
  int64_t least = std::numeric_limits<int64_t>::max();
  int64_t greatest = std::numeric_limits<int64_t>::min();
  int64_t rows = 0;  // that have a value

  void add(const Bounds& other) {
    least = std::min(least, other.least);
    greatest = std::max(greatest, other.greatest);
    rows += other.rows;
  }
};

template <typename T>
Bounds bounds_of(const Column& key) {
  const T* values = key.values<T>();
  T least = std::numeric_limits<T>::max();
  T greatest = std::numeric_limits<T>::min();
  if (key.null_count == 0) {
    for (int64_t i = 0; i < key.length; ++i) {
      least = std::min(least, values[i]);
      greatest = std::max(greatest, values[i]);
    }
  } else {
    for (int64_t i = 0; i < key.length; ++i) {
      if (!key.is_valid(i)) continue;
      least = std::min(least, values[i]);
      greatest = std::max(greatest, values[i]);
    }
  }
  return {static_cast<int64_t>(least), static_cast<int64_t>(greatest), key.length - key.null_count};
}

// Number of the place of each value; `places` and more: it has none.
struct Places {
  int64_t least = 0;
  int64_t count = 0;
  template <typename T>
  uint64_t of(T value) const {
    return static_cast<uint64_t>(static_cast<int64_t>(value)) - static_cast<uint64_t>(least);
  }
};

class JoinDirect : public JoinIndex {
 public:
  JoinDirect(Context& context, Places places, PackedIds packing)
      : context_(context), places_(places), packing_(packing) {}

  bool is_single() const override { return single_ != nullptr; }
  std::string name() const override { return is_single() ? "direct, unique" : "direct"; }
  std::unique_ptr<JoinFinder> finder() const override;
  std::vector<JoinList> lists() const override {
    if (!ids_) return {};
    return {{ids_->as<uint32_t>(), starts_->as<uint32_t>()[places_.count]}};
  }

  template <typename T>
  void fill(const std::vector<ColumnPtr>& keys, bool one_is_enough, const Parallel& parallel) {
    if (fill_single<T>(keys, one_is_enough, parallel)) return;
    single_.reset();
    fill_lists<T>(keys, parallel);
  }

  template <typename T>
  void find_single(const Column& key, int64_t* ids) const {
    const T* values = key.values<T>();
    const auto* single = single_->as<uint32_t>();
    const auto count = static_cast<uint64_t>(places_.count);
    const auto id_of = [&](int64_t i) -> int64_t {
      const uint64_t place = places_.of(values[i]);
      const uint32_t id = place < count ? single[place] : PackedIds::none;
      return id == PackedIds::none ? -1 : packing_.unpack(id);
    };
    if (key.null_count == 0) {
      for (int64_t i = 0; i < key.length; ++i) ids[i] = id_of(i);
    } else {
      for (int64_t i = 0; i < key.length; ++i) ids[i] = key.is_valid(i) ? id_of(i) : -1;
    }
  }

  template <typename T>
  void find(const Column& key, JoinMatches* matches) const {
    const T* values = key.values<T>();
    const auto* single = single_ ? single_->as<uint32_t>() : nullptr;
    const auto* starts = starts_ ? starts_->as<uint32_t>() : nullptr;
    const auto* ids = ids_ ? ids_->as<uint32_t>() : nullptr;
    for (int64_t i = 0; i < key.length; ++i) {
      const uint64_t place = places_.of(values[i]);
      if (place >= static_cast<uint64_t>(places_.count) || !key.is_valid(i))
        matches[i] = {};
      else if (single != nullptr)
        matches[i] = {single + place, single[place] != PackedIds::none ? 1U : 0U};
      else
        matches[i] = {ids + starts[place], starts[place + 1] - starts[place], 0};
    }
  }

 private:
  // Calls each(place, packed id) for the rows of one chunk that have a key.
  template <typename T, typename Each>
  void visit(const std::vector<ColumnPtr>& keys, size_t chunk, Each&& each) const {
    context_.check_cancelled();
    const Column& key = *keys[chunk];
    const T* values = key.values<T>();
    for (int64_t i = 0; i < key.length; ++i) {
      if (key.is_valid(i)) each(places_.of(values[i]), packing_.pack(chunk, i));
    }
  }

  // False when two rows have one key: then the row that was written first is not there any more.
  template <typename T>
  bool fill_single(const std::vector<ColumnPtr>& keys, bool one_is_enough, const Parallel& parallel) {
    single_ = context_.memory().allocate(static_cast<size_t>(places_.count) * sizeof(uint32_t));
    auto* single = single_->as<uint32_t>();
    std::fill(single, single + places_.count, PackedIds::none);
    const auto chunks = static_cast<int64_t>(keys.size());
    parallel(chunks, [&](int64_t chunk) {
      visit<T>(keys, static_cast<size_t>(chunk), [&](uint64_t place, uint32_t id) {
        std::atomic_ref(single[place]).store(id, std::memory_order_relaxed);
      });
    });
    if (one_is_enough) return true;
    std::atomic<bool> unique{true};
    parallel(chunks, [&](int64_t chunk) {
      if (!unique.load(std::memory_order_relaxed)) return;
      bool same = true;
      visit<T>(keys, static_cast<size_t>(chunk), [&](uint64_t place, uint32_t id) { same &= single[place] == id; });
      if (!same) unique = false;
    });
    return unique;
  }

  // Ids of all rows by value. Each task has a range of the places for itself, so that ids stay in input order.
  template <typename T>
  void fill_lists(const std::vector<ColumnPtr>& keys, const Parallel& parallel) {
    Memory& memory = context_.memory();
    starts_ = memory.allocate_zeroed(static_cast<size_t>(places_.count + 1) * sizeof(uint32_t));
    auto* starts = starts_->as<uint32_t>();
    const int64_t tasks = std::min<int64_t>(context_.settings().threads, places_.count);
    const auto ranged = [&](int64_t task, auto&& each) {
      const int64_t first = places_.count * task / tasks;
      const auto length = static_cast<uint64_t>(places_.count * (task + 1) / tasks - first);
      for (size_t chunk = 0; chunk < keys.size(); ++chunk) {
        visit<T>(keys, chunk, [&](uint64_t place, uint32_t id) {
          if (place - static_cast<uint64_t>(first) < length) each(place, id);
        });
      }
    };
    parallel(tasks, [&](int64_t task) { ranged(task, [&](uint64_t place, uint32_t) { ++starts[place]; }); });
    // Each entry becomes the start of its value, and by filling the start of the next one.
    uint32_t sum = 0;
    for (int64_t place = 0; place < places_.count; ++place) sum += std::exchange(starts[place], sum);
    ids_ = memory.allocate(static_cast<size_t>(sum) * sizeof(uint32_t));
    auto* ids = ids_->as<uint32_t>();
    parallel(tasks,
             [&](int64_t task) { ranged(task, [&](uint64_t place, uint32_t id) { ids[starts[place]++] = id; }); });
    for (int64_t place = places_.count; place > 0; --place) starts[place] = starts[place - 1];
    starts[0] = 0;
  }

  Context& context_;
  Places places_;
  PackedIds packing_;
  BufferPtr single_;  // unique keys: a packed id for each value
  BufferPtr starts_;  // else where the ids of each value begin, and the end
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
    std::vector<Bounds> parts(keys.size());
    parallel(static_cast<int64_t>(keys.size()), [&](int64_t chunk) {
      parts[static_cast<size_t>(chunk)] = bounds_of<T>(*keys[static_cast<size_t>(chunk)]);
    });
    Bounds bounds;
    for (const auto& part : parts) {
      if (part.rows > 0) bounds.add(part);
    }
    if (bounds.rows == 0) return;
    // Unsigned: the difference of two int64 may need 64 bits.
    const uint64_t span = static_cast<uint64_t>(bounds.greatest) - static_cast<uint64_t>(bounds.least);
    const auto most = static_cast<uint64_t>(std::max(direct_places_always, bounds.rows * direct_places_per_row));
    if (span >= most) return;
    out = std::make_unique<JoinDirect>(context, Places{bounds.least, static_cast<int64_t>(span) + 1}, packing);
    out->template fill<T>(keys, one_is_enough, parallel);
  });
  return out;
}

}  // namespace quern::cpu
