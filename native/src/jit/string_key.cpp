#include "jit/string_key.hpp"

#include <algorithm>
#include <iterator>

namespace quern::jit {

bool is_numbered(const DataType& type) {
  return physical(type) == Physical::string && (type.tag == TypeTag::none || type.tag == TypeTag::json);
}

std::vector<plan::ExprIndex> made_keys(const plan::Plan& plan, const plan::HashGroupBy& group) {
  std::vector<plan::ExprIndex> out;
  std::copy_if(group.keys.begin(), group.keys.end(), std::back_inserter(out), [&](plan::ExprIndex key) {
    const auto& expr = plan.exprs[static_cast<size_t>(key)];
    return is_numbered(*expr.type) && expr.kind != plan::ExprKind::column;
  });
  return out;
}

TypePtr key_type(const TypePtr& type) { return is_numbered(*type) ? make_type(TypeKind::uint32) : type; }

const ColumnPlace& string_column(const plan::Plan& plan, plan::ExprIndex key, const ExpressionText& text) {
  const auto& expr = plan.exprs[static_cast<size_t>(key)];
  if (expr.kind == plan::ExprKind::column) {
    const ColumnPlace& place = *text.columns().at(static_cast<size_t>(expr.column));
    if (place.column >= 0) return place;
  }
  throw unsupported("computed keys of " + type_name(*expr.type) + " on the GPU");
}

Value emit_number(const StringKey& key, const ColumnPlace& strings, ExpressionText& text) {
  const std::string index = std::to_string(key.numbers);
  ColumnPlace place = strings;
  place.value = {};
  place.type = make_type(TypeKind::uint32);
  place.name = "s" + (key.join < 0 ? index : std::to_string(key.join) + "c" + index);
  place.view = (key.join < 0 ? "in.columns[" : "in.joins[" + std::to_string(key.join) + "].columns[") + index + "]";
  text.load(place);
  return place.value;
}

}  // namespace quern::jit
