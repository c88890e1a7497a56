#include "cpu/expression/cast.hpp"

#include <algorithm>

namespace quern::cpu {

KernelPtr make_cast(const TypePtr& from, const TypePtr& to, bool try_cast) {
  const CastTypes types{from, to, try_cast};
  if (from->kind == TypeKind::null) {
    return any_form_kernel([](Call& call) { return make_null_column(call.result.type(), call.rows); });
  }
  if (to->kind == TypeKind::string && to->tag == TypeTag::none) return cast_to_text(types);
  for (const auto factory :
       {cast_between_numbers, cast_decimals, cast_moments, cast_from_text, cast_nested, cast_text_to_nested}) {
    if (KernelPtr kernel = factory(types)) return kernel;
  }
  throw unsupported("cast from " + type_name(*from) + " to " + type_name(*to));
}

namespace {

bool null_constant(const ColumnPtr& column) {
  return column->type->kind == TypeKind::null || (column->form == Form::constant && column->null_count > 0);
}

// The result's nulls are those of all arguments together; shared with the argument when only one has any.
void combine_validity(Call& call) {
  const Column* first = nullptr;
  uint64_t* words = nullptr;
  for (const auto& arg : call.args) {
    if (arg->validity == nullptr || arg->form == Form::constant) continue;
    if (first == nullptr) {
      first = arg.get();
      call.result.share_validity(arg->validity, arg->null_count, arg->owners);
    } else if (arg->validity != first->validity) {
      if (words == nullptr) words = call.result.validity();
      for (int64_t w = 0; w < validity_words(call.rows); ++w) words[w] &= arg->validity[w];
    }
  }
  call.valid = call.result.validity_or_null();
}

}  // namespace

ColumnPtr run_kernel(Context& context, Scratch& scratch, Kernel& kernel, const TypePtr& type,
                     std::vector<ColumnPtr> args, int64_t rows) {
  if (rows == 0) return make_null_column(type, 0);
  if (!kernel.any_form()) {
    if (kernel.strict() && std::any_of(args.begin(), args.end(), null_constant)) return make_null_column(type, rows);
    if (rows > 1 && !args.empty() &&
        std::all_of(args.begin(), args.end(), [](const auto& arg) { return arg->form == Form::constant; })) {
      for (auto& arg : args) arg = make_constant(arg, 0, 1);
      return make_constant(run_kernel(context, scratch, kernel, type, std::move(args), 1), 0, rows);
    }
    for (auto& arg : args) {
      // A single row is flat and constant at once; nested constants keep children per row, so they are made flat.
      if (arg->form == Form::dictionary || (rows == 1 && arg->form == Form::constant))
        arg = flatten(context.memory(), arg);
    }
  }
  Call call{context, args, rows, Result(scratch, type, rows)};
  if (kernel.strict()) combine_validity(call);
  return kernel.call(call);
}

}  // namespace quern::cpu
