// list_sort, list_distinct, list_unique, list_has_any, list_has_all, list_intersect: elements by their order
// (columnar/compare.hpp: NaN equals itself and is greatest, nested values by element).
#include <algorithm>
#include <cctype>
#include <numeric>

#include "columnar/compare.hpp"
#include "cpu/expression/list_groups.hpp"
#include "cpu/expression/loops.hpp"
#include "ops/compare.hpp"

namespace quern::cpu {

namespace {

ListEntry entry_at(const Call& call, size_t i, int64_t row) { return call.values<ListEntry>(i)[row * call.step(i)]; }

// The child of a list argument in flat form.
ColumnPtr elements_of(const Call& call, size_t i) { return flatten(call.memory(), call.args[i]->children[0]); }

bool is_known(const Column& elements, int64_t at) {
  return elements.type->kind != TypeKind::null && elements.is_valid(at);
}

// Positions of the elements of an entry that are not NULL.
std::vector<int64_t> known_positions(const Column& elements, ListEntry entry) {
  std::vector<int64_t> positions;
  positions.reserve(static_cast<size_t>(entry.length));
  for (int64_t i = entry.start; i < entry.start + entry.length; ++i) {
    if (is_known(elements, i)) positions.push_back(i);
  }
  return positions;
}

template <typename T>
void sort_numbers(const Column& elements, std::vector<int64_t>& positions, bool descending) {
  const T* values = elements.values<T>();
  if (descending)
    std::stable_sort(positions.begin(), positions.end(),
                     [=](int64_t a, int64_t b) { return ops::less(values[b], values[a]); });
  else
    std::stable_sort(positions.begin(), positions.end(),
                     [=](int64_t a, int64_t b) { return ops::less(values[a], values[b]); });
}

// By value, equal ones in their order.
void sort_positions(const Column& elements, std::vector<int64_t>& positions, bool descending) {
  switch (physical(*elements.type)) {
    case Physical::int32:
      return sort_numbers<int32_t>(elements, positions, descending);
    case Physical::int64:
      return sort_numbers<int64_t>(elements, positions, descending);
    case Physical::float32:
      return sort_numbers<float>(elements, positions, descending);
    case Physical::float64:
      return sort_numbers<double>(elements, positions, descending);
    default:
      std::stable_sort(positions.begin(), positions.end(), [&](int64_t a, int64_t b) {
        const int order = compare_values(elements, a, elements, b);
        return descending ? order > 0 : order < 0;
      });
  }
}

// The first of each group of equal elements, sorted by value.
std::vector<int64_t> distinct_positions(const Column& elements, ListEntry entry) {
  auto positions = known_positions(elements, entry);
  sort_positions(elements, positions, false);
  const auto equal = [&](int64_t a, int64_t b) { return compare_values(elements, a, elements, b) == 0; };
  positions.erase(std::unique(positions.begin(), positions.end(), equal), positions.end());
  return positions;
}

// Whether a value is among sorted elements of another list.
bool among(const Column& sorted_elements, const std::vector<int64_t>& sorted, const Column& elements, int64_t at) {
  const auto found = std::lower_bound(sorted.begin(), sorted.end(), at, [&](int64_t member, int64_t value) {
    return compare_values(sorted_elements, member, elements, value) < 0;
  });
  return found != sorted.end() && compare_values(sorted_elements, *found, elements, at) == 0;
}

// A list a row out of positions in the child; pick(entry) gives them. Strict in every argument.
template <typename Pick>
ColumnPtr picked_lists(Call& call, const ColumnPtr& elements, Pick pick) {
  auto* out = call.result.data<ListEntry>();
  std::vector<int64_t> all;
  for (int64_t row = 0; row < call.rows; ++row) {
    out[row] = {0, 0};
    bool valid = true;
    for (size_t i = 0; i < call.args.size(); ++i) valid = valid && call.arg_valid(i, row);
    if (!valid) {
      call.result.set_null(row);
      continue;
    }
    const std::vector<int64_t> positions = pick(row);
    if (positions.empty()) continue;
    out[row] = {static_cast<int64_t>(all.size()), static_cast<int64_t>(positions.size())};
    all.insert(all.end(), positions.begin(), positions.end());
  }
  call.result.add_child(gather(call.memory(), elements, all.data(), static_cast<int64_t>(all.size())));
  return call.result.finish();
}

std::string upper_words(std::string_view text) {
  std::string out;
  for (const char c : text) out += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

// Of an argument that says `yes` or `no`.
bool chosen(const Call& call, size_t i, int64_t row, std::string_view yes, std::string_view yes_too,
            std::string_view no, std::string_view no_too) {
  const auto text = string_at(call.values<StringView>(i), row * call.step(i));
  const std::string word = upper_words(text);
  if (word == yes || word == yes_too) return true;
  if (word == no || word == no_too) return false;
  throw runtime_error("list_sort takes " + std::string(yes) + " or " + std::string(no) + ", not: " + std::string(text));
}

struct Order {
  bool descending, nulls_first;
};

Order order_at(const Call& call, int64_t row) {
  return {chosen(call, 1, row, "DESC", "DESCENDING", "ASC", "ASCENDING"),
          chosen(call, 2, row, "NULLS FIRST", "FIRST", "NULLS LAST", "LAST")};
}

// list_sort(list, order, nulls)
KernelPtr make_sort(const Signature&) {
  return custom_kernel([](Call& call) {
    const ColumnPtr elements = elements_of(call, 0);
    return picked_lists(call, elements, [&](int64_t row) {
      const ListEntry entry = entry_at(call, 0, row);
      const auto [descending, nulls_first] = order_at(call, row);
      std::vector<int64_t> known = known_positions(*elements, entry);
      sort_positions(*elements, known, descending);
      const auto nulls = static_cast<size_t>(entry.length) - known.size();
      known.insert(nulls_first ? known.begin() : known.end(), nulls, -1);
      return known;
    });
  });
}

// The positions from 1 that list_sort would put one after another.
KernelPtr make_grade(const Signature&) {
  return custom_kernel([](Call& call) {
    const ColumnPtr elements = elements_of(call, 0);
    auto* out = call.result.data<ListEntry>();
    std::vector<int64_t> grades;
    for (int64_t row = 0; row < call.rows; ++row) {
      out[row] = {0, 0};
      if (!call.arg_valid(0, row) || !call.arg_valid(1, row) || !call.arg_valid(2, row)) {
        call.result.set_null(row);
        continue;
      }
      const ListEntry entry = entry_at(call, 0, row);
      const Order order = order_at(call, row);
      std::vector<int64_t> known = known_positions(*elements, entry), nulls;
      for (int64_t i = entry.start; i < entry.start + entry.length; ++i) {
        if (!is_known(*elements, i)) nulls.push_back(i);
      }
      sort_positions(*elements, known, order.descending);
      known.insert(order.nulls_first ? known.begin() : known.end(), nulls.begin(), nulls.end());
      if (entry.length > 0) out[row] = {static_cast<int64_t>(grades.size()), entry.length};
      for (const int64_t at : known) grades.push_back(at - entry.start + 1);
    }
    ColumnBuilder child(call.memory(), make_type(TypeKind::int64), static_cast<int64_t>(grades.size()));
    std::copy(grades.begin(), grades.end(), child.data<int64_t>());
    call.result.add_child(child.finish());
    return call.result.finish();
  });
}

KernelPtr make_distinct(const Signature&) {
  return custom_kernel([](Call& call) {
    const ColumnPtr elements = elements_of(call, 0);
    return picked_lists(call, elements, [&](int64_t row) {
      auto positions = distinct_positions(*elements, entry_at(call, 0, row));
      std::sort(positions.begin(), positions.end());
      return positions;
    });
  });
}

KernelPtr make_unique_count(const Signature&) {
  return strict_kernel([](Call& call) {
    const ColumnPtr elements = elements_of(call, 0);
    auto* out = call.result.data<uint64_t>();
    for_valid(call.valid, call.rows,
              [&](int64_t row) { out[row] = distinct_positions(*elements, entry_at(call, 0, row)).size(); });
  });
}

// NULL elements are not looked at: list_has_all(l, s) asks for every value of s, list_has_any for one.
KernelPtr make_has(const Signature& signature) {
  const bool all = signature.name == "list_has_all";
  return strict_kernel([all](Call& call) {
    const ColumnPtr elements = elements_of(call, 0), wanted = elements_of(call, 1);
    auto* out = call.result.data<uint8_t>();
    for_valid(call.valid, call.rows, [&](int64_t row) {
      const auto sorted = distinct_positions(*elements, entry_at(call, 0, row));
      const auto values = known_positions(*wanted, entry_at(call, 1, row));
      const auto has = [&](int64_t at) { return among(*elements, sorted, *wanted, at); };
      out[row] = all ? std::all_of(values.begin(), values.end(), has) : std::any_of(values.begin(), values.end(), has);
    });
  });
}

// Distinct elements of the first list that the second has too, in the order of the first.
KernelPtr make_intersect(const Signature&) {
  return custom_kernel([](Call& call) {
    const ColumnPtr elements = elements_of(call, 0), others = elements_of(call, 1);
    return picked_lists(call, elements, [&](int64_t row) {
      const auto sorted = distinct_positions(*others, entry_at(call, 1, row));
      auto positions = distinct_positions(*elements, entry_at(call, 0, row));
      std::erase_if(positions, [&](int64_t at) { return !among(*others, sorted, *elements, at); });
      std::sort(positions.begin(), positions.end());
      return positions;
    });
  });
}

}  // namespace

void add_list_order(KernelTable& table) {
  table.add("list_sort", make_sort);
  table.add("list_grade_up", make_grade);
  table.add("list_distinct", make_distinct);
  table.add("list_unique", make_unique_count);
  table.add("list_has_any", make_has);
  table.add("list_has_all", make_has);
  table.add("list_intersect", make_intersect);
}

}  // namespace quern::cpu
