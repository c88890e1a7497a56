// Characters as a reader sees them (grapheme clusters), accents and normal forms of Unicode.
#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>

#include "cpu/expression/graphemes.hpp"

namespace quern::cpu {

void grapheme_starts(ops::Text text, std::vector<int64_t>& starts) {
  starts.clear();
  if (ops::is_ascii(text)) {
    for (int64_t at = 0; at < text.length; ++at) starts.push_back(at);
    return;
  }
  utf8proc_int32_t state = 0;
  for (int64_t at = 0, last = 0; at < text.length; last = at, at = ops::next_code_point(text, at)) {
    if (at == 0 || utf8proc_grapheme_break_stateful(ops::decode_code_point(text, last),
                                                    ops::decode_code_point(text, at), &state)) {
      starts.push_back(at);
    }
  }
}

namespace {

// The clusters of one text at a time.
class Clusters {
 public:
  void set(ops::Text text) {
    text_ = text;
    grapheme_starts(text, starts_);
  }
  int64_t count() const { return static_cast<int64_t>(starts_.size()); }
  // Clusters [first, last), which may reach outside of the text.
  ops::Text range(int128_t first, int128_t last) const {
    const auto inside = [&](int128_t index) {
      return static_cast<int64_t>(std::clamp<int128_t>(index, 0, static_cast<int128_t>(count())));
    };
    const int64_t from = offset(inside(first)), to = offset(inside(last));
    return {text_.data + from, std::max<int64_t>(to - from, 0)};
  }

 private:
  int64_t offset(int64_t index) const { return index == count() ? text_.length : starts_[static_cast<size_t>(index)]; }
  ops::Text text_{nullptr, 0};
  std::vector<int64_t> starts_;
};

KernelPtr make_length(const Signature&) {
  return strict_kernel([](Call& call) {
    const Texts text(call, 0);
    Clusters clusters;
    each_value<int64_t>(call, [&](int64_t row) {
      clusters.set(text[row]);
      return clusters.count();
    });
  });
}

KernelPtr make_substring(const Signature& signature) {
  return strict_kernel([open = signature.arguments.size() == 2](Call& call) {
    const Texts text(call, 0);
    const Numbers<int64_t> start(call, 1);
    Clusters clusters;
    each_slice(call, [&](int64_t row) {
      clusters.set(text[row]);
      const int64_t count = open ? INT64_MAX : Numbers<int64_t>(call, 2)[row];
      // A start before the text counts as its start; 0 is one place before it.
      const int128_t size = clusters.count(), from = start[row];
      const int128_t first = from < 0 ? std::max<int128_t>(size + from, 0) : from - 1;
      return count < 0 ? clusters.range(first + count, first) : clusters.range(first, first + count);
    });
  });
}

// The first or last n; all but the -n others when n is negative.
template <bool left>
KernelPtr make_side(const Signature&) {
  return strict_kernel([](Call& call) {
    const Texts text(call, 0);
    const Numbers<int64_t> number(call, 1);
    Clusters clusters;
    each_slice(call, [&](int64_t row) {
      clusters.set(text[row]);
      const int128_t size = clusters.count(), n = number[row];
      if constexpr (left) return clusters.range(0, n >= 0 ? n : size + n);
      return clusters.range(n >= 0 ? size - n : -n, size);
    });
  });
}

template <int options>
KernelPtr make_mapped(const Signature&) {
  return strict_kernel([](Call& call) {
    const Texts text(call, 0);
    each_text(call, [&](int64_t row, std::string& out) {
      const ops::Text source = text[row];
      if (ops::is_ascii(source)) return append(out, source);
      utf8proc_uint8_t* mapped = nullptr;
      const auto length = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(source.data), source.length, &mapped,
                                       static_cast<utf8proc_option_t>(options));
      const std::unique_ptr<utf8proc_uint8_t, void (*)(void*)> owner(mapped, std::free);
      if (length < 0) throw runtime_error(std::string(utf8proc_errmsg(length)) + ": " + quoted(string_of(source)));
      out.append(reinterpret_cast<const char*>(mapped), static_cast<size_t>(length));
    });
  });
}

}  // namespace

void add_graphemes(KernelTable& table) {
  table.add("length_grapheme", make_length);
  table.add("substring_grapheme", make_substring);
  table.add("left_grapheme", make_side<true>);
  table.add("right_grapheme", make_side<false>);
  table.add("nfc_normalize", make_mapped<UTF8PROC_STABLE | UTF8PROC_COMPOSE>);
  table.add("strip_accents", make_mapped<UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_STRIPMARK>);
}

}  // namespace quern::cpu
