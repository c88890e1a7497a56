// = <> < <= > >= of fixed-width values and strings, and greatest and least.
#include "columnar/compare.hpp"
#include "cpu/expression/comparison.hpp"
#include "cpu/expression/loops.hpp"

namespace quern::cpu {

namespace {

// The four loops that the six comparisons come down to; `a > b` is `b < a`.
struct Equal {
  template <typename T>
  static bool test(const T& a, const T& b) {
    return ops::equal<T>(a, b);
  }
};
struct Unequal {
  template <typename T>
  static bool test(const T& a, const T& b) {
    return !ops::equal<T>(a, b);
  }
};
struct Less {
  template <typename T>
  static bool test(const T& a, const T& b) {
    return ops::less<T>(a, b);
  }
};
struct LessOrEqual {
  template <typename T>
  static bool test(const T& a, const T& b) {
    return !ops::less<T>(b, a);
  }
};
struct Greater {
  template <typename T>
  static bool test(const T& a, const T& b) {
    return ops::less<T>(b, a);
  }
};
struct GreaterOrEqual {
  template <typename T>
  static bool test(const T& a, const T& b) {
    return !ops::less<T>(a, b);
  }
};

template <typename Test, bool on_less, bool on_equal, bool on_greater>
KernelPtr make_comparison(const Signature& signature) {
  const auto& type = *signature.arguments[0];
  if (KernelPtr kernel = with_comparable(type, []<typename T>() -> KernelPtr {
        return strict_kernel([](Call& call) {
          map_binary<uint8_t, T, T>(call,
                                    [](const T& a, const T& b, uint8_t& out) { out = Test::template test<T>(a, b); });
        });
      })) {
    return kernel;
  }
  return strict_kernel([](Call& call) {
    auto* out = call.result.data<uint8_t>();
    for_valid(call.valid, call.rows, [&](int64_t i) {
      const int order = compare_values(*call.args[0], i, *call.args[1], i);
      out[i] = order < 0 ? on_less : order == 0 ? on_equal : on_greater;
    });
  });
}

// IS [NOT] DISTINCT FROM: NULLs are equal.
template <bool distinct>
KernelPtr make_distinct(const Signature&) {
  return any_form_kernel([](Call& call) {
    auto* out = call.result.data<uint8_t>();
    for (int64_t i = 0; i < call.rows; ++i) {
      out[i] = (compare_values(*call.args[0], i, *call.args[1], i) != 0) == distinct;
    }
    return call.result.finish();
  });
}

KernelPtr make_nullif(const Signature&) {
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

// Row by row the argument that is not NULL and greatest (or least).
template <bool greatest>
KernelPtr make_extreme(const Signature& signature) {
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

}  // namespace

void add_comparison(KernelTable& table) {
  table.add("eq", make_comparison<Equal, false, true, false>);
  table.add("ne", make_comparison<Unequal, true, false, true>);
  table.add("lt", make_comparison<Less, true, false, false>);
  table.add("le", make_comparison<LessOrEqual, true, true, false>);
  table.add("gt", make_comparison<Greater, false, false, true>);
  table.add("ge", make_comparison<GreaterOrEqual, false, true, true>);
  table.add("is_distinct_from", make_distinct<true>);
  table.add("is_not_distinct_from", make_distinct<false>);
  table.add("nullif", make_nullif);
  table.add("greatest", make_extreme<true>);
  table.add("least", make_extreme<false>);
}

}  // namespace quern::cpu
