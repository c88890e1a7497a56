// LIKE and ILIKE. A pattern without _ is a prefix, a suffix and parts in between; it is cut up once.
#include <optional>

#include "cpu/expression/text.hpp"

namespace quern::cpu {

namespace {

class Pattern {
 public:
  Pattern(ops::Text pattern, char escape) : whole_(pattern.data, static_cast<size_t>(pattern.length)), escape_(escape) {
    std::string part;
    bool leading = true;
    for (size_t i = 0; i < whole_.size(); ++i) {
      const char c = whole_[i];
      if (escape != 0 && c == escape) {
        // An escape at the end escapes nothing: such a pattern matches no text.
        if (i + 1 == whole_.size())
          impossible_ = true;
        else
          part += whole_[++i];
      } else if (c == '_') {
        general_ = true;
      } else if (c == '%') {
        if (leading)
          prefix_ = part;
        else if (!part.empty())
          middle_.push_back(part);
        leading = false;
        part.clear();
      } else {
        part += c;
      }
    }
    exact_ = leading;
    suffix_ = part;
  }

  bool matches(ops::Text text) const {
    if (impossible_) return false;
    if (general_) return ops::like(text, text_of(whole_), escape_);
    if (exact_) return text.length == static_cast<int64_t>(suffix_.size()) && ops::starts_with(text, text_of(suffix_));
    if (text.length < static_cast<int64_t>(prefix_.size() + suffix_.size())) return false;
    if (!ops::starts_with(text, text_of(prefix_)) || !ops::ends_with(text, text_of(suffix_))) return false;
    const ops::Text inner{text.data, text.length - static_cast<int64_t>(suffix_.size())};
    auto at = static_cast<int64_t>(prefix_.size());
    for (const auto& part : middle_) {
      at = ops::find(inner, text_of(part), at);
      if (at < 0) return false;
      at += static_cast<int64_t>(part.size());
    }
    return true;
  }

 private:
  static ops::Text text_of(const std::string& text) { return {text.data(), static_cast<int64_t>(text.size())}; }

  std::string whole_;
  char escape_;
  bool exact_ = false, general_ = false, impossible_ = false;
  std::string prefix_, suffix_;
  std::vector<std::string> middle_;
};

// The pattern of the last row, cut up.
struct LastPattern {
  std::string key;
  std::optional<Pattern> pattern;
};

char escape_of(ops::Text text) {
  if (text.length > 1) throw runtime_error("an escape is one character or none: " + quoted(string_of(text)));
  return text.length == 0 ? '\0' : text.data[0];
}

template <bool fold>
KernelPtr make_like(const Signature&) {
  return strict_kernel([last = LastPattern(), folded = std::string()](Call& call) mutable {
    const Texts text(call, 0), pattern(call, 1);
    std::optional<Texts> escapes;
    if (call.args.size() == 3) escapes.emplace(call, 2);
    const auto pattern_for = [&](int64_t row) -> const Pattern& {
      const char escape = escapes ? escape_of((*escapes)[row]) : '\0';
      std::string key(1, escape);
      if (fold)
        append_lower(pattern[row], key);
      else
        append(key, pattern[row]);
      if (!last.pattern || last.key != key) {
        last.key = std::move(key);
        last.pattern.emplace(ops::Text{last.key.data() + 1, static_cast<int64_t>(last.key.size()) - 1}, escape);
      }
      return *last.pattern;
    };
    const auto matches = [&](const Pattern& p, ops::Text t) {
      if (!fold) return p.matches(t);
      folded.clear();
      append_lower(t, folded);
      return p.matches({folded.data(), static_cast<int64_t>(folded.size())});
    };
    const bool fixed = call.constant(1) && (call.args.size() == 2 || call.constant(2));
    if (fixed) {
      const Pattern& p = pattern_for(0);
      each_value<uint8_t>(call, [&](int64_t row) { return static_cast<uint8_t>(matches(p, text[row])); });
    } else {
      each_value<uint8_t>(call,
                          [&](int64_t row) { return static_cast<uint8_t>(matches(pattern_for(row), text[row])); });
    }
  });
}

}  // namespace

void add_like(KernelTable& table) {
  table.add("like", make_like<false>);
  table.add("ilike", make_like<true>);
}

}  // namespace quern::cpu
