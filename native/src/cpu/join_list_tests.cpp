#include "cpu/join_list_tests.hpp"

namespace quern::cpu {

namespace {

template <typename T>
void copy_values(const JoinResidual& residual, size_t test, const JoinList& from, PackedIds packing, T* out) {
  for (int64_t i = 0; i < from.count; ++i) {
    const int64_t id = packing.unpack(from.ids[i]);
    out[i] = residual.values<T>(test, static_cast<size_t>(id >> 32))[static_cast<uint32_t>(id)];
  }
}

}  // namespace

JoinListTests::JoinListTests(Context& context, const JoinResidual& residual, const std::vector<JoinList>& lists,
                             PackedIds packing, const Parallel& parallel) {
  lists_.resize(lists.size());
  parallel(static_cast<int64_t>(lists.size()), [&](int64_t number) {
    const auto at = static_cast<size_t>(number);
    fill(context, residual, lists[at], packing, lists_[at]);
  });
}

void JoinListTests::fill(Context& context, const JoinResidual& residual, const JoinList& from, PackedIds packing,
                         List& list) const {
  context.check_cancelled();
  if (from.count == 0) return;
  list.ids = from.ids;
  const auto& tests = residual.parts().tests;
  for (size_t test = 0; test < tests.size(); ++test) {
    const int64_t width = tests[test].wide ? 8 : 4;
    list.values.push_back(context.memory().allocate(static_cast<size_t>((from.count + values_per_word) * width)));
    if (tests[test].wide)
      copy_values(residual, test, from, packing, list.values.back()->as<int64_t>());
    else
      copy_values(residual, test, from, packing, list.values.back()->as<int32_t>());
  }
  if (!residual.has_nulls()) return;
  // A word more, since loops read across words.
  list.valid = context.memory().allocate_zeroed(static_cast<size_t>(validity_words(from.count) + 1) * 8);
  auto* valid = list.valid->as<uint64_t>();
  for (int64_t i = 0; i < from.count; ++i) {
    const int64_t id = packing.unpack(from.ids[i]);
    bool all = true;
    for (size_t test = 0; test < tests.size(); ++test)
      all = all && residual.is_valid(test, static_cast<size_t>(id >> 32), static_cast<uint32_t>(id));
    if (all) set_bit(valid, i);
  }
}

}  // namespace quern::cpu
