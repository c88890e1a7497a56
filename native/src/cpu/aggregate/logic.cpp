// bool_and, bool_or, bit_and, bit_or, bit_xor.
#include "cpu/aggregate/families.hpp"
#include "cpu/aggregate/values.hpp"

namespace quern::cpu {

namespace {

enum class Combine { conjunction, disjunction, exclusive };

template <typename T, Combine combine>
struct Bits {
  struct State {
    uint64_t bits;
    int64_t count;
  };
  State start() const { return {combine == Combine::conjunction ? ~0ULL : 0, 0}; }
  void add(State& state, T value) const { merge(state, {static_cast<uint64_t>(value), 1}); }
  void merge(State& into, const State& from) const {
    if (from.count == 0) return;
    into.count += from.count;
    if constexpr (combine == Combine::conjunction) into.bits &= from.bits;
    if constexpr (combine == Combine::disjunction) into.bits |= from.bits;
    if constexpr (combine == Combine::exclusive) into.bits ^= from.bits;
  }
  bool finish(const State& state, T& out) const {
    out = static_cast<T>(state.bits);
    return state.count > 0;
  }
};

template <Combine combine>
AggregatePtr make_bits_of(const AggregateSpec& spec) {
  return with_number(physical(*spec.args[0]), [&]<typename T>() -> AggregatePtr {
    if constexpr (std::is_integral_v<T> && sizeof(T) <= 8) {
      return std::make_unique<Fold<Bits<T, combine>, T, T>>(spec.memory(), spec.result());
    } else {
      throw internal_error("bit aggregate over a type without bits: " + type_name(*spec.args[0]));
    }
  });
}

}  // namespace

AggregatePtr make_bits(const AggregateSpec& spec) {
  const auto& name = spec.aggregate.fn;
  if (name == "bool_and" || name == "bit_and") return make_bits_of<Combine::conjunction>(spec);
  if (name == "bool_or" || name == "bit_or") return make_bits_of<Combine::disjunction>(spec);
  return make_bits_of<Combine::exclusive>(spec);
}

}  // namespace quern::cpu
