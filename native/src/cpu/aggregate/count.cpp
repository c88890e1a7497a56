// count(*) and count(x).
#include "cpu/aggregate/families.hpp"
#include "cpu/aggregate/values.hpp"

namespace quern::cpu {

namespace {

class Count final : public AggregateFunction {
 public:
  Count(Memory& memory, bool every_row) : memory_(memory), every_row_(every_row) {}

  int32_t state_bytes() const override { return 8; }
  void init(uint8_t* state) const override { count(state) = 0; }
  void update(const AggregateInput& input) const override {
    const bool all = every_row_ || (input.args[0]->null_count == 0 && input.args[0]->type->kind != TypeKind::null);
    if (input.one_group) {
      count(input.state(0)) += all                                           ? input.rows
                               : input.args[0]->type->kind == TypeKind::null ? 0
                                                                             : input.rows - input.args[0]->null_count;
      return;
    }
    if (all) {
      for (int64_t i = 0; i < input.rows; ++i) ++count(input.groups[i] + input.offset);
    } else {
      each_valid_row(*input.args[0], input.rows, [&](int64_t row) { ++count(input.groups[row] + input.offset); });
    }
  }
  void merge(uint8_t* into, uint8_t* from) const override { count(into) += count(from); }
  ColumnPtr finish(uint8_t* const* states, int64_t rows) const override {
    ColumnBuilder out(memory_, make_type(TypeKind::int64), rows);
    for (int64_t i = 0; i < rows; ++i) out.data<int64_t>()[i] = count(states[i]);
    return out.finish();
  }

 private:
  static int64_t& count(uint8_t* state) { return *reinterpret_cast<int64_t*>(state); }
  Memory& memory_;
  bool every_row_;
};

}  // namespace

AggregatePtr make_count(const AggregateSpec& spec) { return std::make_unique<Count>(spec.memory(), spec.args.empty()); }

}  // namespace quern::cpu
