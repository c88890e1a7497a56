// greatest, least, nullif: a value of one of the arguments, row by row.
#include <algorithm>

#include "columnar/compare.hpp"
#include "cpu/expression/comparison.hpp"
#include "cpu/expression/loops.hpp"
#include "cpu/expression/mask.hpp"

namespace quern::cpu {

namespace {

// Such a column may have no values at all.
bool all_null(const Column& column) {
  return column.type->kind == TypeKind::null || column.null_count == column.length;
}

// One byte a row: 1 where the argument is not NULL.
void write_valid_bytes(const Column& column, std::vector<uint8_t>& bytes) {
  Mask mask;
  mask.assign_valid(column);
  bytes.resize(static_cast<size_t>(mask.rows()));
  mask.write_bytes(bytes.data());
}

void set_nulls(Result& result, const uint8_t* valid) {
  for (int64_t i = 0; i < result.rows(); ++i) {
    if (!valid[i]) result.set_null(i);
  }
}

// Calls loop(row → value of argument i) for a flat or constant argument.
template <typename T, typename Loop>
void with_values(const Call& call, size_t i, Loop loop) {
  const T* values = call.values<T>(i);
  if (call.constant(i))
    loop([x = values[0]](int64_t) -> const T& { return x; });
  else
    loop([values](int64_t row) -> const T& { return values[row]; });
}

// Keeps in `best` what is greater (or less) of it and argument i; `known` says where best holds a value.
template <typename T, bool greatest>
void keep_better(const Call& call, size_t i, T* __restrict best, uint8_t* __restrict known,
                 std::vector<uint8_t>& valid) {
  write_valid_bytes(*call.args[i], valid);
  const uint8_t* __restrict mine = valid.data();
  with_values<T>(call, i, [&](auto value) {
    for (int64_t row = 0; row < call.rows; ++row) {
      const bool better = greatest ? ops::less<T>(best[row], value(row)) : ops::less<T>(value(row), best[row]);
      const bool take = mine[row] & (static_cast<uint8_t>(!known[row]) | static_cast<uint8_t>(better));
      best[row] = take ? value(row) : best[row];
      known[row] |= mine[row];
    }
  });
}

template <typename T, bool greatest>
KernelPtr make_fixed_extreme() {
  return custom_kernel([](Call& call) {
    T* best = call.result.data<T>();
    std::vector<uint8_t> known, valid;
    write_valid_bytes(*call.args[0], known);
    std::fill_n(best, all_null(*call.args[0]) ? call.rows : 0, T{});
    if (!all_null(*call.args[0])) {
      with_values<T>(call, 0, [&](auto value) {
        for (int64_t row = 0; row < call.rows; ++row) best[row] = value(row);
      });
    }
    for (size_t i = 1; i < call.args.size(); ++i) {
      if (!all_null(*call.args[i])) keep_better<T, greatest>(call, i, best, known.data(), valid);
    }
    for (const auto& arg : call.args) call.result.keep(arg->owners);
    set_nulls(call.result, known.data());
    return call.result.finish();
  });
}

// Row by row the argument that is not NULL and greatest (or least).
template <bool greatest>
KernelPtr make_extreme(const Signature& signature) {
  if (KernelPtr kernel =
          with_comparable(*signature.result, []<typename T>() { return make_fixed_extreme<T, greatest>(); }))
    return kernel;
  return custom_kernel([type = signature.result](Call& call) {
    const auto count = call.args.size();
    std::vector<int64_t> rows(static_cast<size_t>(call.rows));
    for (int64_t i = 0; i < call.rows; ++i) {
      size_t best = count;
      for (size_t k = 0; k < count; ++k) {
        if (!call.arg_valid(k, i)) continue;
        if (best == count) {
          best = k;
          continue;
        }
        const int order = compare_values(*call.args[k], i, *call.args[best], i);
        if (greatest ? order > 0 : order < 0) best = k;
      }
      rows[i] = best == count ? -1 : static_cast<int64_t>(best) * call.rows + i;
    }
    const ColumnPtr all = concat(call.memory(), type, call.args);
    return gather(call.memory(), all, rows.data(), call.rows);
  });
}

template <typename T>
KernelPtr make_fixed_nullif() {
  return custom_kernel([](Call& call) -> ColumnPtr {
    if (all_null(*call.args[0]) || all_null(*call.args[1])) return call.args[0];
    T* out = call.result.data<T>();
    std::vector<uint8_t> kept, other;
    write_valid_bytes(*call.args[0], kept);
    write_valid_bytes(*call.args[1], other);
    with_values<T>(call, 0, [&](auto a) {
      with_values<T>(call, 1, [&](auto b) {
        for (int64_t row = 0; row < call.rows; ++row) {
          const bool equal = other[row] & static_cast<uint8_t>(ops::equal<T>(a(row), b(row)));
          out[row] = a(row);
          kept[row] &= static_cast<uint8_t>(!equal);
        }
      });
    });
    call.result.keep(call.args[0]->owners);
    set_nulls(call.result, kept.data());
    return call.result.finish();
  });
}

KernelPtr make_nullif(const Signature& signature) {
  if (KernelPtr kernel = with_comparable(*signature.result, []<typename T>() { return make_fixed_nullif<T>(); }))
    return kernel;
  return custom_kernel([](Call& call) {
    std::vector<int64_t> rows(static_cast<size_t>(call.rows));
    const Column& a = *call.args[0];
    const Column& b = *call.args[1];
    for (int64_t i = 0; i < call.rows; ++i) {
      const bool both = call.arg_valid(0, i) && call.arg_valid(1, i);
      rows[i] = both && compare_values(a, i, b, i) == 0 ? -1 : i;
    }
    return gather(call.memory(), call.args[0], rows.data(), call.rows);
  });
}

}  // namespace

void add_selection(KernelTable& table) {
  table.add("nullif", make_nullif);
  table.add("greatest", make_extreme<true>);
  table.add("least", make_extreme<false>);
}

}  // namespace quern::cpu
