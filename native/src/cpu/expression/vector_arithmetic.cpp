// list_add, list_sub, list_mul of two vectors, list_scale and list_normalize of one: lists of DOUBLE. NULLs and lengths
// as in vectors.cpp.
#include "cpu/expression/list_groups.hpp"
#include "cpu/expression/loops.hpp"
#include "cpu/expression/vector_operand.hpp"
#include "ops/list_vector.hpp"

namespace quern::cpu {

namespace {

bool is_vector(const DataType& type) { return type.kind == TypeKind::list && is_vector_element(*type.children[0]); }

// Lists of DOUBLE under construction, one after another.
class Vectors {
 public:
  Vectors(Call& call, int64_t elements)
      : call_(call), child_(call.memory(), call.result.type()->children[0], elements), next_(child_.data<double>()) {}

  // Room for the elements of a row; nullptr for a NULL row's.
  double* add(int64_t row, int64_t length) {
    call_.result.data<ListEntry>()[row] = {length > 0 ? used_ : 0, length};
    double* out = next_;
    next_ += length;
    used_ += length;
    return out;
  }
  void add_null(int64_t row) {
    call_.result.data<ListEntry>()[row] = {0, 0};
    call_.result.set_null(row);
  }
  ColumnPtr finish() {
    call_.result.add_child(child_.finish(used_));
    return call_.result.finish();
  }

 private:
  Call& call_;
  ColumnBuilder child_;
  double* next_;
  int64_t used_ = 0;
};

int64_t total_length(const VectorOperand& operand, int64_t rows) {
  int64_t total = 0;
  for (int64_t row = 0; row < rows; ++row) total += operand.valid(row) ? operand.entry(row).length : 0;
  return total;
}

template <typename Combine>
KernelPtr element_wise(const Signature& signature, Combine combine) {
  if (!is_vector(*signature.arguments[0]) || !is_vector(*signature.arguments[1])) return nullptr;
  const bool trying = signature.name.starts_with("try_");
  const std::string name = trying ? signature.name.substr(4) : signature.name;
  return custom_kernel([name, trying, combine, buffer = std::make_shared<std::vector<double>>()](Call& call) {
    const VectorOperand a(call.memory(), call.args[0]), b(call.memory(), call.args[1]);
    Vectors vectors(call, total_length(a, call.rows));
    for (int64_t row = 0; row < call.rows; ++row) {
      if (!a.valid(row) || !b.valid(row) || !same_length(a.entry(row), b.entry(row), name, trying) ||
          a.has_null(a.entry(row)) || b.has_null(b.entry(row))) {
        vectors.add_null(row);
        continue;
      }
      const int64_t length = a.entry(row).length;
      double* out = vectors.add(row, length);
      a.widen(a.entry(row), out);
      const double* other = b.widened(b.entry(row), *buffer);
      for (int64_t i = 0; i < length; ++i) out[i] = combine(out[i], other[i]);
    }
    return vectors.finish();
  });
}

// Of vectors of three elements.
KernelPtr make_cross(const Signature& signature) {
  if (!is_vector(*signature.arguments[0]) || !is_vector(*signature.arguments[1])) return nullptr;
  return custom_kernel([](Call& call) {
    const VectorOperand a(call.memory(), call.args[0]), b(call.memory(), call.args[1]);
    Vectors vectors(call, 3 * call.rows);
    for (int64_t row = 0; row < call.rows; ++row) {
      if (!a.valid(row) || !b.valid(row)) {
        vectors.add_null(row);
        continue;
      }
      for (const auto* operand : {&a, &b}) {
        const int64_t length = operand->entry(row).length;
        if (length != 3)
          throw runtime_error("list_cross_product takes lists of 3 elements, not " + std::to_string(length));
      }
      if (a.has_null(a.entry(row)) || b.has_null(b.entry(row))) {
        vectors.add_null(row);
        continue;
      }
      double x[3], y[3];
      a.widen(a.entry(row), x);
      b.widen(b.entry(row), y);
      double* out = vectors.add(row, 3);
      for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = ops::one_nan(x[j] * y[k] - x[k] * y[j]);
      }
    }
    return vectors.finish();
  });
}

// change(call, row, elements, length) works in place; false = NULL.
template <typename Change>
KernelPtr element_change(const Signature& signature, Change change) {
  if (!is_vector(*signature.arguments[0])) return nullptr;
  return custom_kernel([change](Call& call) {
    const VectorOperand a(call.memory(), call.args[0]);
    Vectors vectors(call, total_length(a, call.rows));
    for (int64_t row = 0; row < call.rows; ++row) {
      if (!a.valid(row) || a.has_null(a.entry(row))) {
        vectors.add_null(row);
        continue;
      }
      const int64_t length = a.entry(row).length;
      double* out = vectors.add(row, length);
      a.widen(a.entry(row), out);
      if (!change(call, row, out, length)) vectors.add_null(row);
    }
    return vectors.finish();
  });
}

KernelPtr make_scale(const Signature& signature) {
  return element_change(signature, [](Call& call, int64_t row, double* out, int64_t length) {
    if (!call.arg_valid(1, row)) return false;
    const double factor = call.values<double>(1)[row * call.step(1)];
    for (int64_t i = 0; i < length; ++i) out[i] *= factor;
    return true;
  });
}

// A zero vector has no direction: NULL. An empty one stays empty.
KernelPtr make_normalize(const Signature& signature) {
  return element_change(signature, [](Call&, int64_t, double* out, int64_t length) {
    double squares = 0;
    vector_kernels().norm[static_cast<int>(VectorElement::real)](out, nullptr, length, &squares);
    const double norm = ops::distance_of(squares);
    for (int64_t i = 0; i < length; ++i) out[i] = ops::one_nan(out[i] / norm);
    return length == 0 || norm != 0;
  });
}

}  // namespace

void add_vector_arithmetic(KernelTable& table) {
  const auto add = [&](const std::string& name, auto combine) {
    const Factory factory = [combine](const Signature& signature) { return element_wise(signature, combine); };
    table.add(name, factory);
    table.add("try_" + name, factory);
  };
  add("list_add", [](double a, double b) { return a + b; });
  add("list_sub", [](double a, double b) { return a - b; });
  add("list_mul", [](double a, double b) { return a * b; });
  table.add("list_cross_product", make_cross);
  table.add("list_scale", make_scale);
  table.add("list_normalize", make_normalize);
}

}  // namespace quern::cpu
