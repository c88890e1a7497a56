// Parts of VARIANT values.
#include <optional>

#include "columnar/variant_builder.hpp"
#include "common/error.hpp"
#include "cpu/expression/loops.hpp"

namespace quern::cpu {

namespace {

// The value of an object's field.
std::optional<std::string_view> field_named(const VariantParts& parts, std::string_view name) {
  if (variant_basic(parts.value) != VariantBasic::object) return std::nullopt;
  for (const VariantField& field : variant_contents(parts.metadata, parts.value).fields) {
    if (field.name == name) return field.value;
  }
  return std::nullopt;
}

// The value of an array's element, counted from 1.
std::optional<std::string_view> element_at(const VariantParts& parts, int64_t position) {
  if (variant_basic(parts.value) != VariantBasic::array) return std::nullopt;
  const std::vector<VariantField> elements = variant_contents(parts.metadata, parts.value).fields;
  if (position < 1 || position > static_cast<int64_t>(elements.size())) return std::nullopt;
  return elements[static_cast<size_t>(position) - 1].value;
}

// `find(parts, row)` gives the part of a row; what has none, or variant null, becomes NULL.
template <typename Find>
void extract_parts(Call& call, Find find) {
  const auto* rows = call.values<StringView>(0);
  StringHeap heap(call.memory());
  VariantBuilder builder;
  std::string part;
  auto* out = call.result.data<StringView>();
  for_valid(call.valid, call.rows, [&](int64_t row) {
    const VariantParts parts = variant_parts(string_at(rows, row * call.step(0)));
    const std::optional<std::string_view> found = find(parts, row);
    if (!found || is_variant_null(*found)) return call.result.set_null(row);
    builder.start();
    builder.allow(found->size());
    builder.copy(parts.metadata, *found);
    builder.take(part);
    out[row] = heap.append(part.data(), part.size());
  });
  call.result.keep(heap.owners());
}

KernelPtr make_variant_extract(const Signature& signature) {
  if (signature.arguments[0]->tag != TypeTag::variant || signature.result->tag != TypeTag::variant)
    throw internal_error("variant_extract of " + type_name(*signature.arguments[0]));
  if (signature.arguments[1]->kind == TypeKind::string) {
    return strict_kernel([](Call& call) {
      const auto* names = call.values<StringView>(1);
      extract_parts(call, [&](const VariantParts& parts, int64_t row) {
        return field_named(parts, string_at(names, row * call.step(1)));
      });
    });
  }
  return strict_kernel([](Call& call) {
    const auto* positions = call.values<int64_t>(1);
    extract_parts(
        call, [&](const VariantParts& parts, int64_t row) { return element_at(parts, positions[row * call.step(1)]); });
  });
}

}  // namespace

void add_variants(KernelTable& table) { table.add("variant_extract", make_variant_extract); }

}  // namespace quern::cpu
