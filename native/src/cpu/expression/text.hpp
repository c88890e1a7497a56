// Loops over strings: null rows are skipped, results are numbers, ranges of the argument, or new bytes.
#pragma once
#include "cpu/expression/loops.hpp"
#include "cpu/expression/message.hpp"
#include "ops/text.hpp"

namespace quern::cpu {

// Row access to string arguments, constant or not.
struct Texts {
  Texts(const Call& call, size_t i) : views(call.values<StringView>(i)), step(call.step(i)) {}
  ops::Text operator[](int64_t row) const { return ops::text_of(views[row * step]); }
  const StringView* views;
  int64_t step;
};

template <typename T>
struct Numbers {
  Numbers(const Call& call, size_t i) : values(call.values<T>(i)), step(call.step(i)) {}
  T operator[](int64_t row) const { return values[row * step]; }
  const T* values;
  int64_t step;
};

// out[row] = f(row) → R for rows that are not null.
template <typename R, typename F>
void each_value(Call& call, F f) {
  R* out = call.result.data<R>();
  for_valid(call.valid, call.rows, [&](int64_t row) { out[row] = f(row); });
}

// f(row) → a range of the first argument's bytes.
template <typename F>
void each_slice(Call& call, F f) {
  auto* out = call.result.data<StringView>();
  for_valid(call.valid, call.rows, [&](int64_t row) { out[row] = view_of(f(row)); });
  call.result.keep(call.args[0]->owners);
}

// f(row, std::string& text) appends the result to an empty text.
template <typename F>
void each_text(Call& call, F f) {
  StringHeap heap(call.memory());
  std::string text;
  auto* out = call.result.data<StringView>();
  for_valid(call.valid, call.rows, [&](int64_t row) {
    text.clear();
    f(row, text);
    out[row] = heap.append(text.data(), text.size());
  });
  call.result.keep(heap.owners());
}

inline std::string_view string_of(ops::Text text) { return {text.data, static_cast<size_t>(text.length)}; }
inline void append(std::string& out, ops::Text text) { out.append(text.data, static_cast<size_t>(text.length)); }

// Appends the text with every code point in lower case: simple mappings of Unicode.
void append_lower(ops::Text text, std::string& out);

}  // namespace quern::cpu
