// Maps from lists of keys and values, from entries, and from other maps. Keys are not NULL and not twice.
#include <algorithm>

#include "columnar/compare.hpp"
#include "cpu/expression/list_groups.hpp"
#include "cpu/expression/loops.hpp"
#include "cpu/expression/map_keys.hpp"

namespace quern::cpu {

namespace {

ListEntry entry_at(const Call& call, size_t i, int64_t row) { return call.values<ListEntry>(i)[row * call.step(i)]; }

// Entries of maps under construction: rows of one column of keys and one of values.
struct Picked {
  std::vector<int64_t> keys, values;
  int64_t size() const { return static_cast<int64_t>(keys.size()); }
};

}  // namespace

void check_map_keys(const Column& keys, std::vector<int64_t> rows) {
  for (const int64_t row : rows) {
    if (keys.type->kind == TypeKind::null || !keys.is_valid(row)) throw runtime_error("a key of a map is not NULL");
  }
  std::sort(rows.begin(), rows.end(), [&](int64_t a, int64_t b) { return compare_values(keys, a, keys, b) < 0; });
  for (size_t i = 1; i < rows.size(); ++i) {
    if (compare_values(keys, rows[i - 1], keys, rows[i]) == 0)
      throw runtime_error("the keys of a map differ from one another, one stands twice");
  }
}

namespace {

// The map column out of entries by `keys` and `values`, which out already points into.
ColumnPtr finish_maps(Call& call, const ColumnPtr& keys, const ColumnPtr& values, const Picked& picked) {
  const TypePtr& type = call.result.type();
  ColumnBuilder entries(call.memory(), map_entry_type(*type), picked.size());
  entries.add_child(gather(call.memory(), keys, picked.keys.data(), picked.size()));
  entries.add_child(gather(call.memory(), values, picked.values.data(), picked.size()));
  call.result.add_child(entries.finish());
  return call.result.finish();
}

ColumnPtr elements_of(const Call& call, size_t i) { return flatten(call.memory(), call.args[i]->children[0]); }

// map(keys, values)
KernelPtr make_from_lists(const Signature&) {
  return custom_kernel([](Call& call) {
    const ColumnPtr keys = elements_of(call, 0), values = elements_of(call, 1);
    auto* out = call.result.data<ListEntry>();
    Picked picked;
    for (int64_t row = 0; row < call.rows; ++row) {
      out[row] = {0, 0};
      if (!call.arg_valid(0, row) || !call.arg_valid(1, row)) {
        call.result.set_null(row);
        continue;
      }
      const ListEntry k = entry_at(call, 0, row), v = entry_at(call, 1, row);
      if (k.length != v.length) {
        throw runtime_error("a map takes as many values as keys: " + std::to_string(k.length) + " keys, " +
                            std::to_string(v.length) + " values");
      }
      const int64_t start = picked.size();
      for (int64_t i = 0; i < k.length; ++i) {
        picked.keys.push_back(k.start + i);
        picked.values.push_back(v.start + i);
      }
      check_map_keys(*keys, {picked.keys.begin() + start, picked.keys.end()});
      if (k.length > 0) out[row] = {start, k.length};
    }
    return finish_maps(call, keys, values, picked);
  });
}

// map_from_entries(list of structs of key and value)
KernelPtr make_from_entries(const Signature&) {
  return custom_kernel([](Call& call) {
    const ColumnPtr entries = elements_of(call, 0);
    if (entries->type->kind != TypeKind::structure || entries->children.size() != 2)
      throw internal_error("map_from_entries over other elements than key and value");
    const ColumnPtr keys = flatten(call.memory(), entries->children[0]);
    auto* out = call.result.data<ListEntry>();
    Picked picked;
    for (int64_t row = 0; row < call.rows; ++row) {
      out[row] = {0, 0};
      if (!call.arg_valid(0, row)) {
        call.result.set_null(row);
        continue;
      }
      const ListEntry entry = entry_at(call, 0, row);
      const int64_t start = picked.size();
      for (int64_t i = entry.start; i < entry.start + entry.length; ++i) {
        if (!entries->is_valid(i)) throw runtime_error("a key of a map is not NULL");
        picked.keys.push_back(i);
        picked.values.push_back(i);
      }
      check_map_keys(*keys, {picked.keys.begin() + start, picked.keys.end()});
      if (entry.length > 0) out[row] = {start, entry.length};
    }
    return finish_maps(call, keys, entries->children[1], picked);
  });
}

// Adds each key once, at the place of its first row, with the value of its last.
void add_unique(const Column& keys, const std::vector<int64_t>& rows, Picked& picked) {
  std::vector<size_t> order(rows.size());  // positions in rows, by key
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return compare_values(keys, rows[a], keys, rows[b]) < 0; });
  std::vector<int64_t> last(rows.size(), -1);  // at the first position of a key: the row of its last
  for (size_t i = 0; i < order.size();) {
    size_t end = i + 1;
    while (end < order.size() && compare_values(keys, rows[order[i]], keys, rows[order[end]]) == 0) ++end;
    last[order[i]] = rows[order[end - 1]];
    i = end;
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    if (last[i] < 0) continue;
    picked.keys.push_back(rows[i]);
    picked.values.push_back(last[i]);
  }
}

// Entries of all maps, in the order in which their keys first stand; of equal keys the last map's value. NULL maps are
// left out, NULL when all are.
KernelPtr make_concat(const Signature& signature) {
  return custom_kernel([entry_type = map_entry_type(*signature.result)](Call& call) {
    std::vector<ColumnPtr> parts;
    std::vector<int64_t> starts;
    int64_t total = 0;
    for (size_t i = 0; i < call.args.size(); ++i) {
      parts.push_back(call.args[i]->children[0]);
      starts.push_back(total);
      total += parts.back()->length;
    }
    const ColumnPtr entries = concat(call.memory(), entry_type, parts);
    const Column& keys = *entries->children[0];
    auto* out = call.result.data<ListEntry>();
    Picked picked;
    std::vector<int64_t> all;
    for (int64_t row = 0; row < call.rows; ++row) {
      out[row] = {0, 0};
      all.clear();
      bool known = false;
      for (size_t i = 0; i < call.args.size(); ++i) {
        if (!call.arg_valid(i, row)) continue;
        known = true;
        const ListEntry entry = entry_at(call, i, row);
        for (int64_t k = 0; k < entry.length; ++k) all.push_back(starts[i] + entry.start + k);
      }
      if (!known) {
        call.result.set_null(row);
        continue;
      }
      const int64_t start = picked.size();
      add_unique(keys, all, picked);
      if (picked.size() > start) out[row] = {start, picked.size() - start};
    }
    return finish_maps(call, entries->children[0], entries->children[1], picked);
  });
}

}  // namespace

void add_map_building(KernelTable& table) {
  table.add("map_from_lists", make_from_lists);
  table.add("map_from_entries", make_from_entries);
  table.add("map_concat", make_concat);
}

}  // namespace quern::cpu
