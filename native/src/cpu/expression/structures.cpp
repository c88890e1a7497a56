// Structs: a field by name, and a struct from its fields.
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

// The name is a literal; a NULL struct has NULL fields.
KernelPtr make_extract(const Signature& signature) {
  return custom_kernel([type = signature.arguments[0], result = signature.result](Call& call) -> ColumnPtr {
    if (!call.arg_valid(1, 0)) throw internal_error("struct_extract without a field name");
    const size_t field = field_index(*type, string_at(call.values<StringView>(1), 0));
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

}  // namespace

void add_structures(KernelTable& table) {
  table.add("struct_extract", make_extract);
  table.add("struct_pack", make_pack);
}

}  // namespace quern::cpu
