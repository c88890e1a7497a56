// Lists made of other lists: their elements are named by position and gathered once for all rows.
#include <algorithm>

#include "cpu/expression/list_groups.hpp"
#include "cpu/expression/loops.hpp"

namespace quern::cpu {

namespace {

ListEntry entry_at(const Call& call, size_t i, int64_t row) { return call.values<ListEntry>(i)[row * call.step(i)]; }

const ColumnPtr& elements_of(const Call& call, size_t i) { return call.args[i]->children[0]; }

// Elements that one list, or the lists of one vector, may get: far beyond any use, far below overflow.
constexpr int64_t most_elements = int64_t{1} << 40;

// Lists under construction as positions in a column; -1 is a NULL element.
class Picked {
 public:
  explicit Picked(Call& call) : call_(call), entries_(call.result.data<ListEntry>()) {}

  void begin() { start_ = static_cast<int64_t>(positions_.size()); }
  void add(int64_t position) { positions_.push_back(position); }
  void end(int64_t row) {
    const int64_t length = static_cast<int64_t>(positions_.size()) - start_;
    entries_[row] = {length > 0 ? start_ : 0, length};
  }
  void add_null(int64_t row) {
    entries_[row] = {0, 0};
    call_.result.set_null(row);
  }
  ColumnPtr finish(const ColumnPtr& elements) {
    call_.result.add_child(
        gather(call_.memory(), elements, positions_.data(), static_cast<int64_t>(positions_.size())));
    return call_.result.finish();
  }

