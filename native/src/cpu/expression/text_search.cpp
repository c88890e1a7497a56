// Tests and positions in text, cutting text into lists.
#include <algorithm>

#include "cpu/expression/text.hpp"
#include "ops/glob.hpp"

namespace quern::cpu {

namespace {

Factory test(bool (*f)(ops::Text, ops::Text)) {
  return [f](const Signature&) {
    return strict_kernel([f](Call& call) {
      const Texts text(call, 0), other(call, 1);
      each_value<uint8_t>(call, [&](int64_t row) { return static_cast<uint8_t>(f(text[row], other[row])); });
    });
  };
}

KernelPtr make_position(const Signature&) {
  return strict_kernel([](Call& call) {
    const Texts text(call, 0), needle(call, 1);
    each_value<int64_t>(call, [&](int64_t row) { return ops::position(text[row], needle[row]); });
  });
}

// The first code point as a number; `none` for empty text.
Factory first_code(int32_t none) {
  return [none](const Signature&) {
    return strict_kernel([none](Call& call) {
      const Texts text(call, 0);
      each_value<int32_t>(
          call, [&](int64_t row) { return text[row].length == 0 ? none : ops::decode_code_point(text[row], 0); });
    });
  };
}

// Parts of one text, in order, as ranges of it.
template <typename F>
void each_part(ops::Text text, ops::Text separator, F f) {
  if (text.length == 0 || separator.length == 0) {
    if (text.length == 0) f(text);
    for (int64_t at = 0; at < text.length;) {
      const int64_t next = ops::next_code_point(text, at);
      f(ops::Text{text.data + at, next - at});
      at = next;
    }
    return;
  }
  int64_t start = 0;
  for (int64_t at = ops::find(text, separator, 0); at >= 0; at = ops::find(text, separator, start)) {
    f(ops::Text{text.data + start, at - start});
    start = at + separator.length;
  }
  f(ops::Text{text.data + start, text.length - start});
}

// A NULL separator cuts nothing.
KernelPtr make_split(const Signature& signature) {
  return custom_kernel([element = signature.result->children[0]](Call& call) {
    const Texts text(call, 0), separator(call, 1);
    std::vector<StringView> parts;
    auto* out = call.result.data<ListEntry>();
    for (int64_t row = 0; row < call.rows; ++row) {
      const auto start = static_cast<int64_t>(parts.size());
      if (!call.arg_valid(0, row)) {
        call.result.set_null(row);
      } else if (!call.arg_valid(1, row)) {
        parts.push_back(view_of(text[row]));
      } else {
        each_part(text[row], separator[row], [&](ops::Text part) { parts.push_back(view_of(part)); });
      }
      out[row] = {start, static_cast<int64_t>(parts.size()) - start};
    }
    ColumnBuilder child(call.memory(), element, static_cast<int64_t>(parts.size()));
    std::copy(parts.begin(), parts.end(), child.data<StringView>());
    child.keep(call.args[0]->owners);
    call.result.add_child(child.finish());
    return call.result.finish();
  });
}

}  // namespace

void add_text_search(KernelTable& table) {
  table.add("starts_with", test(ops::starts_with));
  table.add("ends_with", test(ops::ends_with));
  table.add("contains", test(ops::contains));
  table.add("glob", test(ops::glob));
  table.add("position", make_position);
  table.add("string_split", make_split);
  table.add("ascii", first_code(0));
  table.add("unicode", first_code(-1));
}

}  // namespace quern::cpu
