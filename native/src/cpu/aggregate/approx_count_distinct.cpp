// approx_count_distinct: HyperLogLog with 4,096 registers, standard error 1.6 %.
#include "columnar/dispatch.hpp"
#include "context/counted_allocator.hpp"
#include "cpu/aggregate/families.hpp"
#include "cpu/aggregate/values.hpp"
#include "cpu/hyper_log_log.hpp"
#include "cpu/serialize.hpp"
#include "ops/hash.hpp"

namespace quern::cpu {

namespace {

using Sketch = HyperLogLog<12>;
using Registers = std::vector<uint8_t, CountedAllocator<uint8_t>>;

class ApproxCountDistinct final : public AggregateFunction {
 public:
  explicit ApproxCountDistinct(Memory& memory) : memory_(memory) {}

  int32_t state_bytes() const override { return sizeof(Registers); }
  void init(uint8_t* state) const override { new (state) Registers(CountedAllocator<uint8_t>(memory_)); }
  void update(const AggregateInput& input) const override {
    std::string bytes;
    const auto& column = input.args[0];
    each_valid_row(*column, input.rows, [&](int64_t row) {
      bytes.clear();
      serialize(*column, row, bytes);
      auto& state = at(input.state(row));
      if (state.empty()) state.assign(Sketch::registers, 0);
      Sketch::add(state.data(), hash_bytes(bytes.data(), static_cast<uint32_t>(bytes.size())));
    });
  }
  void merge(uint8_t* into_bytes, uint8_t* from_bytes) const override {
    auto& into = at(into_bytes);
    auto& from = at(from_bytes);
    if (into.empty()) {
      into.swap(from);
    } else {
      for (size_t i = 0; i < from.size(); ++i) into[i] = std::max(into[i], from[i]);
    }
    destroy(from_bytes);
  }
  ColumnPtr finish(uint8_t* const* states, int64_t rows) const override {
    ColumnBuilder out(memory_, make_type(TypeKind::int64), rows);
    for (int64_t i = 0; i < rows; ++i) out.data<int64_t>()[i] = estimate(at(states[i]));
    return out.finish();
  }
  bool owns_memory() const override { return true; }
  void destroy(uint8_t* state) const override { at(state).~Registers(); }

 private:
  static Registers& at(uint8_t* state) { return *std::launder(reinterpret_cast<Registers*>(state)); }

  static int64_t estimate(const Registers& state) { return state.empty() ? 0 : Sketch::estimate(state.data()); }
  Memory& memory_;
};

}  // namespace

AggregatePtr make_approx_count_distinct(const AggregateSpec& spec) {
  return std::make_unique<ApproxCountDistinct>(spec.memory());
}

}  // namespace quern::cpu
