// Regular expressions (RE2: linear time), compiled once while pattern and options stay the same.
#pragma once
#include <re2/re2.h>

#include <memory>

#include "cpu/expression/text.hpp"

namespace quern::cpu {

struct RegexOptions {
  bool fold = false;         // i
  bool literal = false;      // l
  bool dot_newline = false;  // s; m, n and p turn it off
  bool global = false;       // g: regexp_replace replaces every match
};

RegexOptions parse_regex_options(std::string_view text);

class CompiledRegex {
 public:
  const re2::RE2& get(ops::Text pattern, const RegexOptions& options) {
    const std::string_view text = string_of(pattern);
    const int flags = options.fold + options.literal * 2 + options.dot_newline * 4;
    if (!regex_ || pattern_ != text || flags_ != flags) {
      re2::RE2::Options settings;
      settings.set_log_errors(false);
      settings.set_case_sensitive(!options.fold);
      settings.set_literal(options.literal);
      settings.set_dot_nl(options.dot_newline);
      auto fresh = std::make_unique<re2::RE2>(re2::StringPiece(text.data(), text.size()), settings);
      if (!fresh->ok()) throw runtime_error("bad regular expression, " + fresh->error() + ": " + quoted(text));
      regex_ = std::move(fresh);
      pattern_ = text;
      flags_ = flags;
    }
    return *regex_;
  }

 private:
  std::unique_ptr<re2::RE2> regex_;
  std::string pattern_;
  int flags_ = 0;
};

inline re2::StringPiece piece(ops::Text text) { return {text.data, static_cast<size_t>(text.length)}; }

// Options stand in argument `at`, if there is one, the same for all rows.
inline RegexOptions regex_options(const Call& call, size_t at) {
  if (call.args.size() <= at) return {};
  if (!call.constant(at) && call.rows > 1) throw unsupported("options of a regular expression that differ by row");
  return parse_regex_options(string_of(Texts(call, at)[0]));
}

}  // namespace quern::cpu
