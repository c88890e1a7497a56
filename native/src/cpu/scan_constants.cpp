#include "cpu/scan_constants.hpp"

#include "cpu/column_cast.hpp"
#include "cpu/hive_path.hpp"

namespace quern::cpu {

namespace {

ColumnPtr string_constant(Memory& memory, const std::optional<std::string>& text) {
  const auto type = make_type(TypeKind::string);
  if (!text) return make_null_column(type, 1);
  ColumnBuilder builder(memory, type, 1);
  StringHeap heap(memory);
  builder.data<StringView>()[0] = heap.append(text->data(), text->size());
  builder.keep(heap.owners());
  return make_constant(builder.finish(), 0, 1);
}

}  // namespace

std::vector<ColumnPtr> scan_constants(Context& context, const plan::Scan& scan, const FileLayout& layout) {
  auto& memory = context.memory();
  std::vector<ColumnPtr> out;
  for (size_t i = 0; i < scan.columns.size(); ++i) {
    const auto& column = scan.columns[i];
    out.emplace_back();
    if (column.source == plan::ColumnSource::filename) out.back() = string_constant(memory, layout.path);
    if (column.source == plan::ColumnSource::field && layout.fields[i] < 0)
      out.back() = make_null_column(column.type, 1);
    if (column.source == plan::ColumnSource::hive) {
      const auto text = string_constant(memory, hive_value(layout.path, column.field));
      out.back() = column.type->kind == TypeKind::string
                       ? text
                       : make_constant(ColumnCast(context, text->type, column.type).cast(text), 0, 1);
    }
  }
  return out;
}

}  // namespace quern::cpu
