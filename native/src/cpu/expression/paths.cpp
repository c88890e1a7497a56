// Parts of file paths. The separator is said by a word: system and forward_slash (/), backslash, both_slash (the
// usual).
#include "cpu/expression/text.hpp"

namespace quern::cpu {

namespace {

// Characters that part a path; another word counts as both_slash.
std::string_view separators_of(ops::Text word) {
  if (ops::equals_word(word, "system") || ops::equals_word(word, "forward_slash")) return "/";
  if (ops::equals_word(word, "backslash")) return "\\";
  return "/\\";
}

// The word is argument `at`, if there is one.
std::string_view separators(const Call& call, size_t at, int64_t row) {
  return call.args.size() > at ? separators_of(Texts(call, at)[row]) : "/\\";
}

ops::Text text_of(std::string_view part) { return {part.data(), static_cast<int64_t>(part.size())}; }

// The first folder: what stands before the first separator; the separator itself when the path starts with it.
std::string_view first_folder(std::string_view path, std::string_view separators) {
  const size_t at = path.find_first_of(separators);
  return at == path.npos ? path.substr(0, 0) : path.substr(0, std::max<size_t>(at, 1));
}

// Everything before the last separator; of a lone separator itself.
std::string_view folders(std::string_view path, std::string_view separators) {
  const size_t at = path.find_last_of(separators);
  if (at == 0 && path.size() == 1) return path;
  return at == path.npos ? path.substr(0, 0) : path.substr(0, at);
}

std::string_view file_name(std::string_view path, std::string_view separators) {
  const size_t at = path.find_last_of(separators);
  return at == path.npos ? path : path.substr(at + 1);
}

std::string_view without_ending(std::string_view name) {
  const size_t at = name.find_last_of('.');
  return at == name.npos ? name : name.substr(0, at);
}

template <std::string_view (*part)(std::string_view, std::string_view)>
KernelPtr make_part(const Signature&) {
  return strict_kernel([](Call& call) {
    const Texts path(call, 0);
    each_slice(call, [&](int64_t row) { return text_of(part(string_of(path[row]), separators(call, 1, row))); });
  });
}

// parse_filename(path[, whether to cut the ending][, separator])
KernelPtr make_file_name(const Signature& signature) {
  const bool with_flag = signature.arguments.size() > 1 && signature.arguments[1]->kind == TypeKind::boolean;
  return strict_kernel([with_flag](Call& call) {
    const Texts path(call, 0);
    each_slice(call, [&](int64_t row) {
      const auto name = file_name(string_of(path[row]), separators(call, with_flag ? 2 : 1, row));
      return text_of(with_flag && Numbers<uint8_t>(call, 1)[row] ? without_ending(name) : name);
    });
  });
}

// Every folder and the file; the leading separator is an element too.
KernelPtr make_path(const Signature& signature) {
  return strict_kernel([element = signature.result->children[0]](Call& call) {
    const Texts path(call, 0);
    std::vector<StringView> parts;
    auto* out = call.result.data<ListEntry>();
    for_valid(call.valid, call.rows, [&](int64_t row) {
      const auto start = static_cast<int64_t>(parts.size());
      const std::string_view text = string_of(path[row]), between = separators(call, 1, row);
      for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find_first_of(between, at), text.size());
        if (end > at) parts.push_back(view_of(text_of(text.substr(at, end - at))));
        if (end == 0) parts.push_back(view_of(text_of(text.substr(0, 1))));
        at = end + 1;
      }
      out[row] = {start, static_cast<int64_t>(parts.size()) - start};
    });
    ColumnBuilder child(call.memory(), element, static_cast<int64_t>(parts.size()));
    std::copy(parts.begin(), parts.end(), child.data<StringView>());
    child.keep(call.args[0]->owners);
    call.result.add_child(child.finish());
  });
}

}  // namespace

void add_paths(KernelTable& table) {
  table.add("parse_dirname", make_part<first_folder>);
  table.add("parse_dirpath", make_part<folders>);
  table.add("parse_filename", make_file_name);
  table.add("parse_path", make_path);
}

}  // namespace quern::cpu
