// list_distance and its kin: one DOUBLE of two vectors, or of one. A NULL list or element gives NULL; lengths must
// agree.
#include "cpu/expression/list_groups.hpp"
#include "cpu/expression/loops.hpp"
#include "cpu/expression/vector_operand.hpp"
#include "ops/list_vector.hpp"

namespace quern::cpu {

namespace {

// The name without `try_`.
std::string_view measure_name(std::string_view function) {
  return function.starts_with("try_") ? function.substr(4) : function;
}

// Sums of one row; which of them there are is up to the measure.
struct Sums {
  double at[3];
};

// Values of all rows from their sums; `known` says which rows have any, and loses those that give NULL.
using Finish = void (*)(const Sums* sums, int64_t rows, double* out, uint8_t* known);

template <typename Value>
void finish_rows(const Sums* sums, int64_t rows, double* out, uint8_t* known) {
  for (int64_t row = 0; row < rows; ++row) {
    out[row] = 0;
    if (known[row] != 0) known[row] = Value::of(sums[row].at, out[row]);
  }
}

struct Distance {
  static bool of(const double* sums, double& out) { return out = ops::distance_of(sums[0]), true; }
};
struct Total {
  static bool of(const double* sums, double& out) { return out = ops::one_nan(sums[0]), true; }
};
struct NegativeTotal {
  // 0 − x: never −0
  static bool of(const double* sums, double& out) { return out = ops::one_nan(0 - sums[0]), true; }
};
struct Similarity {
  static bool of(const double* sums, double& out) { return ops::cosine_of(sums[0], sums[1], sums[2], out); }
};
struct CosineDistance {
  static bool of(const double* sums, double& out) {
    const bool known = ops::cosine_of(sums[0], sums[1], sums[2], out);
    out = 1 - out;
    return known;
  }
};

struct Measure {
  const VectorSums (*sums)[2];
  Finish finish;
};

Measure measure_of(std::string_view name) {
  const VectorKernels& kernels = vector_kernels();
  if (name == "list_distance") return {kernels.squares, finish_rows<Distance>};
  if (name == "list_l1_distance") return {kernels.magnitudes, finish_rows<Total>};
  if (name == "list_inner_product") return {kernels.products, finish_rows<Total>};
  if (name == "list_negative_inner_product") return {kernels.products, finish_rows<NegativeTotal>};
  if (name == "list_cosine_similarity") return {kernels.cosine, finish_rows<Similarity>};
  return {kernels.cosine, finish_rows<CosineDistance>};
}

// A constant vector, widened once and its squares summed once for all batches.
struct Query {
  ColumnPtr elements;  // kept, so that the address stays theirs
  ListEntry entry{-1, -1};
  std::vector<double> values;
  double squares = 0;

  void set(const VectorOperand& operand) {
    const ListEntry now = operand.entry(0);
    if (elements == operand.elements() && now.start == entry.start && now.length == entry.length) return;
    elements = operand.elements();
    entry = now;
    values.resize(static_cast<size_t>(now.length));
    operand.widen(now, values.data());
    vector_kernels().norm[static_cast<int>(VectorElement::real)](values.data(), nullptr, now.length, &squares);
  }
};

class PairKernel final : public Kernel {
 public:
  explicit PairKernel(const Signature& signature)
      : Kernel(false),
        name_(measure_name(signature.name)),
        trying_(signature.name != name_),
        measure_(measure_of(name_)) {}

  ColumnPtr call(Call& call) override {
    VectorOperand a(call.memory(), call.args[0]), b(call.memory(), call.args[1]);
    // The measures are symmetric to the bit, so that the constant may always be the second.
    const bool swapped = a.constant();
    if (swapped) std::swap(a, b);
    sums_.resize(static_cast<size_t>(call.rows));
    known_.assign(static_cast<size_t>(call.rows), 1);
    const bool no_nulls = a.no_nulls() && b.no_nulls();
    const bool alike = no_nulls && a.stride() != unknown_stride && a.stride() == b.stride();
    for (int64_t row = 0; row < call.rows && !alike; ++row) {
      known_[static_cast<size_t>(row)] = (no_nulls || (a.valid(row) && b.valid(row))) &&
                                         (swapped ? same_length(b.entry(row), a.entry(row), name_, trying_)
                                                  : same_length(a.entry(row), b.entry(row), name_, trying_)) &&
                                         (no_nulls || (!a.has_null(a.entry(row)) && !b.has_null(b.entry(row))));
    }
    if (!b.constant()) {
      sum_pairs(a, b, call.rows);
    } else if (b.valid(0) && !b.has_null(b.entry(0))) {
      sum_with_query(a, b, call.rows);
    }
    auto* out = call.result.data<double>();
    measure_.finish(sums_.data(), call.rows, out, known_.data());
    for (int64_t row = 0; row < call.rows; ++row) {
      if (!known(row)) call.result.set_null(row);
    }
    return call.result.finish();
  }

