// IS [NOT] NULL and NOT.
#include "cpu/expression/loops.hpp"
#include "cpu/expression/mask.hpp"

namespace quern::cpu {

namespace {

template <bool when_null>
KernelPtr make_null_test(const Signature&) {
  return any_form_kernel([](Call& call) {
    Mask mask;
    mask.assign_valid(*call.args[0]);
    if (when_null) mask.invert();
    mask.write_bytes(call.result.data<uint8_t>());
    return call.result.finish();
  });
}

KernelPtr make_not(const Signature&) {
  return strict_kernel(
      [](Call& call) { map_unary<uint8_t, uint8_t>(call, [](uint8_t a, uint8_t& out) { out = a ^ 1; }); });
}

}  // namespace

void add_nulls(KernelTable& table) {
  table.add("is_null", make_null_test<true>);
  table.add("is_not_null", make_null_test<false>);
  table.add("not", make_not);
}

}  // namespace quern::cpu
