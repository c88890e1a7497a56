// Text such as [1, 2], {a: 1, b: x} and {k=v} → lists, structs, maps: the text is cut into parts, which are then cast.
#include "cpu/expression/cast.hpp"
#include "cpu/expression/map_keys.hpp"

namespace quern::cpu {

namespace {

// A part of nested text, trimmed, quotes removed. An unquoted NULL is no value.
struct Part {
  std::string text;
  bool null = false;
};

// Reads parts of a nested text from left to right.
class Cutter {
 public:
  explicit Cutter(std::string_view text) : text_(text) {
    while (!text_.empty() && ops::is_space(text_.front())) text_.remove_prefix(1);
    while (!text_.empty() && ops::is_space(text_.back())) text_.remove_suffix(1);
  }

  // Takes the outer brackets off.
  bool enter(char open, char close) {
    if (text_.size() < 2 || text_.front() != open || text_.back() != close) return false;
    text_ = text_.substr(1, text_.size() - 2);
    skip_spaces();
    return true;
  }
  bool at_end() const { return at_ == text_.size(); }

  // Up to one of `stops` outside quotes and brackets, which is consumed into `stop` (0 = end). False for text that does
  // not close.
  bool part(std::string_view stops, Part& out, char& stop) {
    out = {};
    skip_spaces();
    bool quoted_part = false;
    size_t keep = 0;  // bytes of out.text that trailing blanks must not be taken from
    std::string closing;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (closing.empty() && stops.find(c) != std::string_view::npos) break;
      if (c == '"' || c == '\'') {
        if (!quoted_run(c, closing.empty(), out.text)) return false;
        quoted_part = true;
        keep = out.text.size();
        continue;
      }
      if (c == '[' || c == '{' || c == '(') {
        closing += c == '[' ? ']' : c == '{' ? '}' : ')';
      } else if (c == ']' || c == '}' || c == ')') {
        if (closing.empty() || closing.back() != c) return false;
        closing.pop_back();
      }
      out.text += c;
      ++at_;
    }
    if (!closing.empty()) return false;
    stop = 0;
    if (at_ < text_.size()) stop = text_[at_++];
    while (out.text.size() > keep && ops::is_space(out.text.back())) out.text.pop_back();
    out.null = !quoted_part && ops::equals_word({out.text.data(), static_cast<int64_t>(out.text.size())}, "null");
    return true;
  }

 private:
  void skip_spaces() {
    while (at_ < text_.size() && ops::is_space(text_[at_])) ++at_;
  }

  // A quoted run: its content at the top level, as it stands inside brackets (the inner cast reads it again).
  bool quoted_run(char quote, bool unquote, std::string& out) {
    if (!unquote) out += quote;
    for (++at_; at_ < text_.size(); ++at_) {
      char c = text_[at_];
      if (c == quote) {
        if (!unquote) out += quote;
        ++at_;
        return true;
      }
      if (c == '\\' && at_ + 1 < text_.size()) {
        if (!unquote) out += c;
        c = text_[++at_];
      }
      out += c;
    }
    return false;
  }

  std::string_view text_;
  size_t at_ = 0;
};

// Parts become a string column, which is cast as a whole.
class PartColumn {
 public:
  explicit PartColumn(Memory& memory) : memory_(memory), heap_(memory) {}
  void add(const Part& part) {
    views_.push_back(part.null ? StringView{} : heap_.append(part.text.data(), part.text.size()));
    nulls_.push_back(part.null);
  }
  void add_null() { add({"", true}); }
  int64_t size() const { return static_cast<int64_t>(views_.size()); }
  void resize(int64_t size) {
    views_.resize(static_cast<size_t>(size));
    nulls_.resize(static_cast<size_t>(size));
  }
  ColumnPtr finish() {
    ColumnBuilder builder(memory_, make_type(TypeKind::string), size());
    std::copy(views_.begin(), views_.end(), builder.data<StringView>());
    for (size_t i = 0; i < nulls_.size(); ++i) {
      if (nulls_[i]) builder.set_null(static_cast<int64_t>(i));
    }
    builder.keep(heap_.owners());
    return builder.finish();
  }

