// vector_sum, vector_avg: element by element over the vectors of a group, in DOUBLE. A vector with a NULL element
// counts as NULL and is skipped; vectors of different length raise.
#include <new>

#include "context/counted_allocator.hpp"
#include "cpu/aggregate/families.hpp"
#include "cpu/expression/vector_operand.hpp"

namespace quern::cpu {

namespace {

struct VectorState {
  std::vector<double, CountedAllocator<double>> sums;
  int64_t count = 0;
};
static_assert(sizeof(VectorState) % 8 == 0);

class VectorFold final : public AggregateFunction {
 public:
  explicit VectorFold(const AggregateSpec& spec)
      : memory_(spec.memory()),
        type_(spec.result()),
        name_(spec.aggregate.fn),
        average_(spec.aggregate.fn == "vector_avg") {}

  int32_t state_bytes() const override { return sizeof(VectorState); }
  void init(uint8_t* state) const override {
    new (state) VectorState{std::vector<double, CountedAllocator<double>>(CountedAllocator<double>(memory_))};
  }

  void update(const AggregateInput& input) const override {
    const ColumnPtr column = flatten(memory_, input.args[0]);
    const VectorOperand vectors(memory_, column);
    std::vector<double> buffer;
    for (int64_t row = 0; row < input.rows; ++row) {
      if (!vectors.valid(row)) continue;
      const ListEntry entry = vectors.entry(row);
      if (vectors.has_null(entry)) continue;
      add(at(input.state(row)), vectors.widened(entry, buffer), static_cast<size_t>(entry.length), 1);
    }
  }
  void merge(uint8_t* into, uint8_t* from) const override {
    VectorState& other = at(from);
    if (other.count > 0) add(at(into), other.sums.data(), other.sums.size(), other.count);
    destroy(from);
  }
  ColumnPtr finish(uint8_t* const* states, int64_t rows) const override {
    int64_t total = 0;
    for (int64_t i = 0; i < rows; ++i) total += static_cast<int64_t>(at(states[i]).sums.size());
    ColumnBuilder elements(memory_, type_->children[0], total);
    ColumnBuilder out(memory_, type_, rows, true);
    int64_t next = 0;
    for (int64_t i = 0; i < rows; ++i) {
      const VectorState& state = at(states[i]);
      if (state.count == 0) {
        out.set_null(i);
        continue;
      }
      const auto length = static_cast<int64_t>(state.sums.size());
      out.data<ListEntry>()[i] = {length > 0 ? next : 0, length};
      const double divisor = average_ ? static_cast<double>(state.count) : 1;
      for (const double sum : state.sums) elements.data<double>()[next++] = sum / divisor;
    }
    out.add_child(elements.finish());
    return out.finish();
  }
  bool owns_memory() const override { return true; }
  void destroy(uint8_t* state) const override { at(state).~VectorState(); }

 private:
  static VectorState& at(uint8_t* state) { return *std::launder(reinterpret_cast<VectorState*>(state)); }

  void add(VectorState& state, const double* values, size_t length, int64_t count) const {
    if (state.count == 0) {
      state.sums.assign(values, values + length);
    } else {
      if (state.sums.size() != length) {
        throw runtime_error("lists of different length in " + name_ + ": " + std::to_string(state.sums.size()) +
                            " and " + std::to_string(length));
      }
      for (size_t i = 0; i < length; ++i) state.sums[i] += values[i];
    }
    state.count += count;
  }

  Memory& memory_;
  TypePtr type_;
  std::string name_;
  bool average_;
};

}  // namespace

AggregatePtr make_vector_fold(const AggregateSpec& spec) {
  const auto& element = *spec.args[0]->children[0];
  if (!is_vector_element(element)) throw unsupported(spec.aggregate.fn + " of " + type_name(*spec.args[0]));
  return std::make_unique<VectorFold>(spec);
}

}  // namespace quern::cpu
