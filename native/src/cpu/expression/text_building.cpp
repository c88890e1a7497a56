// Functions that make new text: concatenation, replacement, padding, reversal.
#include <algorithm>

#include "cpu/expression/graphemes.hpp"

namespace quern::cpu {

namespace {

KernelPtr make_concat_strict(const Signature&) {
  return strict_kernel([](Call& call) {
    const Texts a(call, 0), b(call, 1);
    StringHeap heap(call.memory());
    auto* out = call.result.data<StringView>();
    for_valid(call.valid, call.rows, [&](int64_t row) {
      const ops::Text x = a[row], y = b[row];
      const int64_t length = x.length + y.length;
      if (length > UINT32_MAX) throw runtime_error("string longer than 4294967295 bytes: " + std::to_string(length));
      char small[12];
      char* bytes = length <= 12 ? small : heap.reserve(static_cast<size_t>(length));
      std::copy_n(x.data, x.length, bytes);
      std::copy_n(y.data, y.length, bytes + x.length);
      out[row] = view_of({bytes, length});
    });
    call.result.keep(heap.owners());
  });
}

KernelPtr make_concat(const Signature&) {
  return custom_kernel([](Call& call) {
    each_text(call, [&](int64_t row, std::string& out) {
      for (size_t i = 0; i < call.args.size(); ++i) {
        if (call.arg_valid(i, row)) append(out, Texts(call, i)[row]);
      }
    });
    return call.result.finish();
  });
}

// NULL for a NULL separator; other NULLs are left out.
KernelPtr make_concat_ws(const Signature&) {
  return custom_kernel([](Call& call) {
    for (int64_t row = 0; row < call.rows; ++row) {
      if (!call.arg_valid(0, row)) call.result.set_null(row);
    }
    call.valid = call.result.validity_or_null();
    const Texts separator(call, 0);
    each_text(call, [&](int64_t row, std::string& out) {
      bool first = true;
      for (size_t i = 1; i < call.args.size(); ++i) {
        if (!call.arg_valid(i, row)) continue;
        if (!first) append(out, separator[row]);
        append(out, Texts(call, i)[row]);
        first = false;
      }
    });
    return call.result.finish();
  });
}

KernelPtr make_replace(const Signature&) {
  return strict_kernel([](Call& call) {
    const Texts text(call, 0), from(call, 1), to(call, 2);
    each_text(call, [&](int64_t row, std::string& out) {
      const ops::Text source = text[row], needle = from[row];
      if (needle.length == 0) return append(out, source);
      int64_t start = 0;
      for (int64_t at = ops::find(source, needle, 0); at >= 0; at = ops::find(source, needle, start)) {
        out.append(source.data + start, static_cast<size_t>(at - start));
        append(out, to[row]);
        start = at + needle.length;
      }
      out.append(source.data + start, static_cast<size_t>(source.length - start));
    });
  });
}

// Each code point of `from` becomes the one at the same place of `to`, or goes when there is none.
KernelPtr make_translate(const Signature&) {
  return strict_kernel([](Call& call) {
    const Texts text(call, 0), from(call, 1), to(call, 2);
    each_text(call, [&](int64_t row, std::string& out) {
      const ops::Text source = text[row], old = from[row], fresh = to[row];
      for (int64_t at = 0; at < source.length;) {
        const int64_t next = ops::next_code_point(source, at);
        const std::string_view character(source.data + at, static_cast<size_t>(next - at));
        int64_t o = 0, f = 0;
        while (o < old.length && string_of({old.data + o, ops::next_code_point(old, o) - o}) != character) {
          o = ops::next_code_point(old, o);
          if (f < fresh.length) f = ops::next_code_point(fresh, f);
        }
        if (o >= old.length)
          out += character;
        else if (f < fresh.length)
          append(out, {fresh.data + f, ops::next_code_point(fresh, f) - f});
        at = next;
      }
    });
  });
}

// By characters as a reader sees them: marks stay behind their letter.
KernelPtr make_reverse(const Signature&) {
  return strict_kernel([](Call& call) {
    const Texts text(call, 0);
    std::vector<int64_t> starts;
    each_text(call, [&](int64_t row, std::string& out) {
      const ops::Text source = text[row];
      if (ops::is_ascii(source)) {
        out.assign(std::reverse_iterator(source.data + source.length), std::reverse_iterator(source.data));
        return;
      }
      grapheme_starts(source, starts);
      int64_t end = source.length;
      for (size_t i = starts.size(); i-- > 0; end = starts[i])
        out.append(source.data + starts[i], static_cast<size_t>(end - starts[i]));
    });
  });
}

constexpr int64_t longest_text = 1LL << 30;  // bytes: beyond that a repetition is a mistake

KernelPtr make_repeat(const Signature&) {
  return strict_kernel([](Call& call) {
    const Texts text(call, 0);
    const Numbers<int64_t> times(call, 1);
    each_text(call, [&](int64_t row, std::string& out) {
      const ops::Text source = text[row];
      const int64_t count = std::max<int64_t>(times[row], 0);
      if (source.length > 0 && count > longest_text / source.length) {
        throw runtime_error("result of repeat is longer than 1 GiB: " + std::to_string(source.length) + " bytes, " +
                            std::to_string(count) + " times");
      }
      if (source.length == 0) return;
      out.reserve(static_cast<size_t>(source.length * count));
      for (int64_t i = 0; i < count; ++i) append(out, source);
    });
  });
}

// To `width` code points, cut or filled at one side.
template <bool left>
KernelPtr make_pad(const Signature&) {
  return strict_kernel([](Call& call) {
    const Texts text(call, 0), filling(call, 2);
    const Numbers<int32_t> widths(call, 1);
    each_text(call, [&](int64_t row, std::string& out) {
      const ops::Text source = text[row], fill = filling[row];
      const int64_t width = std::max(widths[row], 0);
      const int64_t size = ops::code_points(source);
      if (size >= width) return append(out, {source.data, ops::code_point_offset(source, width)});
      if (fill.length == 0)
        throw runtime_error(std::string(left ? "lpad" : "rpad") + " needs padding that is not empty");
      if (width * 4 > longest_text)
        throw runtime_error("padded text is longer than 1 GiB: " + std::to_string(width) + " characters");
      if (!left) append(out, source);
      int64_t at = 0;
      for (int64_t missing = width - size; missing > 0; --missing) {
        const int64_t next = ops::next_code_point(fill, at);
        out.append(fill.data + at, static_cast<size_t>(next - at));
        at = next == fill.length ? 0 : next;
      }
      if (left) append(out, source);
    });
  });
}

KernelPtr make_chr(const Signature&) {
  return strict_kernel([](Call& call) {
    const Numbers<int32_t> code(call, 0);
    each_text(call, [&](int64_t row, std::string& out) {
      char bytes[4];
      const int32_t length = ops::encode_code_point(code[row], bytes);
      if (length == 0) throw runtime_error("no such Unicode code point: " + number_text(code[row]));
      out.append(bytes, static_cast<size_t>(length));
    });
  });
}

}  // namespace

void add_text_building(KernelTable& table) {
  table.add("string_concat", make_concat_strict);
  table.add("concat", make_concat);
  table.add("concat_ws", make_concat_ws);
  table.add("replace", make_replace);
  table.add("translate", make_translate);
  table.add("reverse", make_reverse);
  table.add("repeat", make_repeat);
  table.add("lpad", make_pad<true>);
  table.add("rpad", make_pad<false>);
  table.add("chr", make_chr);
}

}  // namespace quern::cpu
