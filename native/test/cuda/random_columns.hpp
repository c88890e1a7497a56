// Random columns of the forms that a GPU holds.
#pragma once
#include <cstring>
#include <random>
#include <vector>

#include "columnar/column.hpp"

namespace quern::test {

// 0, 1, a word and a block of rows with one more and one less, many blocks.
inline const std::vector<int64_t> sizes = {0, 1, 31, 32, 33, 255, 256, 257, 2047, 100003};
enum class Nulls { none, some, all };

inline ColumnPtr numbers(Memory& memory, const TypePtr& type, int64_t rows, Nulls nulls, uint64_t seed) {
  std::mt19937_64 random(seed);
  ColumnBuilder out(memory, type, rows, true);
  const int32_t bytes = width(*type);
  for (int64_t i = 0; i < rows; ++i) {
    if (nulls == Nulls::all || (nulls == Nulls::some && random() % 3 == 0)) {
      out.set_null(i);
      continue;
    }
    uint64_t words[2] = {random(), random() >> 20};
    if (type->kind == TypeKind::boolean) words[0] &= 1;
    if (type->kind == TypeKind::float32) words[0] &= 0x7f0fffffULL;
    std::memcpy(out.data<uint8_t>() + i * bytes, words, static_cast<size_t>(bytes));
  }
  return out.finish();
}

inline ColumnPtr texts(Memory& memory, int64_t rows, Nulls nulls, uint64_t seed) {
  std::mt19937_64 random(seed);
  ColumnBuilder out(memory, make_type(TypeKind::string), rows, true);
  StringHeap heap(memory);
  for (int64_t i = 0; i < rows; ++i) {
    if (nulls == Nulls::all || (nulls == Nulls::some && random() % 3 == 0)) {
      out.set_null(i);
      continue;
    }
    // Short, long and now and then very long ones, at every alignment.
    std::string text(random() % (i % 97 == 0 ? 700 : 20), 'a');
    for (auto& c : text) c = static_cast<char>('a' + random() % 26);
    out.data<StringView>()[i] = heap.append(text.data(), text.size());
  }
  out.keep(heap.owners());
  return out.finish();
}

// Lists over elements that `make` gives.
template <typename Make>
ColumnPtr lists(Memory& memory, const TypePtr& element, int64_t rows, Nulls nulls, uint64_t seed, Make make) {
  std::mt19937_64 random(seed);
  ColumnBuilder out(memory, make_list(element), rows, true);
  int64_t elements = 0;
  for (int64_t i = 0; i < rows; ++i) {
    const auto length = static_cast<int64_t>(random() % (i % 53 == 0 ? 200 : 6));
    if (nulls == Nulls::all || (nulls == Nulls::some && random() % 3 == 0))
      out.set_null(i);
    else if (length > 0)
      out.data<ListEntry>()[i] = {elements, length};
    if (out.data<ListEntry>()[i].length > 0) elements += length;
  }
  out.add_child(make(elements));
  return out.finish();
}

inline std::vector<ColumnPtr> columns(Memory& memory, int64_t rows, Nulls nulls) {
  std::vector<ColumnPtr> out;
  for (const TypeKind kind : {TypeKind::boolean, TypeKind::int16, TypeKind::int32, TypeKind::int64, TypeKind::uuid})
    out.push_back(numbers(memory, make_type(kind), rows, nulls, 1));
  out.push_back(texts(memory, rows, nulls, 2));
  const TypePtr real = make_type(TypeKind::float32), byte = make_type(TypeKind::int8);
  const auto reals = [&](int64_t n) { return numbers(memory, real, n, nulls, 3); };
  out.push_back(lists(memory, real, rows, nulls, 4, reals));
  out.push_back(
      lists(memory, byte, rows, nulls, 5, [&](int64_t n) { return numbers(memory, byte, n, Nulls::none, 6); }));
  out.push_back(lists(memory, make_type(TypeKind::string), rows, nulls, 7,
                      [&](int64_t n) { return texts(memory, n, nulls, 8); }));
  out.push_back(lists(memory, make_list(real), rows, nulls, 9,
                      [&](int64_t n) { return lists(memory, real, n, nulls, 10, reals); }));
  return out;
}

}  // namespace quern::test
