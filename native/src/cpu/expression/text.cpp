// Lengths, cases, and functions whose result is a part of the text.
#include "cpu/expression/text.hpp"

#include <utf8proc.h>

namespace quern::cpu {

namespace {

template <typename F>
Factory count(F f) {
  return [f](const Signature&) {
    return strict_kernel([f](Call& call) {
      const Texts text(call, 0);
      each_value<int64_t>(call, [&](int64_t row) { return f(text[row]); });
    });
  };
}

using MapByte = char (*)(char);
using MapCode = utf8proc_int32_t (*)(utf8proc_int32_t);

template <MapByte map, MapCode map_code>
void append_mapped(ops::Text text, std::string& out) {
  if (ops::is_ascii(text)) {
    const size_t start = out.size();
    out.append(text.data, static_cast<size_t>(text.length));
    for (size_t i = start; i < out.size(); ++i) out[i] = map(out[i]);
    return;
  }
  for (int64_t at = 0; at < text.length; at = ops::next_code_point(text, at)) {
    char bytes[4];
    const int32_t length = ops::encode_code_point(map_code(ops::decode_code_point(text, at)), bytes);
    out.append(bytes, static_cast<size_t>(length));
  }
}

// ASCII text keeps its length and is mapped straight into the result.
template <MapByte map, MapCode map_code>
KernelPtr make_mapped(const Signature&) {
  return strict_kernel([](Call& call) {
    const Texts texts(call, 0);
    StringHeap heap(call.memory());
    std::string other;
    auto* out = call.result.data<StringView>();
    for_valid(call.valid, call.rows, [&](int64_t row) {
      const ops::Text text = texts[row];
      if (ops::is_ascii(text)) {
        char small[12];
        char* __restrict bytes = text.length <= 12 ? small : heap.reserve(static_cast<size_t>(text.length));
        for (int64_t i = 0; i < text.length; ++i) bytes[i] = map(text.data[i]);
        out[row] = view_of({bytes, text.length});
        return;
      }
      other.clear();
      append_mapped<map, map_code>(text, other);
      out[row] = heap.append(other.data(), other.size());
    });
    call.result.keep(heap.owners());
  });
}

KernelPtr make_substring(const Signature& signature) {
  if (signature.arguments.size() == 2) {
    return strict_kernel([](Call& call) {
      const Texts text(call, 0);
      const Numbers<int64_t> start(call, 1);
      each_slice(call, [&](int64_t row) {
        // Everything from the start on, which may lie before the text.
        return ops::slice(text[row], start[row] == 0 ? 1 : start[row], INT64_MAX);
      });
    });
  }
  return strict_kernel([](Call& call) {
    const Texts text(call, 0);
    const Numbers<int64_t> start(call, 1), count(call, 2);
    each_slice(call, [&](int64_t row) { return ops::substring(text[row], start[row], count[row]); });
  });
}

KernelPtr make_extract(const Signature&) {
  return strict_kernel([](Call& call) {
    const Texts text(call, 0);
    const Numbers<int64_t> index(call, 1);
    each_slice(call, [&](int64_t row) { return ops::substring(text[row], index[row], 1); });
  });
}

KernelPtr make_slice(const Signature&) {
  return custom_kernel([](Call& call) {
    const Texts text(call, 0);
    const Numbers<int64_t> begin(call, 1), end(call, 2);
    auto* out = call.result.data<StringView>();
    for (int64_t row = 0; row < call.rows; ++row) {
      out[row] = StringView{};
      if (!call.arg_valid(0, row) || !call.arg_valid(1, row) || !call.arg_valid(2, row)) {
        call.result.set_null(row);
        continue;
      }
      out[row] = view_of(ops::slice(text[row], begin[row], end[row]));
    }
    call.result.keep(call.args[0]->owners);
    return call.result.finish();
  });
}

Factory side(ops::Text (*f)(ops::Text, int64_t)) {
  return [f](const Signature&) {
    return strict_kernel([f](Call& call) {
      const Texts text(call, 0);
      const Numbers<int64_t> count(call, 1);
      each_slice(call, [&](int64_t row) { return f(text[row], count[row]); });
    });
  };
}

// Blanks of any width (category Zs), not tabs or line ends.
bool blank(ops::Text text, int64_t at) {
  const char c = text.data[at];
  if (static_cast<unsigned char>(c) < 0x80) return c == ' ';
  return utf8proc_category(ops::decode_code_point(text, at)) == UTF8PROC_CATEGORY_ZS;
}

ops::Text trim_blanks(ops::Text text, bool front, bool back) {
  int64_t first = 0, last = text.length;
  while (front && first < last && blank(text, first)) first = ops::next_code_point(text, first);
  while (back && last > first) {
    int64_t start = last - 1;
    while (start > first && ops::continues(text.data[start])) --start;
    if (!blank(text, start)) break;
    last = start;
  }
  return {text.data + first, last - first};
}

Factory trim(bool front, bool back) {
  return [=](const Signature& signature) -> KernelPtr {
    if (signature.arguments.size() == 1) {
      return strict_kernel([=](Call& call) {
        const Texts text(call, 0);
        each_slice(call, [&](int64_t row) { return trim_blanks(text[row], front, back); });
      });
    }
    return strict_kernel([=](Call& call) {
      const Texts text(call, 0), set(call, 1);
      each_slice(call, [&](int64_t row) { return ops::trim_set(text[row], set[row], front, back); });
    });
  };
}

KernelPtr make_split_part(const Signature&) {
  return strict_kernel([](Call& call) {
    const Texts text(call, 0), separator(call, 1);
    const Numbers<int64_t> index(call, 2);
    each_slice(call, [&](int64_t row) { return ops::split_part(text[row], separator[row], index[row]); });
  });
}

}  // namespace

void append_lower(ops::Text text, std::string& out) { append_mapped<ops::ascii_lower, utf8proc_tolower>(text, out); }

void add_text(KernelTable& table) {
  table.add("length", count([](ops::Text text) { return ops::code_points(text); }));
  table.add("strlen", count([](ops::Text text) { return text.length; }));
  table.add("octet_length", count([](ops::Text text) { return text.length; }));
  table.add("bit_length", count([](ops::Text text) { return text.length * 8; }));
  table.add("lower", make_mapped<ops::ascii_lower, utf8proc_tolower>);
  table.add("upper", make_mapped<ops::ascii_upper, utf8proc_toupper>);
  table.add("substring", make_substring);
  table.add("string_extract", make_extract);
  table.add("string_slice", make_slice);
  table.add("left", side(ops::left));
  table.add("right", side(ops::right));
  table.add("trim", trim(true, true));
  table.add("ltrim", trim(true, false));
  table.add("rtrim", trim(false, true));
  table.add("split_part", make_split_part);
}

}  // namespace quern::cpu
