// Tests, extraction and replacement by regular expressions.
#include "cpu/expression/regexp.hpp"

namespace quern::cpu {

RegexOptions parse_regex_options(std::string_view text) {
  RegexOptions options;
  for (const char c : text) {
    switch (c) {
      case 'c':
        options.fold = false;
        break;
      case 'i':
        options.fold = true;
        break;
      case 'l':
        options.literal = true;
        break;
      case 'm':
      case 'n':
      case 'p':
        options.dot_newline = false;
        break;
      case 's':
        options.dot_newline = true;
        break;
      case 'g':
        options.global = true;
        break;
      case ' ':
        break;
      default:
        throw runtime_error("no such option of a regular expression: " + quoted(text));
    }
  }
  return options;
}

namespace {

template <bool whole>
KernelPtr make_matches(const Signature&) {
  return strict_kernel([compiled = std::make_shared<CompiledRegex>()](Call& call) {
    const RegexOptions options = regex_options(call, 2);
    const Texts text(call, 0), pattern(call, 1);
    each_value<uint8_t>(call, [&](int64_t row) {
      const auto& regex = compiled->get(pattern[row], options);
      return static_cast<uint8_t>(whole ? re2::RE2::FullMatch(piece(text[row]), regex)
                                        : re2::RE2::PartialMatch(piece(text[row]), regex));
    });
  });
}

// The group's text, empty without a match or group.
KernelPtr make_extract(const Signature&) {
  return strict_kernel([compiled = std::make_shared<CompiledRegex>()](Call& call) {
    const RegexOptions options = regex_options(call, 3);
    const Texts text(call, 0), pattern(call, 1);
    std::vector<re2::StringPiece> groups;
    each_slice(call, [&](int64_t row) {
      const int32_t group = call.args.size() > 2 ? call.values<int32_t>(2)[row * call.step(2)] : 0;
      const auto& regex = compiled->get(pattern[row], options);
      const ops::Text source = text[row];
      const ops::Text none{source.data, 0};
      if (group < 0 || group > regex.NumberOfCapturingGroups()) return none;
      groups.assign(static_cast<size_t>(group) + 1, {});
      if (!regex.Match(piece(source), 0, static_cast<size_t>(source.length), re2::RE2::UNANCHORED, groups.data(),
                       group + 1))
        return none;
      const auto& found = groups[static_cast<size_t>(group)];
      return found.data() == nullptr ? none : ops::Text{found.data(), static_cast<int64_t>(found.size())};
    });
  });
}

// \0 … \9 in the replacement stand for groups. The first match, or all with option g.
KernelPtr make_replace(const Signature&) {
  return strict_kernel([compiled = std::make_shared<CompiledRegex>()](Call& call) {
    const RegexOptions options = regex_options(call, 3);
    const Texts text(call, 0), pattern(call, 1), replacement(call, 2);
    each_text(call, [&](int64_t row, std::string& out) {
      const auto& regex = compiled->get(pattern[row], options);
      append(out, text[row]);
      if (options.global)
        re2::RE2::GlobalReplace(&out, regex, piece(replacement[row]));
      else
        re2::RE2::Replace(&out, regex, piece(replacement[row]));
    });
  });
}

}  // namespace

void add_regexp(KernelTable& table) {
  table.add("regexp_matches", make_matches<false>);
  table.add("regexp_full_match", make_matches<true>);
  table.add("regexp_extract", make_extract);
  table.add("regexp_replace", make_replace);
}

}  // namespace quern::cpu
