// error(message): raises for every row that reaches it.
#include "cpu/expression/text.hpp"

namespace quern::cpu {

namespace {

KernelPtr make_error(const Signature&) {
  return custom_kernel([](Call& call) {
    for (int64_t row = 0; row < call.rows; ++row) {
      if (call.arg_valid(0, row)) throw runtime_error(std::string(string_of(Texts(call, 0)[row])));
    }
    return make_null_column(call.result.type(), call.rows);
  });
}

}  // namespace

void add_raise(KernelTable& table) { table.add("error", make_error); }

}  // namespace quern::cpu
