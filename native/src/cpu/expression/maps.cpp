// Maps: entries, keys, values, and the value of a key.
#include "columnar/compare.hpp"
#include "cpu/expression/loops.hpp"

namespace quern::cpu {

namespace {

KernelPtr make_cardinality(const Signature&) {
  return strict_kernel([](Call& call) {
    map_unary<uint64_t, ListEntry>(
        call, [](const ListEntry& entry, uint64_t& out) { out = static_cast<uint64_t>(entry.length); });
  });
}

// The map's entries as a list, with the child that `child(entries)` picks.
template <typename F>
KernelPtr as_list(F child) {
  return strict_kernel([child](Call& call) {
    map_unary<ListEntry, ListEntry>(call, [](const ListEntry& entry, ListEntry& out) { out = entry; });
    call.result.keep(call.args[0]->owners);
    call.result.add_child(child(call.args[0]->children[0]));
  });
}

// Element index of the entry with the row's key; -1 when there is none.
int64_t find_entry(const Call& call, int64_t row) {
  if (!call.arg_valid(0, row) || !call.arg_valid(1, row)) return -1;
  const ListEntry entry = call.values<ListEntry>(0)[row * call.step(0)];
  const Column& keys = *call.args[0]->children[0]->children[0];
  for (int64_t k = entry.start; k < entry.start + entry.length; ++k) {
    if (compare_values(keys, k, *call.args[1], row) == 0) return k;
  }
  return -1;
}

void check_key(const Signature& signature) {
  if (!same_type(*signature.arguments[0]->children[0], *signature.arguments[1]))
    throw internal_error("map key of another type than the map's");
}

KernelPtr make_value(const Signature& signature) {
  check_key(signature);
  return custom_kernel([](Call& call) {
    std::vector<int64_t> rows(static_cast<size_t>(call.rows));
    for (int64_t row = 0; row < call.rows; ++row) rows[row] = find_entry(call, row);
    return gather(call.memory(), call.args[0]->children[0]->children[1], rows.data(), call.rows);
  });
}

// A list of the value; empty when the key is absent or the map is NULL.
KernelPtr make_value_list(const Signature& signature) {
  check_key(signature);
  return custom_kernel([](Call& call) {
    auto* out = call.result.data<ListEntry>();
    for (int64_t row = 0; row < call.rows; ++row) {
      const int64_t at = find_entry(call, row);
      out[row] = at < 0 ? ListEntry{0, 0} : ListEntry{at, 1};
    }
    call.result.keep(call.args[0]->owners);
    call.result.add_child(call.args[0]->children[0]->children[1]);
    return call.result.finish();
  });
}

KernelPtr make_contains(const Signature& signature) {
  check_key(signature);
  return strict_kernel([](Call& call) {
    auto* out = call.result.data<uint8_t>();
    for_valid(call.valid, call.rows, [&](int64_t row) { out[row] = find_entry(call, row) >= 0; });
  });
}

}  // namespace

void add_maps(KernelTable& table) {
  table.add("cardinality", make_cardinality);
  table.add("map_entries", [](const Signature&) { return as_list([](const ColumnPtr& entries) { return entries; }); });
  table.add("map_keys",
            [](const Signature&) { return as_list([](const ColumnPtr& entries) { return entries->children[0]; }); });
  table.add("map_values",
            [](const Signature&) { return as_list([](const ColumnPtr& entries) { return entries->children[1]; }); });
  table.add("map_extract_value", make_value);
  table.add("map_extract", make_value_list);
  table.add("map_contains", make_contains);
}

}  // namespace quern::cpu