 private:
  Memory& memory_;
  StringHeap heap_;
  std::vector<StringView> views_;
  std::vector<bool> nulls_;
};

TypePtr text_type() { return make_type(TypeKind::string); }

bool cut_list(std::string_view text, PartColumn& elements) {
  Cutter cutter(text);
  if (!cutter.enter('[', ']')) return false;
  if (cutter.at_end()) return true;
  Part part;
  for (char stop = ','; stop == ',';) {
    if (!cutter.part(",", part, stop)) return false;
    elements.add(part);
  }
  return true;
}

KernelPtr to_list(const CastTypes& types) {
  auto cast = std::make_shared<ElementCast>(text_type(), types.to->children[0], types.try_cast);
  return strict_kernel([types, cast](Call& call) {
    PartColumn elements(call.memory());
    convert_valid<ListEntry, StringView>(
        call, types.try_cast,
        [&](const StringView& v, ListEntry& out) {
          const int64_t start = elements.size();
          const bool cut = cut_list({v.data(), v.length}, elements);
          if (!cut) elements.resize(start);
          out = {cut ? start : 0, elements.size() - start};
          return cut;
        },
        [&](const StringView& v) { return convert_message(*types.to, {v.data(), v.length}); });
    call.result.add_child((*cast)(call.context, elements.finish()));
  });
}

bool cut_map(std::string_view text, PartColumn& keys, PartColumn& values) {
  Cutter cutter(text);
  if (!cutter.enter('{', '}')) return false;
  if (cutter.at_end()) return true;
  Part key, value;
  for (char stop = ','; stop == ',';) {
    if (!cutter.part("=,", key, stop) || stop != '=' || key.null || !cutter.part(",", value, stop)) return false;
    keys.add(key);
    values.add(value);
  }
  return true;
}

// Texts that differ may be one key. A key that TRY_CAST could not read is NULL and equals none.
void check_rows(Call& call, const Column& keys) {
  const ListEntry* entries = call.result.data<ListEntry>();
  std::vector<int64_t> known;
  for_valid(call.valid, call.rows, [&](int64_t row) {
    known.clear();
    for (int64_t i = entries[row].start; i < entries[row].start + entries[row].length; ++i) {
      if (keys.is_valid(i)) known.push_back(i);
    }
    check_map_keys(keys, known);
  });
}

KernelPtr to_map(const CastTypes& types) {
  auto key_cast = std::make_shared<ElementCast>(text_type(), types.to->children[0], types.try_cast);
  auto value_cast = std::make_shared<ElementCast>(text_type(), types.to->children[1], types.try_cast);
  return strict_kernel([=](Call& call) {
    PartColumn keys(call.memory()), values(call.memory());
    convert_valid<ListEntry, StringView>(
        call, types.try_cast,
        [&](const StringView& v, ListEntry& out) {
          const int64_t start = keys.size();
          const bool cut = cut_map({v.data(), v.length}, keys, values);
          if (!cut) {
            keys.resize(start);
            values.resize(start);
          }
          out = {cut ? start : 0, keys.size() - start};
          return cut;
        },
        [&](const StringView& v) { return convert_message(*types.to, {v.data(), v.length}); });
    const int64_t count = keys.size();
    ColumnBuilder entries(call.memory(), map_entry_type(*types.to), count);
    const ColumnPtr cast_keys = (*key_cast)(call.context, keys.finish());
    check_rows(call, *cast_keys);
    entries.add_child(cast_keys);
    entries.add_child((*value_cast)(call.context, values.finish()));
    call.result.add_child(entries.finish());
  });
}

// One part a field, in field order; fields that the text does not name are null.
bool cut_structure(std::string_view text, const DataType& type, std::vector<Part>& parts) {
  parts.assign(type.children.size(), Part{"", true});
  Cutter cutter(text);
  if (cutter.enter('(', ')')) {
    char stop = ',';
    for (size_t i = 0; stop == ','; ++i) {
      if (i == parts.size() || !cutter.part(",", parts[i], stop)) return false;
      if (stop == 0 && i + 1 != parts.size()) return false;
    }
    return true;
  }
  if (!cutter.enter('{', '}')) return false;
  if (cutter.at_end()) return true;
  Part key, value;
  for (char stop = ','; stop == ',';) {
    if (!cutter.part(":,", key, stop) || stop != ':' || !cutter.part(",", value, stop)) return false;
    size_t field = 0;
    while (field < parts.size() && type.names[field] != key.text) ++field;
    if (field == parts.size()) return false;
    parts[field] = value;
  }
  return true;
}

KernelPtr to_structure(const CastTypes& types) {
  auto casts = std::make_shared<std::vector<ElementCast>>();
  for (const auto& field : types.to->children) casts->emplace_back(text_type(), field, types.try_cast);
  return strict_kernel([=](Call& call) {
    std::vector<PartColumn> fields;
    for (size_t k = 0; k < casts->size(); ++k) fields.emplace_back(call.memory());
    const auto* views = call.values<StringView>(0);
    std::vector<Part> parts;
    for (int64_t i = 0; i < call.rows; ++i) {
      bool cut = false;
      if (call.row_valid(i)) {
        cut = cut_structure(string_at(views, i), *types.to, parts);
        if (!cut && !types.try_cast) throw runtime_error(convert_message(*types.to, string_at(views, i)));
        if (!cut) call.result.set_null(i);
      }
      for (size_t k = 0; k < fields.size(); ++k) {
        if (cut)
          fields[k].add(parts[k]);
        else
          fields[k].add_null();
      }
    }
    for (size_t k = 0; k < fields.size(); ++k) call.result.add_child((*casts)[k](call.context, fields[k].finish()));
  });
}

}  // namespace

KernelPtr cast_text_to_nested(const CastTypes& types) {
  if (types.from->kind != TypeKind::string) return nullptr;
  switch (types.to->kind) {
    case TypeKind::list:
      return to_list(types);
    case TypeKind::map:
      return to_map(types);
    case TypeKind::structure:
      return to_structure(types);
    default:
      return nullptr;
  }
}

}  // namespace quern::cpu