 private:
  static int element(const VectorOperand& operand) {
    return static_cast<int>(operand.stored().value_or(VectorElement::real));
  }
  static const void* values(const VectorOperand& operand, ListEntry entry, std::vector<double>& buffer) {
    return operand.stored() ? operand.stored_at(entry) : operand.widened(entry, buffer);
  }
  bool known(int64_t row) const { return known_[static_cast<size_t>(row)] != 0; }

  void sum_with_query(const VectorOperand& a, const VectorOperand& b, int64_t rows) {
    query_.set(b);
    const bool cosine = measure_.sums == vector_kernels().cosine;
    const VectorSums sum = cosine ? vector_kernels().score[element(a)] : measure_.sums[element(a)][1];
    for (int64_t row = 0; row < rows; ++row) {
      if (!known(row)) continue;
      const ListEntry entry = a.entry(row);
      double* sums = sums_[static_cast<size_t>(row)].at;
      sum(values(a, entry, buffer_a_), query_.values.data(), entry.length, sums);
      if (cosine) sums[2] = query_.squares;
    }
  }

  void sum_pairs(const VectorOperand& a, const VectorOperand& b, int64_t rows) {
    const bool alike = a.stored() && a.stored() == b.stored();
    const VectorSums sum = measure_.sums[element(a)][alike ? 0 : 1];
    for (int64_t row = 0; row < rows; ++row) {
      if (!known(row)) continue;
      const ListEntry first = a.entry(row), second = b.entry(row);
      const void* other = alike ? b.stored_at(second) : b.widened(second, buffer_b_);
      sum(values(a, first, buffer_a_), other, first.length, sums_[static_cast<size_t>(row)].at);
    }
  }

  std::string name_;
  bool trying_;
  Measure measure_;
  Query query_;
  std::vector<Sums> sums_;
  std::vector<uint8_t> known_;
  std::vector<double> buffer_a_, buffer_b_;
};

KernelPtr make_pair(const Signature& signature) {
  for (const auto& type : signature.arguments) {
    if (type->kind != TypeKind::list || !is_vector_element(*type->children[0])) return nullptr;
  }
  return std::make_unique<PairKernel>(signature);
}

KernelPtr make_norm(const Signature& signature) {
  if (!is_vector_element(*signature.arguments[0]->children[0])) return nullptr;
  auto buffer = std::make_shared<std::vector<double>>();
  return custom_kernel([buffer](Call& call) {
    const VectorOperand a(call.memory(), call.args[0]);
    const VectorSums sums = vector_kernels().norm[static_cast<int>(a.stored().value_or(VectorElement::real))];
    auto* out = call.result.data<double>();
    for (int64_t row = 0; row < call.rows; ++row) {
      out[row] = 0;
      if (!a.valid(row) || a.has_null(a.entry(row))) {
        call.result.set_null(row);
        continue;
      }
      const ListEntry entry = a.entry(row);
      sums(a.stored() ? a.stored_at(entry) : a.widened(entry, *buffer), nullptr, entry.length, &out[row]);
      out[row] = ops::distance_of(out[row]);
    }
    return call.result.finish();
  });
}

KernelPtr make_has_null(const Signature&) {
  return strict_kernel([](Call& call) {
    const Column& elements = *flatten(call.memory(), call.args[0]->children[0]);
    auto* out = call.result.data<uint8_t>();
    for_valid(call.valid, call.rows,
              [&](int64_t row) { out[row] = any_null(elements, call.values<ListEntry>(0)[row * call.step(0)]); });
  });
}

}  // namespace

void add_vectors(KernelTable& table) {
  for (const char* name : {"list_distance", "list_l1_distance", "list_inner_product", "list_negative_inner_product",
                           "list_cosine_similarity", "list_cosine_distance"}) {
    table.add(name, make_pair);
    table.add(std::string("try_") + name, make_pair);
  }
  table.add("list_norm", make_norm);
  table.add("list_has_null", make_has_null);
}

}  // namespace quern::cpu
