// All matches of a regular expression, groups by name, text cut at matches, and escaping.
#include <algorithm>

#include "cpu/expression/regexp.hpp"

namespace quern::cpu {

namespace {

using Groups = std::vector<re2::StringPiece>;

// Calls f(groups) for every match from left to right; after an empty match goes on behind the next code point.
template <typename F>
void each_match(const re2::RE2& regex, ops::Text text, Groups& groups, F f) {
  for (int64_t at = 0; at <= text.length;) {
    if (!regex.Match(piece(text), static_cast<size_t>(at), static_cast<size_t>(text.length), re2::RE2::UNANCHORED,
                     groups.data(), static_cast<int>(groups.size()))) {
      return;
    }
    f(groups);
    const int64_t end = groups[0].data() + groups[0].size() - text.data;
    at = !groups[0].empty() ? end : end < text.length ? ops::next_code_point(text, end) : end + 1;
  }
}

void check_groups(const re2::RE2& regex, int64_t group) {
  if (group <= regex.NumberOfCapturingGroups()) return;
  throw runtime_error("the regular expression has " + std::to_string(regex.NumberOfCapturingGroups()) +
                      " groups, there is no group " + std::to_string(group) + ": " + quoted(regex.pattern()));
}

StringView view_of_piece(const re2::StringPiece& found) {
  return view_of(ops::Text{found.data(), static_cast<int64_t>(found.size())});
}

// Texts that point into an argument; a group that took no part in a match is NULL.
class Pieces {
 public:
  void add(const re2::StringPiece& found) {
    if (found.data() == nullptr) nulls_.push_back(size());
    views_.push_back(found.data() == nullptr ? StringView{} : view_of_piece(found));
  }
  int64_t size() const { return static_cast<int64_t>(views_.size()); }
  ColumnPtr column(Memory& memory, const TypePtr& type, const std::vector<Owner>& owners) const {
    ColumnBuilder out(memory, type, size());
    std::copy(views_.begin(), views_.end(), out.data<StringView>());
    for (const int64_t row : nulls_) out.set_null(row);
    out.keep(owners);
    return out.finish();
  }

