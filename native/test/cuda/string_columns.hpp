// Columns of strings that repeat, and strings as the host sees them.
#pragma once
#include <optional>
#include <string>

#include "cuda/random_columns.hpp"

namespace quern::test {

using Text = std::optional<std::string>;

// String `number` of a domain, none twice: empty, inside a view, longer, and now and then more than a kilobyte, with
// zero bytes at the end of some.
inline std::string text_of_number(uint64_t number) {
  if (number == 0) return "";
  if (number % 5 == 1) return std::to_string(number);
  std::string out = std::to_string(number * 2654435761ULL % 1000003) + "-" + std::to_string(number);
  if (number % 7 == 3) out = std::string(30 + number % 11, 'y') + out;
  if (number % 61 == 2) out = std::string(1500, 'z') + out;
  if (number % 13 == 5) out += std::string(number % 9, '\0');
  return out;
}

inline std::vector<Text> some_texts(int64_t rows, uint64_t domain, Nulls nulls, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Text> out;
  for (int64_t i = 0; i < rows; ++i) {
    const bool null = nulls == Nulls::all || (nulls == Nulls::some && random() % 3 == 0);
    out.push_back(null ? Text{} : text_of_number(random() % domain));
  }
  return out;
}

inline ColumnPtr column_of_texts(Memory& memory, const TypePtr& type, const std::vector<Text>& texts) {
  ColumnBuilder out(memory, type, static_cast<int64_t>(texts.size()), true);
  StringHeap heap(memory);
  for (size_t i = 0; i < texts.size(); ++i) {
    if (texts[i])
      out.data<StringView>()[i] = heap.append(texts[i]->data(), texts[i]->size());
    else
      out.set_null(static_cast<int64_t>(i));
  }
  out.keep(heap.owners());
  return out.finish();
}

inline Text text_at(const Column& column, int64_t row) {
  if (!column.is_valid(row)) return std::nullopt;
  const StringView& view = column.values<StringView>()[row];
  return std::string(view.data(), view.length);
}

}  // namespace quern::test
