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

// What a measure sums, and its value from the sums; false = NULL.
struct Measure {
  const VectorSums (*sums)[2];
  bool cosine;
  bool (*finish)(const double* sums, double& out);
};

Measure measure_of(std::string_view name) {
  const VectorKernels& kernels = vector_kernels();
  const auto cosine = [&](auto finish) { return Measure{kernels.cosine, true, finish}; };
  if (name == "list_distance") {
    return {kernels.squares, false, [](const double* sums, double& out) {
              out = ops::distance_of(sums[0]);
              return true;
            }};
  }
  if (name == "list_l1_distance") {
    return {kernels.magnitudes, false, [](const double* sums, double& out) {
              out = ops::one_nan(sums[0]);
              return true;
            }};
  }
  if (name == "list_inner_product") {
    return {kernels.products, false, [](const double* sums, double& out) {
              out = ops::one_nan(sums[0]);
              return true;
            }};
  }
  if (name == "list_negative_inner_product") {
    // 0 − x: never −0
    return {kernels.products, false, [](const double* sums, double& out) {
              out = ops::one_nan(0 - sums[0]);
              return true;
            }};
  }
  if (name == "list_cosine_similarity") {
    return cosine([](const double* sums, double& out) { return ops::cosine_of(sums[0], sums[1], sums[2], out); });
  }
  return cosine([](const double* sums, double& out) {
    const bool known = ops::cosine_of(sums[0], sums[1], sums[2], out);
    out = 1 - out;
    return known;
  });
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

// Sums of one pair of rows. The measures are symmetric to the bit, so that either side may be the first.
class PairSums {
 public:
  explicit PairSums(const Measure& measure) : measure_(measure) {}

  void with_query(const VectorOperand& a, ListEntry entry, const Query& query, double* sums) {
    const void* first = nullptr;
    const int element = first_of(a, entry, first);
    if (measure_.cosine) {
      vector_kernels().score[element](first, query.values.data(), entry.length, sums);
      sums[2] = query.squares;
    } else {
      measure_.sums[element][1](first, query.values.data(), entry.length, sums);
    }
  }

  void operator()(const VectorOperand& a, ListEntry entry_a, const VectorOperand& b, ListEntry entry_b, double* sums) {
    if (a.stored() && a.stored() == b.stored()) {
      measure_.sums[static_cast<int>(*a.stored())][0](a.stored_at(entry_a), b.stored_at(entry_b), entry_a.length, sums);
      return;
    }
    const void* first = nullptr;
    const int element = first_of(a, entry_a, first);
    measure_.sums[element][1](first, b.widened(entry_b, buffer_b_), entry_a.length, sums);
  }

 private:
  int first_of(const VectorOperand& a, ListEntry entry, const void*& first) {
    first = a.stored() ? a.stored_at(entry) : a.widened(entry, buffer_a_);
    return static_cast<int>(a.stored().value_or(VectorElement::real));
  }
  Measure measure_;
  std::vector<double> buffer_a_, buffer_b_;
};

struct PairState {
  Query query;
  PairSums sums;
};

KernelPtr make_pair(const Signature& signature) {
  for (const auto& type : signature.arguments) {
    if (type->kind != TypeKind::list || !is_vector_element(*type->children[0])) return nullptr;
  }
  const std::string name(measure_name(signature.name));
  const bool trying = signature.name != name;
  const Measure measure = measure_of(name);
  auto state = std::make_shared<PairState>(PairState{{}, PairSums(measure)});
  return custom_kernel([name, trying, measure, state](Call& call) {
    VectorOperand a(call.memory(), call.args[0]), b(call.memory(), call.args[1]);
    if (a.constant()) std::swap(a, b);
    const bool one_query = b.constant() && b.valid(0) && !b.has_null(b.entry(0));
    if (one_query) state->query.set(b);
    auto* out = call.result.data<double>();
    for (int64_t row = 0; row < call.rows; ++row) {
      out[row] = 0;
      double sums[3];
      bool known = a.valid(row) && b.valid(row);
      if (known) {
        const ListEntry entry_a = a.entry(row), entry_b = b.entry(row);
        known = (call.constant(0) ? same_length(entry_b, entry_a, name, trying)
                                  : same_length(entry_a, entry_b, name, trying)) &&
                !a.has_null(entry_a) && (one_query || !b.has_null(entry_b));
        if (known) {
          if (one_query)
            state->sums.with_query(a, entry_a, state->query, sums);
          else
            state->sums(a, entry_a, b, entry_b, sums);
          known = measure.finish(sums, out[row]);
        }
      }
      if (!known) call.result.set_null(row);
    }
    return call.result.finish();
  });
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