 private:
  std::vector<StringView> views_;
  std::vector<int64_t> nulls_;
};

// regexp_extract_all(text, pattern[, group[, options]])
KernelPtr make_extract_all(const Signature& signature) {
  return strict_kernel(
      [compiled = std::make_shared<CompiledRegex>(), element = signature.result->children[0]](Call& call) {
        const RegexOptions options = regex_options(call, 3);
        const Texts text(call, 0), pattern(call, 1);
        auto* out = call.result.data<ListEntry>();
        Pieces pieces;
        Groups groups;
        for_valid(call.valid, call.rows, [&](int64_t row) {
          const int32_t group = call.args.size() > 2 ? Numbers<int32_t>(call, 2)[row] : 0;
          const auto& regex = compiled->get(pattern[row], options);
          check_groups(regex, group);
          const int64_t start = pieces.size();
          groups.resize(static_cast<size_t>(std::max(group, 0)) + 1);
          if (group >= 0) {
            each_match(regex, text[row], groups,
                       [&](const Groups& found) { pieces.add(found[static_cast<size_t>(group)]); });
          }
          out[row] = {start, pieces.size() - start};
        });
        call.result.add_child(pieces.column(call.memory(), element, call.args[0]->owners));
      });
}

// The groups of a match, from the first, one a field of a struct.
struct Fields {
  explicit Fields(const DataType& type) : columns(type.children.size()) {}
  void add(const Groups& groups) {
    for (size_t i = 0; i < columns.size(); ++i) columns[i].add(groups[i + 1]);
  }
  int64_t size() const { return columns[0].size(); }
  std::vector<Pieces> columns;
};

// regexp_extract_groups(text, pattern, options): the first match; empty texts when there is none.
KernelPtr make_groups(const Signature& signature) {
  return strict_kernel([compiled = std::make_shared<CompiledRegex>(), type = signature.result](Call& call) {
    const RegexOptions options = regex_options(call, 2);
    const Texts text(call, 0), pattern(call, 1);
    Fields fields(*type);
    Groups groups(type->children.size() + 1);
    const Groups none(groups.size(), re2::StringPiece(""));
    for (int64_t row = 0; row < call.rows; ++row) {
      if (!call.row_valid(row)) {
        fields.add(none);
        continue;
      }
      const auto& regex = compiled->get(pattern[row], options);
      check_groups(regex, static_cast<int64_t>(type->children.size()));
      const ops::Text source = text[row];
      const bool found = regex.Match(piece(source), 0, static_cast<size_t>(source.length), re2::RE2::UNANCHORED,
                                     groups.data(), static_cast<int>(groups.size()));
      for (auto& group : groups) {
        if (group.data() == nullptr) group = re2::StringPiece("");
      }
      fields.add(found ? groups : none);
    }
    for (size_t i = 0; i < fields.columns.size(); ++i)
      call.result.add_child(fields.columns[i].column(call.memory(), type->children[i], call.args[0]->owners));
  });
}

// regexp_extract_all_groups(text, pattern, options): a list of structs.
KernelPtr make_all_groups(const Signature& signature) {
  return strict_kernel([compiled = std::make_shared<CompiledRegex>(), type = signature.result](Call& call) {
    const RegexOptions options = regex_options(call, 2);
    const Texts text(call, 0), pattern(call, 1);
    const TypePtr& element = type->children[0];
    Fields fields(*element);
    Groups groups(element->children.size() + 1);
    auto* out = call.result.data<ListEntry>();
    for_valid(call.valid, call.rows, [&](int64_t row) {
      const auto& regex = compiled->get(pattern[row], options);
      check_groups(regex, static_cast<int64_t>(element->children.size()));
      const int64_t start = fields.size();
      each_match(regex, text[row], groups, [&](const Groups& found) { fields.add(found); });
      out[row] = {start, fields.size() - start};
    });
    ColumnBuilder structs(call.memory(), element, fields.size());
    for (size_t i = 0; i < fields.columns.size(); ++i)
      structs.add_child(fields.columns[i].column(call.memory(), element->children[i], call.args[0]->owners));
    call.result.add_child(structs.finish());
  });
}

// Parts between matches, in order; an empty match at the front cuts off one code point.
template <typename F>
void each_part(const re2::RE2& regex, ops::Text text, F f) {
  re2::StringPiece found;
  while (text.length > 0) {
    if (!regex.Match(piece(text), 0, static_cast<size_t>(text.length), re2::RE2::UNANCHORED, &found, 1)) break;
    int64_t at = found.data() - text.data;
    if (found.empty() && at == 0) at = ops::next_code_point(text, 0);
    if (at >= text.length && found.empty()) break;
    f(ops::Text{text.data, at});
    const int64_t next = at + static_cast<int64_t>(found.size());
    text = {text.data + next, text.length - next};
  }
  f(text);
}

// string_split_regex(text, pattern[, options]); a NULL pattern cuts nothing.
KernelPtr make_split(const Signature& signature) {
  return custom_kernel(
      [compiled = std::make_shared<CompiledRegex>(), element = signature.result->children[0]](Call& call) {
        const Texts text(call, 0), pattern(call, 1);
        const bool known = call.args.size() < 3 || call.rows == 0 || call.arg_valid(2, 0);
        const RegexOptions options = known ? regex_options(call, 2) : RegexOptions{};
        auto* out = call.result.data<ListEntry>();
        std::vector<StringView> parts;
        for (int64_t row = 0; row < call.rows; ++row) {
          const auto start = static_cast<int64_t>(parts.size());
          if (!known || !call.arg_valid(0, row)) {
            call.result.set_null(row);
          } else if (!call.arg_valid(1, row)) {
            parts.push_back(view_of(text[row]));
          } else {
            each_part(compiled->get(pattern[row], options), text[row],
                      [&](ops::Text part) { parts.push_back(view_of(part)); });
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

KernelPtr make_escape(const Signature&) {
  return strict_kernel([](Call& call) {
    const Texts text(call, 0);
    each_text(call, [&](int64_t row, std::string& out) { out = re2::RE2::QuoteMeta(piece(text[row])); });
  });
}

}  // namespace

void add_regexp_lists(KernelTable& table) {
  table.add("regexp_extract_all", make_extract_all);
  table.add("regexp_extract_groups", make_groups);
  table.add("regexp_extract_all_groups", make_all_groups);
  table.add("string_split_regex", make_split);
  table.add("regexp_escape", make_escape);
}

}  // namespace quern::cpu
