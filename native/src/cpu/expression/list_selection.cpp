// list_select, list_where, list_zip, list_leaves: lists whose elements stand where those of the arguments do.
#include <algorithm>

#include "cpu/expression/list_groups.hpp"
#include "cpu/expression/loops.hpp"

namespace quern::cpu {

namespace {

ListEntry entry_at(const Call& call, size_t i, int64_t row) { return call.values<ListEntry>(i)[row * call.step(i)]; }

// A NULL column may come without its child.
ColumnPtr elements_of(const Call& call, size_t i) {
  const Column& column = *call.args[i];
  if (column.children.empty()) return make_null_column(column.type->children[0], 0);
  return flatten(call.memory(), column.children[0]);
}

// list_select and list_where: positions in the first list's child, chosen by the elements of the second. `add(row,
// positions)` appends those of a row; -1 is NULL.
template <typename Add>
ColumnPtr chosen_lists(Call& call, Add add) {
  const ColumnPtr values = elements_of(call, 0);
  auto* out = call.result.data<ListEntry>();
  std::vector<int64_t> positions;
  for (int64_t row = 0; row < call.rows; ++row) {
    const auto start = static_cast<int64_t>(positions.size());
    if (call.arg_valid(0, row) && call.arg_valid(1, row))
      add(row, positions);
    else
      call.result.set_null(row);
    const int64_t count = static_cast<int64_t>(positions.size()) - start;
    out[row] = {count > 0 ? start : 0, count};
  }
  call.result.add_child(gather(call.memory(), values, positions.data(), static_cast<int64_t>(positions.size())));
  return call.result.finish();
}

void check_known(const Column& choice, ListEntry entry, const char* function) {
  if (choice.null_count == 0) return;
  for (int64_t i = entry.start; i < entry.start + entry.length; ++i) {
    if (!choice.is_valid(i)) throw runtime_error(std::string(function) + ": NULL in its second list");
  }
}

// Elements by position from 1; NULL outside.
KernelPtr make_select(const Signature&) {
  return custom_kernel([](Call& call) {
    const ColumnPtr choice = elements_of(call, 1);
    return chosen_lists(call, [&](int64_t row, std::vector<int64_t>& positions) {
      const ListEntry values = entry_at(call, 0, row), wanted = entry_at(call, 1, row);
      check_known(*choice, wanted, "list_select");
      for (int64_t i = wanted.start; i < wanted.start + wanted.length; ++i) {
        const int64_t index = choice->values<int64_t>()[i];
        positions.push_back(index > 0 && index <= values.length ? values.start + index - 1 : -1);
      }
    });
  });
}

// Elements where the mask is true; NULL where the mask is longer.
KernelPtr make_where(const Signature&) {
  return custom_kernel([](Call& call) {
    const ColumnPtr choice = elements_of(call, 1);
    return chosen_lists(call, [&](int64_t row, std::vector<int64_t>& positions) {
      const ListEntry values = entry_at(call, 0, row), mask = entry_at(call, 1, row);
      check_known(*choice, mask, "list_where");
      for (int64_t i = 0; i < mask.length; ++i) {
        if (choice->values<uint8_t>()[mask.start + i] == 0) continue;
        positions.push_back(i < values.length ? values.start + i : -1);
      }
    });
  });
}

// list_zip(truncate, lists...): structs of one element of each list. As long as the longest list, the others filled up
// with NULL, or as the shortest. A NULL list counts as empty.
KernelPtr make_zip(const Signature& signature) {
  const TypePtr element = signature.result->kind == TypeKind::list ? signature.result->children[0] : nullptr;
  if (!element || element->kind != TypeKind::structure || element->children.size() + 1 != signature.arguments.size())
    return nullptr;
  return custom_kernel([element](Call& call) {
    const size_t lists = call.args.size() - 1;
    std::vector<std::vector<int64_t>> positions(lists);
    auto* out = call.result.data<ListEntry>();
    int64_t total = 0;
    for (int64_t row = 0; row < call.rows; ++row) {
      const auto entry = [&](size_t i) {
        return call.arg_valid(i + 1, row) ? entry_at(call, i + 1, row) : ListEntry{0, 0};
      };
      const bool cut = call.arg_valid(0, row) && call.values<uint8_t>(0)[row * call.step(0)] != 0;
      int64_t length = entry(0).length;
      for (size_t i = 1; i < lists; ++i)
        length = cut ? std::min(length, entry(i).length) : std::max(length, entry(i).length);
      for (size_t i = 0; i < lists; ++i) {
        const ListEntry from = entry(i);
        for (int64_t k = 0; k < length; ++k) positions[i].push_back(k < from.length ? from.start + k : -1);
      }
      out[row] = {length > 0 ? total : 0, length};
      total += length;
    }
    ColumnBuilder structs(call.memory(), element, total);
    for (size_t i = 0; i < lists; ++i)
      structs.add_child(gather(call.memory(), elements_of(call, i + 1), positions[i].data(), total));
    call.result.add_child(structs.finish());
    return call.result.finish();
  });
}

// Appends the ranges of the leaves below an entry of levels[level]; NULL lists add nothing. The last level is that of
// the leaves.
void add_leaves(const std::vector<ColumnPtr>& levels, size_t level, ListEntry entry, std::vector<ListEntry>& ranges) {
  if (level + 2 == levels.size()) {
    if (entry.length == 0) return;
    if (!ranges.empty() && ranges.back().start + ranges.back().length == entry.start)
      ranges.back().length += entry.length;
    else
      ranges.push_back(entry);
    return;
  }
  const Column& inner = *levels[level + 1];
  for (int64_t i = entry.start; i < entry.start + entry.length; ++i) {
    if (inner.is_valid(i)) add_leaves(levels, level + 1, inner.values<ListEntry>()[i], ranges);
  }
}

// The lists of a call, then the elements of each level below, in flat form.
std::vector<ColumnPtr> levels_of(Call& call) {
  std::vector<ColumnPtr> levels{call.args[0]};
  while (levels.back()->type->kind == TypeKind::list) {
    const Column& lists = *levels.back();
    levels.push_back(lists.children.empty() ? make_null_column(lists.type->children[0], 0)
                                            : flatten(call.memory(), lists.children[0]));
  }
  return levels;
}

// The leaves of a list of lists of any depth, in order. Where those of every row stand side by side, as in a column
// that was read from a file, the leaves are shared and not copied.
KernelPtr make_leaves(const Signature& signature) {
  TypePtr leaf = signature.arguments[0]->children[0];
  while (leaf->kind == TypeKind::list) leaf = leaf->children[0];
  if (signature.result->kind != TypeKind::list || !same_type(*signature.result->children[0], *leaf)) return nullptr;
  return custom_kernel([](Call& call) {
    const auto levels = levels_of(call);
    auto* out = call.result.data<ListEntry>();
    std::vector<ListEntry> ranges;
    std::vector<size_t> first(static_cast<size_t>(call.rows) + 1, 0);
    bool side_by_side = true;
    for (int64_t row = 0; row < call.rows; ++row) {
      std::vector<ListEntry> of_row;
      if (call.arg_valid(0, row))
        add_leaves(levels, 0, entry_at(call, 0, row), of_row);
      else
        call.result.set_null(row);
      side_by_side = side_by_side && of_row.size() < 2;
      out[row] = of_row.empty() ? ListEntry{0, 0} : of_row[0];
      ranges.insert(ranges.end(), of_row.begin(), of_row.end());
      first[static_cast<size_t>(row) + 1] = ranges.size();
    }
    if (side_by_side) {
      call.result.add_child(levels.back());
      return call.result.finish();
    }
    std::vector<int64_t> positions;
    for (int64_t row = 0; row < call.rows; ++row) {
      const auto start = static_cast<int64_t>(positions.size());
      for (size_t i = first[static_cast<size_t>(row)]; i < first[static_cast<size_t>(row) + 1]; ++i) {
        for (int64_t k = 0; k < ranges[i].length; ++k) positions.push_back(ranges[i].start + k);
      }
      const int64_t count = static_cast<int64_t>(positions.size()) - start;
      out[row] = {count > 0 ? start : 0, count};
    }
    call.result.add_child(
        gather(call.memory(), levels.back(), positions.data(), static_cast<int64_t>(positions.size())));
    return call.result.finish();
  });
}

}  // namespace

void add_list_selection(KernelTable& table) {
  table.add("list_select", make_select);
  table.add("list_where", make_where);
  table.add("list_zip", make_zip);
  table.add("list_leaves", make_leaves);
}

}  // namespace quern::cpu