 private:
  Call& call_;
  ListEntry* entries_;
  std::vector<int64_t> positions_;
  int64_t start_ = 0;
};

KernelPtr make_reverse(const Signature&) {
  return custom_kernel([](Call& call) {
    Picked picked(call);
    for (int64_t row = 0; row < call.rows; ++row) {
      if (!call.arg_valid(0, row)) {
        picked.add_null(row);
        continue;
      }
      const ListEntry entry = entry_at(call, 0, row);
      picked.begin();
      for (int64_t k = entry.length; k > 0; --k) picked.add(entry.start + k - 1);
      picked.end(row);
    }
    return picked.finish(elements_of(call, 0));
  });
}

// list_append(list, element), list_prepend(element, list): a NULL list counts as empty.
KernelPtr make_extended(const Signature& signature) {
  const bool after = signature.name == "list_append";
  return custom_kernel([after, type = signature.result->children[0]](Call& call) {
    const size_t list = after ? 0 : 1, element = after ? 1 : 0;
    const ColumnPtr& values = call.args[element];
    const ColumnPtr all = concat(call.memory(), type, {elements_of(call, list), values});
    const int64_t first_value = elements_of(call, list)->length;
    Picked picked(call);
    for (int64_t row = 0; row < call.rows; ++row) {
      picked.begin();
      if (!after) picked.add(first_value + row);
      if (call.arg_valid(list, row)) {
        const ListEntry entry = entry_at(call, list, row);
        for (int64_t k = 0; k < entry.length; ++k) picked.add(entry.start + k);
      }
      if (after) picked.add(first_value + row);
      picked.end(row);
    }
    return picked.finish(all);
  });
}

// list_resize(list, size[, value]): a NULL size is 0.
KernelPtr make_resize(const Signature& signature) {
  const bool filled = signature.arguments.size() == 3;
  return custom_kernel([filled, type = signature.result->children[0]](Call& call) {
    ColumnPtr all = elements_of(call, 0);
    const int64_t first_value = all->length;
    if (filled) all = concat(call.memory(), type, {all, call.args[2]});
    const auto size_at = [&](int64_t row) {
      return call.arg_valid(0, row) && call.arg_valid(1, row) ? call.values<int64_t>(1)[row * call.step(1)] : 0;
    };
    int64_t total = 0;
    for (int64_t row = 0; row < call.rows; ++row) {
      if (size_at(row) < 0) throw runtime_error("negative size in list_resize: " + std::to_string(size_at(row)));
      if (size_at(row) > most_elements - total)
        throw runtime_error("too many elements in list_resize: " + std::to_string(size_at(row)));
      total += size_at(row);
    }
    // Counts the positions against the memory limit before they are made.
    const BufferPtr counted = call.memory().allocate(static_cast<size_t>(total) * sizeof(int64_t));
    Picked picked(call);
    for (int64_t row = 0; row < call.rows; ++row) {
      if (!call.arg_valid(0, row)) {
        picked.add_null(row);
        continue;
      }
      const ListEntry entry = entry_at(call, 0, row);
      const int64_t size = size_at(row);
      picked.begin();
      for (int64_t k = 0; k < size; ++k) {
        if ((k & 0xfffff) == 0xfffff) call.context.check_cancelled();
        picked.add(k < entry.length ? entry.start + k : filled ? first_value + row : -1);
      }
      picked.end(row);
    }
    return picked.finish(all);
  });
}

// Elements of the inner lists, one after another; NULL inner lists add nothing.
KernelPtr make_flatten(const Signature&) {
  return custom_kernel([](Call& call) {
    const ColumnPtr inner = flatten(call.memory(), elements_of(call, 0));
    Picked picked(call);
    for (int64_t row = 0; row < call.rows; ++row) {
      if (!call.arg_valid(0, row)) {
        picked.add_null(row);
        continue;
      }
      const ListEntry entry = entry_at(call, 0, row);
      picked.begin();
      for (int64_t i = entry.start; i < entry.start + entry.length; ++i) {
        if (!inner->is_valid(i)) continue;
        const ListEntry part = inner->values<ListEntry>()[i];
        for (int64_t k = 0; k < part.length; ++k) picked.add(part.start + k);
      }
      picked.end(row);
    }
    return picked.finish(inner->children[0]);
  });
}

// `length` elements from position `start` on (from 1, negative from the end); what lies outside the list is left out.
ListEntry part_of(ListEntry entry, int64_t start, int64_t length) {
  if (length <= 0) return {0, 0};
  const int64_t size = entry.length;
  const int64_t first = start < 0 ? start + size + 1 : start;
  if (first > size) return {0, 0};
  const int64_t last = first > 0 && length > size - first ? size : std::min(size, first + length - 1);
  const int64_t begin = std::max<int64_t>(first, 1);
  if (begin > last) return {0, 0};
  return {entry.start + begin - 1, last - begin + 1};
}

KernelPtr make_part(const Signature&) {
  return strict_kernel([](Call& call) {
    auto* out = call.result.data<ListEntry>();
    for_valid(call.valid, call.rows, [&](int64_t row) {
      out[row] = part_of(entry_at(call, 0, row), call.values<int64_t>(1)[row * call.step(1)],
                         call.values<int64_t>(2)[row * call.step(2)]);
    });
    call.result.keep(call.args[0]->owners);
    call.result.add_child(elements_of(call, 0));
  });
}

// Numbers of start, start + step, … before `end`, or up to and with it.
int64_t count_of(int64_t start, int64_t end, int64_t step, bool inclusive) {
  if (step == 0 || (step > 0 ? start > end : start < end) || (!inclusive && start == end)) return 0;
  const auto distance = step > 0 ? static_cast<uint64_t>(end) - static_cast<uint64_t>(start)
                                 : static_cast<uint64_t>(start) - static_cast<uint64_t>(end);
  const auto stride = step > 0 ? static_cast<uint64_t>(step) : 0 - static_cast<uint64_t>(step);
  const uint64_t whole = distance / stride;
  const bool meets = distance % stride == 0;
  return static_cast<int64_t>(std::min<uint64_t>(whole, INT64_MAX - 1)) + (meets && !inclusive ? 0 : 1);
}

KernelPtr make_range(const Signature& signature) {
  const bool inclusive = signature.name == "generate_series";
  return strict_kernel([inclusive, name = signature.name](Call& call) {
    const auto at = [&](size_t i, int64_t row) { return call.values<int64_t>(i)[row * call.step(i)]; };
    auto* entries = call.result.data<ListEntry>();
    int64_t total = 0;
    for_valid(call.valid, call.rows, [&](int64_t row) {
      const int64_t count = count_of(at(0, row), at(1, row), at(2, row), inclusive);
      if (count > most_elements - total)
        throw runtime_error("too many elements in " + name + ": " + std::to_string(count));
      entries[row] = {count > 0 ? total : 0, count};
      total += count;
    });
    ColumnBuilder elements(call.memory(), make_type(TypeKind::int64), total);
    for_valid(call.valid, call.rows, [&](int64_t row) {
      int64_t* out = elements.data<int64_t>() + entries[row].start;
      auto value = static_cast<uint64_t>(at(0, row));
      for (int64_t k = 0; k < entries[row].length; ++k, value += static_cast<uint64_t>(at(2, row)))
        out[k] = static_cast<int64_t>(value);
    });
    call.result.add_child(elements.finish());
  });
}

// Elements that are not NULL, with the separator between them; NULL when there are elements and all are NULL. An empty
// list gives the empty text, or NULL as the aggregate of no rows.
KernelPtr make_text_of(bool empty_is_null) {
  return custom_kernel([empty_is_null](Call& call) {
    const ColumnPtr elements = flatten(call.memory(), elements_of(call, 0));
    StringHeap heap(call.memory());
    auto* out = call.result.data<StringView>();
    std::string text;
    for (int64_t row = 0; row < call.rows; ++row) {
      out[row] = StringView{};
      if (!call.arg_valid(0, row)) {
        call.result.set_null(row);
        continue;
      }
      const ListEntry entry = entry_at(call, 0, row);
      const std::string_view separator =
          call.arg_valid(1, row) ? string_at(call.values<StringView>(1), row * call.step(1)) : ",";
      text.clear();
      bool any = false;
      for (int64_t i = entry.start; i < entry.start + entry.length; ++i) {
        if (!elements->is_valid(i)) continue;
        if (any) text += separator;
        text += string_at(elements->values<StringView>(), i);
        any = true;
      }
      if (!any && (entry.length > 0 || empty_is_null))
        call.result.set_null(row);
      else
        out[row] = heap.append(text.data(), text.size());
    }
    call.result.keep(heap.owners());
    return call.result.finish();
  });
}

KernelPtr make_text(const Signature&) { return make_text_of(false); }
KernelPtr make_aggregated_text(const Signature&) { return make_text_of(true); }

}  // namespace

void add_list_building(KernelTable& table) {
  table.add("list_reverse", make_reverse);
  table.add("list_append", make_extended);
  table.add("list_prepend", make_extended);
  table.add("list_resize", make_resize);
  table.add("flatten", make_flatten);
  table.add("list_part", make_part);
  table.add("range", make_range);
  table.add("generate_series", make_range);
  table.add("array_to_string", make_text);
  table.add("list_string_agg", make_aggregated_text);
}

}  // namespace quern::cpu
