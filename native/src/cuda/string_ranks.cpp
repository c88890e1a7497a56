#include "cuda/string_ranks.hpp"

#include <bit>

#include "cuda/move_kernels.hpp"
#include "cuda/rank_kernels.hpp"
#include "cuda/sort_kernels.hpp"
#include "cuda/string_ids.hpp"

namespace quern::cuda {

namespace {

// Ranks by number. Strings are sorted by length, then by eight bytes after the other: those that are equal so far and
// have bytes left go on to the next round. A stable sort leaves the shorter one of two first where the longer one goes
// on with zeros.
class Ranking {
 public:
  Ranking(Device& device, const StringEntry* entries, int64_t count)
      : device_(device), entries_(entries), count_(count), size_(static_cast<size_t>(count)) {}

  DeviceBufferPtr run() {
    auto ranks = device_.memory.allocate_zeroed((size_ + 1) * 4);
    if (count_ == 0) return ranks;
    const auto sorted = device_.memory.allocate(size_ * 4);
    words_ = device_.memory.allocate(size_ * 8);
    sorted_words_ = device_.memory.allocate(size_ * 8);
    strings_ = device_.memory.allocate(size_ * 4);
    places_ = device_.memory.allocate(size_ * 4);
    groups_ = device_.memory.allocate_zeroed(size_ * 8);
    const auto numbers = device_.memory.allocate(size_ * 4);
    string_lengths(device_, entries_, count_, numbers->as<uint32_t>(), words_->as<uint64_t>());
    sort_pairs(device_, words_->as<uint64_t>(), numbers->as<uint32_t>(), count_, 32, sorted_words_->as<uint64_t>(),
               strings_->as<uint32_t>());
    number_rows(device_, count_, places_->as<uint32_t>());
    int64_t left = count_, groups = 1;
    for (uint64_t depth = 0; left > 0; depth += 8) left = round(left, depth, groups, sorted->as<uint32_t>());
    write_ranks(device_, sorted->as<uint32_t>(), count_, ranks->as<uint32_t>());
    return ranks;
  }

 private:
  // Of strings_, places_, groups_; gives how many go on.
  int64_t round(int64_t count, uint64_t depth, int64_t& groups, uint32_t* sorted) {
    const auto size = static_cast<size_t>(count), mask_words = static_cast<size_t>((count + 31) / 32);
    const RankRound round{entries_, strings_->as<uint32_t>(), groups_->as<uint64_t>(), count, depth};
    auto order = device_.memory.allocate(size * 4), next_order = device_.memory.allocate(size * 4);
    const auto sort = [&](const DeviceBufferPtr& words, int bits) {
      sort_pairs(device_, words->as<uint64_t>(), order->as<uint32_t>(), count, bits, sorted_words_->as<uint64_t>(),
                 next_order->as<uint32_t>());
      std::swap(order, next_order);
    };
    number_rows(device_, count, order->as<uint32_t>());
    string_words(device_, round, words_->as<uint64_t>());
    sort(words_, 64);
    if (groups > 1) {
      const auto own = device_.memory.allocate(size * 8);
      gather_words(device_, round.groups, order->as<uint32_t>(), count, own->as<uint64_t>());
      sort(own, std::bit_width(static_cast<uint64_t>(groups - 1)));
    }
    place_strings(device_, round, order->as<uint32_t>(), places_->as<uint32_t>(), sorted);
    const auto starts = device_.memory.allocate(mask_words * 4), open = device_.memory.allocate(mask_words * 4);
    mark_ties(device_, round, words_->as<uint64_t>(), order->as<uint32_t>(), starts->as<uint32_t>(),
              open->as<uint32_t>());
    const RowIds left = select(device_, open->as<uint32_t>(), count);
    if (left.count == 0) return 0;
    const auto counts = device_.memory.allocate(mask_words * 8), sums = device_.memory.allocate((mask_words + 1) * 8);
    count_words(device_, starts->as<uint32_t>(), count, counts->as<int64_t>());
    sum_lengths(device_, counts->as<int64_t>(), static_cast<int64_t>(mask_words), sums->as<int64_t>());
    const auto left_size = static_cast<size_t>(left.count);
    const auto strings = device_.memory.allocate(left_size * 4), places = device_.memory.allocate(left_size * 4);
    const auto next_groups = device_.memory.allocate(left_size * 8);
    next_round(device_, round, order->as<uint32_t>(), places_->as<uint32_t>(), starts->as<uint32_t>(),
               sums->as<int64_t>(), left.rows->as<uint32_t>(), left.count, strings->as<uint32_t>(),
               places->as<uint32_t>(), next_groups->as<uint64_t>());
    strings_ = strings;
    places_ = places;
    groups_ = next_groups;
    groups = count;  // at most
    return left.count;
  }

  Device& device_;
  const StringEntry* entries_;
  int64_t count_;
  size_t size_;
  DeviceBufferPtr words_, sorted_words_, strings_, places_, groups_;
};

}  // namespace

DeviceColumnPtr string_ranks(Device& device, const DeviceColumn& strings) {
  StringIds ids(device, {}, strings.type, StringIds::slots_for(strings.length));
  const auto numbers = ids.number(strings);
  const auto ranks = Ranking(device, ids.table().entries, ids.count()).run();
  auto out = std::make_shared<DeviceColumn>(*numbers);
  out->data = device.memory.allocate(static_cast<size_t>(strings.length) * 4);
  gather_values(device, 4, ranks->data(), numbers->data->as<uint32_t>(), strings.length, out->data->data());
  return out;
}

}  // namespace quern::cuda
