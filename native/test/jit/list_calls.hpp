// Every function of lists that a GPU runs, over lists of many types.
#pragma once
#include <vector>

#include "jit/chain_plan.hpp"

namespace quern::test {

// Columns of list_calls: lists of these elements, then two of BIGINT, one of DOUBLE.
inline std::vector<TypePtr> list_elements() {
  return {make_type(TypeKind::float32), make_type(TypeKind::float64), make_type(TypeKind::float16),
          make_type(TypeKind::int32),   make_type(TypeKind::int64),   make_type(TypeKind::uint8),
          make_type(TypeKind::boolean), make_decimal(12, 2),          make_decimal(30, 3),
          make_type(TypeKind::date),    make_type(TypeKind::uuid),    make_type(TypeKind::bfloat16)};
}
inline std::vector<TypePtr> list_call_columns() {
  std::vector<TypePtr> out;
  for (const auto& element : list_elements()) out.push_back(make_list(element));
  for (const TypeKind kind : {TypeKind::int64, TypeKind::int64, TypeKind::float64}) out.push_back(make_type(kind));
  return out;
}

// Of the lists of one type, column `list`.
inline std::vector<plan::ExprIndex> list_calls(ChainPlan& chain, Memory& memory, size_t list) {
  const TypePtr int64 = make_type(TypeKind::int64), real = make_type(TypeKind::float64),
                boolean = make_type(TypeKind::boolean), hugeint = make_decimal(38, 0);
  const auto elements = list_elements();
  const TypePtr element = elements[list], type = make_list(element);
  const bool integer = is_integer(*element), floating = is_float(*element),
             decimal = element->kind == TypeKind::decimal,
             half = element->kind == TypeKind::float16 || element->kind == TypeKind::bfloat16;
  const auto l = chain.column(static_cast<int32_t>(list));
  const auto a = chain.column(static_cast<int32_t>(elements.size())),
             b = chain.column(static_cast<int32_t>(elements.size() + 1)),
             factor = chain.column(static_cast<int32_t>(elements.size() + 2));
  const auto slice = chain.call("list_slice", {l, a, b}, type), part = chain.call("list_part", {l, a, b}, type),
             reverse = chain.call("list_reverse", {l}, type);
  std::vector<plan::ExprIndex> out = {
      chain.call("len", {l}, int64),
      chain.call("len", {slice}, int64),
      slice,
      part,
      reverse,
      chain.call("list_slice", {reverse, a, b}, type),
      chain.call("list_concat", {l, slice}, type),
      chain.call("list_join", {part, l}, type),
      chain.call("is_null", {slice}, boolean),
      chain.call("list_count", {l}, int64),
      chain.call("list_has_null", {chain.call("list_join", {l, reverse}, type)}, boolean)};
  if (!half) {
    const auto at = chain.call("list_extract", {l, a}, element);
    for (const auto expr : {at, chain.call("list_first", {l}, element), chain.call("list_last", {slice}, element),
                            chain.call("list_any_value", {l}, element), chain.call("list_append", {l, at}, type),
                            chain.call("list_prepend", {at, slice}, type),
                            chain.call("list_value", {at, chain.call("list_first", {l}, element), at}, type),
                            chain.call("list_contains", {l, at}, boolean),
                            chain.call("list_position", {reverse, at}, make_type(TypeKind::int32))})
      out.push_back(expr);
    if (element->kind != TypeKind::uuid) {
      for (const char* fn : {"list_min", "list_max"}) {
        out.push_back(chain.call(fn, {l}, element));
        out.push_back(chain.call(fn, {chain.call("list_concat", {slice, l}, type)}, element));
      }
    }
  }
  if (integer || floating || decimal || element->kind == TypeKind::boolean) {
    const TypePtr sum = floating                           ? real
                        : decimal                          ? make_decimal(38, element->scale)
                        : element->kind == TypeKind::int64 ? hugeint
                                                           : int64;
    out.push_back(chain.call("list_sum", {l}, sum));
    out.push_back(chain.call("list_sum", {slice}, sum));
    if (element->kind != TypeKind::boolean) {
      out.push_back(chain.call("list_avg", {l}, real));
      out.push_back(chain.call("list_avg", {reverse}, real));
    }
  }
  if (element->kind == TypeKind::float64) out.push_back(chain.call("list_product", {l}, real));
  if (!integer && !floating && !half) return out;
  const TypePtr reals = make_list(real), floats = make_list(make_type(TypeKind::float32));
  const auto scaled = chain.call("list_scale", {l, factor}, reals);
  out.push_back(chain.call("list_norm", {l}, real));
  out.push_back(chain.call("list_norm", {scaled}, real));
  out.push_back(scaled);
  for (const char* fn : {"try_list_add", "try_list_sub", "try_list_mul"})
    out.push_back(chain.call(fn, {l, slice}, reals));
  for (const char* fn : {"try_list_distance", "try_list_l1_distance", "try_list_inner_product",
                         "try_list_negative_inner_product", "try_list_cosine_similarity", "try_list_cosine_distance"}) {
    out.push_back(chain.call(fn, {l, slice}, real));
    out.push_back(chain.call(fn, {reverse, l}, real));
    out.push_back(chain.call(fn, {l, l}, real));
  }
  const auto casts = [&](plan::ExprIndex of, const TypePtr& to) {
    return chain.of_kind(plan::ExprKind::cast, {of}, to);
  };
  if (half || floating) {
    out.push_back(casts(l, reals));
    out.push_back(chain.call("list_sum", {casts(slice, reals)}, real));
  }
  if (half) {
    const auto wide = casts(l, floats);
    out.push_back(wide);
    out.push_back(chain.call("list_max", {wide}, make_type(TypeKind::float32)));
  }
  if (element->kind == TypeKind::float32) {
    out.push_back(casts(l, make_list(make_type(TypeKind::float16))));
    out.push_back(casts(reverse, make_list(make_type(TypeKind::bfloat16))));
    const auto constant = chain.list_literal(memory, floats, {"1", "0.5", "7"});
    out.push_back(chain.call("try_list_distance", {l, constant}, real));
    out.push_back(chain.call("try_list_distance", {slice, constant}, real));
    out.push_back(chain.call("list_concat", {constant, l}, type));
  }
  return out;
}

}  // namespace quern::test
