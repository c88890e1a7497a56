#include "exec/unify.hpp"

#include <algorithm>

#include "common/json_text.hpp"
#include "plan/functions.hpp"

namespace quern {

namespace {

bool is_integer(TypeKind kind) { return kind >= TypeKind::int8 && kind <= TypeKind::uint64; }
bool is_unsigned(TypeKind kind) { return kind >= TypeKind::uint8 && kind <= TypeKind::uint64; }
bool is_float(TypeKind kind) { return kind >= TypeKind::float16 && kind <= TypeKind::float64; }

// Digits that hold every value of an integer kind.
int digits(TypeKind kind) {
  switch (kind) {
    case TypeKind::int8:
    case TypeKind::uint8:
      return 3;
    case TypeKind::int16:
    case TypeKind::uint16:
      return 5;
    case TypeKind::int32:
    case TypeKind::uint32:
      return 10;
    case TypeKind::int64:
      return 19;
    default:
      return 20;
  }
}

int bits(TypeKind kind) { return width(physical(*make_type(kind))) * 8; }

TypePtr signed_of(int wanted) {
  if (wanted <= 8) return make_type(TypeKind::int8);
  if (wanted <= 16) return make_type(TypeKind::int16);
  if (wanted <= 32) return make_type(TypeKind::int32);
  if (wanted <= 64) return make_type(TypeKind::int64);
  return make_decimal(20, 0);
}

TypePtr unify_integers(const TypePtr& a, const TypePtr& b) {
  if (is_unsigned(a->kind) == is_unsigned(b->kind)) return bits(a->kind) >= bits(b->kind) ? a : b;
  const auto& natural = is_unsigned(a->kind) ? a : b;
  const auto& whole = is_unsigned(a->kind) ? b : a;
  return signed_of(std::max(bits(whole->kind), bits(natural->kind) * 2));
}

TypePtr unify_decimals(int precision_a, int scale_a, int precision_b, int scale_b) {
  const int scale = std::max(scale_a, scale_b);
  const int precision = std::max(precision_a - scale_a, precision_b - scale_b) + scale;
  return precision <= 38 ? make_decimal(precision, scale) : nullptr;
}

// Exact: float32 holds 24 bits of an integer, float64 53.
TypePtr unify_integer_and_float(const TypePtr& integer, const TypePtr& real) {
  if (bits(integer->kind) <= 16 && real->kind != TypeKind::float64) return make_type(TypeKind::float32);
  return bits(integer->kind) <= 32 ? make_type(TypeKind::float64) : nullptr;
}

TypePtr unify_structures(const TypePtr& a, const TypePtr& b) {
  if (a->names != b->names) return nullptr;
  std::vector<TypePtr> fields;
  for (size_t i = 0; i < a->children.size(); ++i) {
    fields.push_back(unify_types(a->children[i], b->children[i]));
    if (!fields.back()) return nullptr;
  }
  return make_structure(a->names, std::move(fields));
}

TypePtr unify_other_kinds(const TypePtr& a, const TypePtr& b) {
  if (is_integer(a->kind) && is_integer(b->kind)) return unify_integers(a, b);
  if (is_float(a->kind) && is_float(b->kind)) {
    return make_type(a->kind == TypeKind::float64 || b->kind == TypeKind::float64 ? TypeKind::float64
                                                                                  : TypeKind::float32);
  }
  if (is_integer(a->kind) && is_float(b->kind)) return unify_integer_and_float(a, b);
  if (is_integer(a->kind) && b->kind == TypeKind::decimal)
    return unify_decimals(digits(a->kind), 0, b->precision, b->scale);
  if (a->kind == TypeKind::date && b->kind == TypeKind::timestamp && !b->zone) return b;
  return nullptr;
}

}  // namespace

TypePtr unify_types(const TypePtr& a, const TypePtr& b) {
  if (same_type(*a, *b)) return a;
  if (a->kind == TypeKind::null) return b;
  if (b->kind == TypeKind::null) return a;
  if (a->kind != b->kind) {
    auto type = unify_other_kinds(a, b);
    return type ? type : unify_other_kinds(b, a);
  }
  switch (a->kind) {
    case TypeKind::decimal:
      return unify_decimals(a->precision, a->scale, b->precision, b->scale);
    case TypeKind::string:
      // JSON meets text as text; other tags do not mix.
      return holds_variant(*a) || holds_variant(*b) ? nullptr : make_type(TypeKind::string);
    case TypeKind::time:
      return a->zone != b->zone ? nullptr : a->unit > b->unit ? a : b;
    case TypeKind::timestamp:
      return a->zone != b->zone ? nullptr : a->unit > b->unit ? a : b;
    case TypeKind::list: {
      auto element = unify_types(a->children[0], b->children[0]);
      return element ? make_list(std::move(element)) : nullptr;
    }
    case TypeKind::map: {
      auto key = unify_types(a->children[0], b->children[0]);
      auto value = unify_types(a->children[1], b->children[1]);
      return key && value ? make_map(std::move(key), std::move(value)) : nullptr;
    }
    case TypeKind::structure:
      return unify_structures(a, b);
    default:
      return nullptr;
  }
}

std::string type_json(const DataType& type) {
  static const char* units[] = {"\"s\"", "\"ms\"", "\"us\"", "\"ns\""};
  JsonList out('{');
  out.member("kind", json_string(plan::kind_name(type.kind)));
  if (type.tag == TypeTag::json) out.member("tag", json_string("json"));
  if (type.tag == TypeTag::variant) out.member("tag", json_string("variant"));
  if (type.tag == TypeTag::geometry) out.member("tag", json_string("geometry"));
  switch (type.kind) {
    case TypeKind::decimal:
      out.member("precision", std::to_string(type.precision)).member("scale", std::to_string(type.scale));
      break;
    case TypeKind::time:
      out.member("unit", units[static_cast<int>(type.unit)]);
      if (type.zone) out.member("zone", "true");
      break;
    case TypeKind::timestamp:
      out.member("unit", units[static_cast<int>(type.unit)]).member("zone", type.zone ? "true" : "false");
      break;
    case TypeKind::list:
      out.member("element", type_json(*type.children[0]));
      break;
    case TypeKind::map:
      out.member("key", type_json(*type.children[0])).member("value", type_json(*type.children[1]));
      break;
    case TypeKind::structure: {
      JsonList fields('[');
      for (size_t i = 0; i < type.children.size(); ++i) {
        fields.item(JsonList('{')
                        .member("name", json_string(type.names[i]))
                        .member("type", type_json(*type.children[i]))
                        .text());
      }
      out.member("fields", fields.text());
      break;
    }
    default:
      break;
  }
  return out.text();
}

}  // namespace quern
