// = <> < <= > >= and IS [NOT] DISTINCT FROM of fixed-width values and strings.
#include <algorithm>

#include "columnar/compare.hpp"
#include "cpu/expression/comparison.hpp"
#include "cpu/expression/loops.hpp"
#include "cpu/expression/mask.hpp"

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

// IS [NOT] DISTINCT FROM: NULLs are equal. `distinct` holds whether the values differ; null rows are decided here.
void settle_nulls(const Call& call, uint8_t* __restrict distinct) {
  if (call.args[0]->null_count == 0 && call.args[1]->null_count == 0) return;
  Mask a, b;
  a.assign_valid(*call.args[0]);
  b.assign_valid(*call.args[1]);
  std::vector<uint8_t> bytes(static_cast<size_t>(2 * call.rows));
  uint8_t* __restrict first = bytes.data();
  uint8_t* __restrict second = bytes.data() + call.rows;
  a.write_bytes(first);
  b.write_bytes(second);
  for (int64_t i = 0; i < call.rows; ++i) distinct[i] = (first[i] & second[i]) ? distinct[i] : first[i] ^ second[i];
}

bool all_null(const Column& column) { return column.null_count == column.length; }

template <bool distinct>
KernelPtr make_distinct(const Signature& signature) {
  const auto turned = [](Call& call) {
    auto* out = call.result.data<uint8_t>();
    for (int64_t i = 0; i < call.rows; ++i) out[i] ^= static_cast<uint8_t>(!distinct);
    return call.result.finish();
  };
  if (KernelPtr kernel = with_comparable(*signature.arguments[0], [&]<typename T>() -> KernelPtr {
        return custom_kernel([turned](Call& call) {
          auto* out = call.result.data<uint8_t>();
          if (all_null(*call.args[0]) || all_null(*call.args[1]))
            std::fill_n(out, call.rows, uint8_t{0});  // there may be no values to look at
          else
            map_binary<uint8_t, T, T>(call,
                                      [](const T& a, const T& b, uint8_t& unequal) { unequal = !ops::equal<T>(a, b); });
          settle_nulls(call, out);
          return turned(call);
        });
      })) {
    return kernel;
  }
  return any_form_kernel([turned](Call& call) {
    auto* out = call.result.data<uint8_t>();
    for (int64_t i = 0; i < call.rows; ++i) out[i] = compare_values(*call.args[0], i, *call.args[1], i) != 0;
    return turned(call);
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
}

}  // namespace quern::cpu
