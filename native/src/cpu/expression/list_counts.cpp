// list_mode, list_histogram, list_entropy: what the number of times tells that each element occurs. NULL elements are
// not counted.
#include <algorithm>
#include <cmath>

#include "columnar/compare.hpp"
#include "cpu/count_map.hpp"
#include "cpu/expression/list_groups.hpp"
#include "cpu/expression/loops.hpp"

namespace quern::cpu {

namespace {

// Equal elements: the first of them, and how many.
struct Tally {
  int64_t position;
  uint64_t count;
};

ColumnPtr elements_of(const Call& call) {
  const Column& column = *call.args[0];
  if (column.children.empty()) return make_null_column(column.type->children[0], 0);
  return flatten(call.memory(), column.children[0]);
}

// By value. Empty for a NULL list.
std::vector<Tally> tallies(const Call& call, const Column& elements, int64_t row) {
  std::vector<Tally> out;
  if (!call.arg_valid(0, row) || elements.type->kind == TypeKind::null) return out;
  const ListEntry entry = call.values<ListEntry>(0)[row * call.step(0)];
  std::vector<int64_t> positions;
  for (int64_t i = entry.start; i < entry.start + entry.length; ++i) {
    if (elements.is_valid(i)) positions.push_back(i);
  }
  std::stable_sort(positions.begin(), positions.end(),
                   [&](int64_t a, int64_t b) { return compare_values(elements, a, elements, b) < 0; });
  for (const int64_t at : positions) {
    if (out.empty() || compare_values(elements, out.back().position, elements, at) != 0) out.push_back({at, 0});
    ++out.back().count;
  }
  return out;
}

// The most frequent element; of several the one that comes first.
KernelPtr make_mode(const Signature&) {
  return custom_kernel([](Call& call) {
    const ColumnPtr elements = elements_of(call);
    std::vector<int64_t> positions(static_cast<size_t>(call.rows), -1);
    for (int64_t row = 0; row < call.rows; ++row) {
      const auto counted = tallies(call, *elements, row);
      const auto best = std::max_element(counted.begin(), counted.end(), [](const Tally& a, const Tally& b) {
        return a.count != b.count ? a.count < b.count : a.position > b.position;
      });
      if (best != counted.end()) positions[static_cast<size_t>(row)] = best->position;
    }
    return gather(call.memory(), elements, positions.data(), call.rows);
  });
}

// A map from each element to its count, by element; NULL without elements.
KernelPtr make_histogram(const Signature& signature) {
  const TypePtr result = signature.result;
  if (result->kind != TypeKind::map || result->children[1]->kind != TypeKind::uint64 ||
      !same_type(*result->children[0], *signature.arguments[0]->children[0]))
    return nullptr;
  return custom_kernel([result](Call& call) {
    const ColumnPtr elements = elements_of(call);
    auto* out = call.result.data<ListEntry>();
    std::vector<int64_t> keys;
    std::vector<uint64_t> counts;
    for (int64_t row = 0; row < call.rows; ++row) {
      const auto counted = tallies(call, *elements, row);
      out[row] = {counted.empty() ? 0 : static_cast<int64_t>(keys.size()), static_cast<int64_t>(counted.size())};
      if (counted.empty()) call.result.set_null(row);
      for (const Tally& tally : counted) {
        keys.push_back(tally.position);
        counts.push_back(tally.count);
      }
    }
    const auto total = static_cast<int64_t>(keys.size());
    auto shown = gather(call.memory(), elements, keys.data(), total);
    call.result.add_child(count_entries(call.memory(), *result, std::move(shown), counts));
    return call.result.finish();
  });
}

// −Σ p log2 p over the shares p of the different elements; 0 without elements.
KernelPtr make_entropy(const Signature&) {
  return custom_kernel([](Call& call) {
    const ColumnPtr elements = elements_of(call);
    auto* out = call.result.data<double>();
    for (int64_t row = 0; row < call.rows; ++row) {
      out[row] = 0;
      if (!call.arg_valid(0, row)) {
        call.result.set_null(row);
        continue;
      }
      const auto counted = tallies(call, *elements, row);
      uint64_t total = 0;
      for (const Tally& tally : counted) total += tally.count;
      for (const Tally& tally : counted) {
        const double share = static_cast<double>(tally.count) / static_cast<double>(total);
        out[row] -= share * std::log2(share);
      }
      if (out[row] == 0) out[row] = 0;  // never -0
    }
    return call.result.finish();
  });
}

}  // namespace

void add_list_counts(KernelTable& table) {
  table.add("list_mode", make_mode);
  table.add("list_histogram", make_histogram);
  table.add("list_entropy", make_entropy);
}

}  // namespace quern::cpu
