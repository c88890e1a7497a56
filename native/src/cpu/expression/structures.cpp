// Structs: a field by name, a struct from its fields, fields added and replaced.
#include <algorithm>

#include "cpu/expression/loops.hpp"
#include "cpu/expression/message.hpp"

namespace quern::cpu {

namespace {

size_t field_index(const DataType& type, std::string_view name) {
  for (size_t i = 0; i < type.names.size(); ++i) {
    if (type.names[i] == name) return i;
  }
  throw internal_error("struct has no field " + quoted(name));
}

// Field names without regard to ASCII case.
bool same_field(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return ops::ascii_lower(x) == ops::ascii_lower(y); });
}

// The field that argument 1 names, or counts from 1.
size_t field_of(const Call& call, const DataType& type) {
  if (!call.arg_valid(1, 0)) throw internal_error("struct_extract without a field name");
  if (call.args[1]->type->kind == TypeKind::string) return field_index(type, string_at(call.values<StringView>(1), 0));
  const int64_t position = call.values<int64_t>(1)[0];
  if (position < 1 || position > static_cast<int64_t>(type.children.size()))
    throw internal_error("struct has no field " + std::to_string(position));
  return static_cast<size_t>(position) - 1;
}

// The name or position is a literal; a NULL struct has NULL fields.
KernelPtr make_extract(const Signature& signature) {
  return custom_kernel([type = signature.arguments[0], result = signature.result](Call& call) -> ColumnPtr {
    const size_t field = field_of(call, *type);
    if (!same_type(*type->children[field], *result))
      throw internal_error("struct_extract gives another type than the plan says");
    const ColumnPtr& structure = call.args[0];
    if (structure->null_count == structure->length) return make_null_column(result, call.rows);
    const ColumnPtr& values = structure->children[field];
    if (structure->null_count == 0) return values;
    std::vector<int64_t> rows(static_cast<size_t>(call.rows));
    for (int64_t row = 0; row < call.rows; ++row) rows[row] = structure->is_valid(row) ? row : -1;
    return gather(call.memory(), values, rows.data(), call.rows);
  });
}

KernelPtr make_pack(const Signature& signature) {
  const DataType& type = *signature.result;
  bool fits = type.kind == TypeKind::structure && type.children.size() == signature.arguments.size();
  for (size_t i = 0; fits && i < type.children.size(); ++i)
    fits = same_type(*type.children[i], *signature.arguments[i]);
  if (!fits) throw internal_error("struct_pack gives another type than the plan says");
  return custom_kernel([](Call& call) {
    for (const auto& arg : call.args) call.result.add_child(arg);
    return call.result.finish();
  });
}

// The fields of a struct column as columns; NULL where the struct is.
std::vector<ColumnPtr> fields_of(Call& call, size_t i) {
  const ColumnPtr structure = flatten(call.memory(), call.args[i]);
  if (structure->null_count == 0) return structure->children;
  std::vector<int64_t> rows(static_cast<size_t>(call.rows));
  for (int64_t row = 0; row < call.rows; ++row) rows[row] = structure->is_valid(row) ? row : -1;
  std::vector<ColumnPtr> out;
  for (const auto& child : structure->children) out.push_back(gather(call.memory(), child, rows.data(), call.rows));
  return out;
}

ColumnPtr struct_of(Call& call, const std::vector<ColumnPtr>& fields) {
  const DataType& type = *call.result.type();
  bool fits = type.kind == TypeKind::structure && type.children.size() == fields.size();
  for (size_t i = 0; fits && i < fields.size(); ++i) fits = same_type(*type.children[i], *fields[i]->type);
  if (!fits) throw internal_error("a struct of other fields than the plan says");
  for (const auto& field : fields) call.result.add_child(field);
  return call.result.finish();
}

// The fields of all arguments in order; never NULL.
KernelPtr make_concat(const Signature&) {
  return custom_kernel([](Call& call) {
    std::vector<ColumnPtr> fields;
    for (size_t i = 0; i < call.args.size(); ++i) {
      for (auto& field : fields_of(call, i)) fields.push_back(std::move(field));
    }
    return struct_of(call, fields);
  });
}

// The fields of the first struct, replaced by those of the second of the same name; its other fields follow.
KernelPtr make_update(const Signature& signature) {
  return custom_kernel([old = signature.arguments[0], fresh = signature.arguments[1]](Call& call) {
    std::vector<ColumnPtr> fields = fields_of(call, 0);
    const std::vector<ColumnPtr> others = fields_of(call, 1);
    for (size_t i = 0; i < others.size(); ++i) {
      size_t at = 0;
      while (at < old->names.size() && !same_field(old->names[at], fresh->names[i])) ++at;
      if (at < old->names.size())
        fields[at] = others[i];
      else
        fields.push_back(others[i]);
    }
    return struct_of(call, fields);
  });
}

}  // namespace

void add_structures(KernelTable& table) {
  table.add("struct_extract", make_extract);
  table.add("struct_pack", make_pack);
  table.add("struct_concat", make_concat);
  table.add("struct_update", make_update);
}

}  // namespace quern::cpu
