// Lists: length, elements, slices, construction, search. Results share the elements of their arguments where they can.
#include <algorithm>

#include "columnar/compare.hpp"
#include "cpu/expression/loops.hpp"

namespace quern::cpu {

namespace {

ListEntry entry_at(const Call& call, size_t i, int64_t row) { return call.values<ListEntry>(i)[row * call.step(i)]; }

class LengthKernel final : public Kernel {
 public:
  explicit LengthKernel(TypePtr type) : Kernel(true), type_(std::move(type)) {}

  ColumnPtr call(Call& call) override {
    if (call.args[0]->stride != unknown_stride) {
      ColumnBuilder one(call.memory(), type_, 1);
      one.data<int64_t>()[0] = call.args[0]->stride;
      return make_constant(one.finish(), 0, call.rows);
    }
    map_unary<int64_t, ListEntry>(call, [](const ListEntry& entry, int64_t& out) { out = entry.length; });
    return call.result.finish();
  }

 private:
  TypePtr type_;
};

KernelPtr make_length(const Signature& signature) { return std::make_unique<LengthKernel>(signature.result); }

// 1-based, negative from the end; -1 outside.
int64_t element_position(ListEntry entry, int64_t index) {
  if (index > 0 && index <= entry.length) return entry.start + index - 1;
  if (index < 0 && -index <= entry.length && index != INT64_MIN) return entry.start + entry.length + index;
  return -1;
}

KernelPtr make_extract(const Signature&) {
  return custom_kernel([](Call& call) {
    const auto* indices = call.values<int64_t>(1);
    std::vector<int64_t> rows(static_cast<size_t>(call.rows));
    if (call.args[0]->stride != unknown_stride && call.constant(1) && call.arg_valid(1, 0)) {
      const int64_t at = element_position({0, call.args[0]->stride}, indices[0]);
      const auto* entries = call.values<ListEntry>(0);
      for (int64_t row = 0; row < call.rows; ++row) rows[row] = at < 0 ? -1 : entries[row].start + at;
      return gather(call.memory(), call.args[0]->children[0], rows.data(), call.rows);
    }
    for (int64_t row = 0; row < call.rows; ++row) {
      const bool known = call.arg_valid(0, row) && call.arg_valid(1, row);
      rows[row] = known ? element_position(entry_at(call, 0, row), indices[row * call.step(1)]) : -1;
    }
    return gather(call.memory(), call.args[0]->children[0], rows.data(), call.rows);
  });
}

// Inclusive bounds cut to the list; a NULL bound is open.
ListEntry slice_entry(ListEntry entry, int64_t begin, int64_t end) {
  const int64_t size = entry.length;
  if (begin < 0) begin = begin < -size ? 1 : size + begin + 1;
  if (end < 0) end = end < -size ? 0 : size + end + 1;
  begin = std::max<int64_t>(begin, 1);
  end = std::min(end, size);
  if (begin > end) return {0, 0};
  return {entry.start + begin - 1, end - begin + 1};
}

// Bounds that are left out in l[a:b:step].
constexpr int64_t open_begin = INT64_MIN, open_end = INT64_MAX;

// Positions of a list from one bound to the other, both included, `step` apart; a negative step goes down.
void pick_steps(ListEntry entry, int64_t begin, int64_t end, int64_t step, std::vector<int64_t>& rows) {
  if (step == 0) throw runtime_error("the step of a slice is not 0");
  if (step < 0 && begin == open_begin) begin = -1;
  if (step < 0 && end == open_end) end = 1;
  const ListEntry part = step > 0 ? slice_entry(entry, begin, end) : slice_entry(entry, end, begin);
  const uint64_t stride = step > 0 ? static_cast<uint64_t>(step) : -static_cast<uint64_t>(step);
  for (uint64_t k = 0; k < static_cast<uint64_t>(part.length);) {
    rows.push_back(step > 0 ? part.start + static_cast<int64_t>(k)
                            : part.start + part.length - 1 - static_cast<int64_t>(k));
    if (stride >= static_cast<uint64_t>(part.length) - k) break;
    k += stride;
  }
}

KernelPtr make_slice_step(const Signature&) {
  return custom_kernel([](Call& call) {
    std::vector<int64_t> rows;
    auto* out = call.result.data<ListEntry>();
    for (int64_t row = 0; row < call.rows; ++row) {
      out[row] = {0, 0};
      bool known = true;
      for (size_t i = 0; i < 4; ++i) known = known && call.arg_valid(i, row);
      if (!known) {
        call.result.set_null(row);
        continue;
      }
      const auto bound = [&](size_t i) { return call.values<int64_t>(i)[row * call.step(i)]; };
      const auto start = static_cast<int64_t>(rows.size());
      pick_steps(entry_at(call, 0, row), bound(1), bound(2), bound(3), rows);
      out[row] = {start, static_cast<int64_t>(rows.size()) - start};
    }
    call.result.add_child(
        gather(call.memory(), call.args[0]->children[0], rows.data(), static_cast<int64_t>(rows.size())));
    return call.result.finish();
  });
}

KernelPtr make_slice(const Signature&) {
  return custom_kernel([](Call& call) {
    auto* out = call.result.data<ListEntry>();
    for (int64_t row = 0; row < call.rows; ++row) {
      out[row] = {0, 0};
      if (!call.arg_valid(0, row) || !call.arg_valid(1, row) || !call.arg_valid(2, row)) {
        call.result.set_null(row);
        continue;
      }
      const int64_t begin = call.values<int64_t>(1)[row * call.step(1)];
      const int64_t end = call.values<int64_t>(2)[row * call.step(2)];
      out[row] = slice_entry(entry_at(call, 0, row), begin, end);
    }
    call.result.keep(call.args[0]->owners);
    call.result.add_child(call.args[0]->children[0]);
    return call.result.finish();
  });
}

// One list a row, of the row's arguments in order.
KernelPtr make_value(const Signature& signature) {
  return custom_kernel([element = signature.result->children[0]](Call& call) {
    const auto count = static_cast<int64_t>(call.args.size());
    const ColumnPtr all = concat(call.memory(), element, call.args);
    std::vector<int64_t> rows(static_cast<size_t>(call.rows * count));
    auto* out = call.result.data<ListEntry>();
    for (int64_t row = 0; row < call.rows; ++row) {
      out[row] = {row * count, count};
      for (int64_t k = 0; k < count; ++k) rows[row * count + k] = k * call.rows + row;
    }
    call.result.add_child(gather(call.memory(), all, rows.data(), call.rows * count));
    return call.result.finish();
  });
}

// Elements of two lists. A NULL list adds nothing, or makes the result NULL.
KernelPtr make_joined(const Signature& signature, bool null_adds_nothing) {
  return custom_kernel([element = signature.result->children[0], null_adds_nothing](Call& call) {
    const ColumnPtr &a = call.args[0]->children[0], &b = call.args[1]->children[0];
    const ColumnPtr all = concat(call.memory(), element, {a, b});
    std::vector<int64_t> rows;
    auto* out = call.result.data<ListEntry>();
    for (int64_t row = 0; row < call.rows; ++row) {
      const auto start = static_cast<int64_t>(rows.size());
      if (!null_adds_nothing && !(call.arg_valid(0, row) && call.arg_valid(1, row))) {
        out[row] = {0, 0};
        call.result.set_null(row);
        continue;
      }
      for (size_t i = 0; i < 2; ++i) {
        if (!call.arg_valid(i, row)) continue;
        const ListEntry entry = entry_at(call, i, row);
        for (int64_t k = 0; k < entry.length; ++k) rows.push_back((i == 0 ? 0 : a->length) + entry.start + k);
      }
      out[row] = {start, static_cast<int64_t>(rows.size()) - start};
    }
    call.result.add_child(gather(call.memory(), all, rows.data(), static_cast<int64_t>(rows.size())));
    return call.result.finish();
  });
}

KernelPtr make_concat(const Signature& signature) { return make_joined(signature, true); }
KernelPtr make_list_join(const Signature& signature) { return make_joined(signature, false); }

// Position from 1 of the first NULL element; 0 when there is none.
int64_t find_null(const Column& elements, ListEntry entry) {
  for (int64_t k = 0; k < entry.length; ++k) {
    if (elements.type->kind == TypeKind::null ||
        !elements.is_valid(elements.form == Form::constant ? 0 : entry.start + k))
      return k + 1;
  }
  return 0;
}

// 1-based position of the first element equal to the value; 0 when there is none. NULL elements equal nothing.
int64_t find_element(const Call& call, int64_t row) {
  const ListEntry entry = entry_at(call, 0, row);
  const Column& elements = *call.args[0]->children[0];
  for (int64_t k = 0; k < entry.length; ++k) {
    const int64_t at = entry.start + k;
    if (elements.type->kind == TypeKind::null || !elements.is_valid(elements.form == Form::constant ? 0 : at)) continue;
    if (compare_values(elements, at, *call.args[1], row) == 0) return k + 1;
  }
  return 0;
}

KernelPtr make_contains(const Signature&) {
  return strict_kernel([](Call& call) {
    auto* out = call.result.data<uint8_t>();
    for_valid(call.valid, call.rows, [&](int64_t row) { out[row] = find_element(call, row) > 0; });
  });
}

// NULL is looked for like any value.
KernelPtr make_position(const Signature&) {
  return custom_kernel([](Call& call) {
    auto* out = call.result.data<int32_t>();
    for (int64_t row = 0; row < call.rows; ++row) {
      int64_t position = 0;
      if (call.arg_valid(0, row)) {
        position = call.arg_valid(1, row) ? find_element(call, row)
                                          : find_null(*call.args[0]->children[0], entry_at(call, 0, row));
      }
      if (position > INT32_MAX)
        throw runtime_error("list_position: place " + std::to_string(position) + " is out of range of INTEGER");
      out[row] = static_cast<int32_t>(position);
      if (position == 0) call.result.set_null(row);
    }
    return call.result.finish();
  });
}

}  // namespace

void add_lists(KernelTable& table) {
  table.add("len", make_length);
  table.add("list_extract", make_extract);
  table.add("list_slice", make_slice);
  table.add("list_slice_step", make_slice_step);
  table.add("list_value", make_value);
  table.add("list_concat", make_concat);
  table.add("list_join", make_list_join);
  table.add("list_contains", make_contains);
  table.add("list_position", make_position);
}

}  // namespace quern::cpu
