// Casts between lists, structs and maps, part by part.
#include "cpu/expression/cast.hpp"

namespace quern::cpu {

namespace {

// The list column with a child that holds exactly the referenced elements: a failing cast of others must not be seen.
ColumnPtr only_referenced(Memory& memory, const ColumnPtr& column) {
  int64_t referenced = 0;
  const auto* entries = column->values<ListEntry>();
  for (int64_t i = 0; i < column->length; ++i) referenced += entries[i].length;
  return referenced == column->children[0]->length ? column : compact(memory, column);
}

// A list-like column (list or map) whose child is cast.
KernelPtr cast_entries(const TypePtr& from_entry, const TypePtr& to_entry, bool try_cast) {
  auto cast = std::make_shared<ElementCast>(from_entry, to_entry, try_cast);
  return strict_kernel([cast](Call& call) {
    const ColumnPtr source = only_referenced(call.memory(), call.args[0]);
    std::copy_n(source->values<ListEntry>(), call.rows, call.result.data<ListEntry>());
    call.result.keep(source->owners);
    call.result.add_child((*cast)(call.context, source->children[0]));
  });
}

// Fields by name where names meet, otherwise by position.
KernelPtr cast_structure(const CastTypes& types) {
  const DataType &from = *types.from, &to = *types.to;
  std::vector<int> source;
  bool by_name = true;
  for (const auto& name : to.names) {
    int found = -1;
    for (size_t i = 0; i < from.names.size(); ++i) {
      if (from.names[i] == name) found = static_cast<int>(i);
    }
    source.push_back(found);
    by_name &= found >= 0;
  }
  if (!by_name) {
    if (from.children.size() != to.children.size())
      throw unsupported("cast from " + type_name(from) + " to " + type_name(to));
    for (size_t i = 0; i < source.size(); ++i) source[i] = static_cast<int>(i);
  }
  auto casts = std::make_shared<std::vector<ElementCast>>();
  for (size_t i = 0; i < to.children.size(); ++i)
    casts->emplace_back(from.children[source[i]], to.children[i], types.try_cast);
  return strict_kernel([casts, source](Call& call) {
    for (size_t i = 0; i < source.size(); ++i) {
      ColumnPtr field = call.args[0]->children[source[i]];
      // Rows of a NULL struct may hold anything in their fields; they must not raise.
      if (call.valid != nullptr) {
        std::vector<int64_t> rows(static_cast<size_t>(call.rows));
        for (int64_t r = 0; r < call.rows; ++r) rows[r] = call.row_valid(r) ? r : -1;
        field = gather(call.memory(), field, rows.data(), call.rows);
      }
      call.result.add_child((*casts)[i](call.context, field));
    }
  });
}

}  // namespace

KernelPtr cast_nested(const CastTypes& types) {
  const DataType &from = *types.from, &to = *types.to;
  if (from.kind == TypeKind::list && to.kind == TypeKind::list)
    return cast_entries(from.children[0], to.children[0], types.try_cast);
  if (from.kind == TypeKind::map && to.kind == TypeKind::map)
    return cast_entries(map_entry_type(from), map_entry_type(to), types.try_cast);
  if (from.kind == TypeKind::list && to.kind == TypeKind::map && same_type(*from.children[0], *map_entry_type(to))) {
    return cast_entries(from.children[0], map_entry_type(to), types.try_cast);
  }
  if (from.kind == TypeKind::structure && to.kind == TypeKind::structure) return cast_structure(types);
  return nullptr;
}

}  // namespace quern::cpu
