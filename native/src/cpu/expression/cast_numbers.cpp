// Casts among bool, integers, floats and halves.
#include "cpu/expression/cast.hpp"
#include "ops/cast.hpp"

namespace quern::cpu {

namespace {

// Loop over From → To with `f(From, To&)` and the range error of `to`.
template <typename To, typename From, typename F>
KernelPtr checked(const CastTypes& types, F f) {
  return strict_kernel([types, f](Call& call) {
    convert<To, From>(call, types.try_cast, f, [&](From v) { return range_message(*types.to, number_text(v)); });
  });
}

template <typename To, typename From, typename F>
KernelPtr safe(F f) {
  return strict_kernel([f](Call& call) { map_unary<To, From>(call, [f](From v, To& out) { out = f(v); }); });
}

KernelPtr from_bool(const CastTypes& types) {
  const auto one = []<typename T>() { return safe<T, uint8_t>([](uint8_t v) { return static_cast<T>(v); }); };
  if (KernelPtr kernel = with_integer(*types.to, one)) return kernel;
  return with_float(*types.to, one);
}

KernelPtr to_bool(const CastTypes& types) {
  const auto nonzero = []<typename T>() { return safe<uint8_t, T>([](T v) { return static_cast<uint8_t>(v != 0); }); };
  if (KernelPtr kernel = with_integer(*types.from, nonzero)) return kernel;
  return with_float(*types.from, nonzero);
}

KernelPtr from_integer(const CastTypes& types) {
  return with_integer(*types.from, [&]<typename From>() -> KernelPtr {
    if (KernelPtr kernel = with_integer(*types.to, [&]<typename To>() {
          return checked<To, From>(types, [](From v, To& out) { return ops::integer_to_integer(v, out); });
        })) {
      return kernel;
    }
    return with_float(*types.to,
                      []<typename To>() { return safe<To, From>([](From v) { return static_cast<To>(v); }); });
  });
}

KernelPtr from_float(const CastTypes& types) {
  return with_float(*types.from, [&]<typename From>() -> KernelPtr {
    if (KernelPtr kernel = with_integer(*types.to, [&]<typename To>() {
          return checked<To, From>(types, [](From v, To& out) { return ops::real_to_integer(v, out); });
        })) {
      return kernel;
    }
    if (types.to->kind == TypeKind::float64) return safe<double, From>([](From v) { return static_cast<double>(v); });
    if (types.to->kind != TypeKind::float32) return nullptr;
    return checked<float, From>(types, [](From v, float& out) { return ops::double_to_float(v, out); });
  });
}

bool is_half(const DataType& type) { return type.kind == TypeKind::float16 || type.kind == TypeKind::bfloat16; }

KernelPtr from_half(const CastTypes& types) {
  if (types.to->kind != TypeKind::float32) return nullptr;
  if (types.from->kind == TypeKind::float16) return safe<float, uint16_t>(ops::half_to_float);
  return safe<float, uint16_t>(ops::bfloat_to_float);
}

KernelPtr to_half(const CastTypes& types) {
  if (types.from->kind != TypeKind::float32) return nullptr;
  if (types.to->kind == TypeKind::float16) return safe<uint16_t, float>(ops::float_to_half);
  return safe<uint16_t, float>(ops::float_to_bfloat);
}

// Every other pair with a half goes through float32.
KernelPtr through_float(const CastTypes& types) {
  const TypePtr middle = make_type(TypeKind::float32);
  auto first = std::make_shared<ElementCast>(types.from, middle, types.try_cast);
  auto second = std::make_shared<ElementCast>(middle, types.to, types.try_cast);
  return any_form_kernel(
      [first, second](Call& call) { return (*second)(call.context, (*first)(call.context, call.args[0])); });
}

bool is_number(const DataType& type) {
  return is_integer(type) || is_float(type) || type.kind == TypeKind::decimal || type.kind == TypeKind::boolean;
}

}  // namespace

KernelPtr cast_between_numbers(const CastTypes& types) {
  if (is_half(*types.from) || is_half(*types.to)) {
    const DataType& other = is_half(*types.from) ? *types.to : *types.from;
    if (KernelPtr kernel = is_half(*types.from) ? from_half(types) : to_half(types)) return kernel;
    return is_number(other) || is_half(other) || other.kind == TypeKind::string ? through_float(types) : nullptr;
  }
  if (types.from->kind == TypeKind::boolean) return from_bool(types);
  if (types.to->kind == TypeKind::boolean) return to_bool(types);
  if (KernelPtr kernel = from_integer(types)) return kernel;
  return from_float(types);
}

}  // namespace quern::cpu
