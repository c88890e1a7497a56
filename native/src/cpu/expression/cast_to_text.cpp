// Casts to text.
#include "columnar/value_text.hpp"
#include "cpu/expression/cast.hpp"

namespace quern::cpu {

namespace {

// JSON is held as its text.
KernelPtr relabelled() {
  return any_form_kernel([](Call& call) { return with_type(call.args[0], call.result.type()); });
}

// Bytes are escaped; nested values and variants are written out.
KernelPtr written(const CastTypes&) {
  return strict_kernel([](Call& call) {
    StringHeap heap(call.memory());
    std::string text;
    auto* out = call.result.data<StringView>();
    for_valid(call.valid, call.rows, [&](int64_t i) {
      text.clear();
      append_text(*call.args[0], i, false, text);
      out[i] = heap.append(text.data(), text.size());
    });
    call.result.keep(heap.owners());
  });
}

}  // namespace

KernelPtr cast_to_text(const CastTypes& types) {
  if (types.from->kind == TypeKind::string && types.from->tag != TypeTag::variant) return relabelled();
  const Physical kind = physical(*types.from);
  if (kind == Physical::string || kind == Physical::list || kind == Physical::structure) return written(types);
  return strict_kernel([type = types.from, bytes = width(*types.from)](Call& call) {
    StringHeap heap(call.memory());
    const auto* values = call.values<uint8_t>(0);
    auto* out = call.result.data<StringView>();
    char text[128];
    for_valid(call.valid, call.rows, [&](int64_t i) {
      const int32_t length = write_value(*type, values + i * bytes, text);
      out[i] = heap.append(text, static_cast<size_t>(length));
    });
    call.result.keep(heap.owners());
  });
}

}  // namespace quern::cpu
