#include "cpu/aggregate/kept_value.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "columnar/compare.hpp"
#include "columnar/dispatch.hpp"
#include "cpu/aggregate/values.hpp"
#include "ops/compare.hpp"
#include "ops/real.hpp"

namespace quern::cpu {

namespace {

// The bytes of a value that is not null.
const uint8_t* bytes_of(const Column& column, int64_t row, int32_t width) {
  const Column* values = &column;
  int64_t at = column.form == Form::constant ? 0 : row;
  if (column.form == Form::dictionary) {
    at = column.values<uint32_t>()[row];
    values = column.children[0].get();
  }
  return values->values<uint8_t>() + at * width;
}

template <typename T>
T read(const void* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

template <typename T>
int compare_bytes_as(const void* a, const void* b) {
  return ops::compare<T>(read<T>(a), read<T>(b));
}

template <float (*to_float)(uint16_t)>
int compare_halves(const void* a, const void* b) {
  return ops::compare(to_float(read<uint16_t>(a)), to_float(read<uint16_t>(b)));
}
float of_half(uint16_t bits) { return ops::half_to_float(bits); }
float of_bfloat(uint16_t bits) { return ops::bfloat_to_float(bits); }

ColumnPtr& nested(KeptValue& kept) { return *std::launder(reinterpret_cast<ColumnPtr*>(kept.value)); }
const ColumnPtr& nested(const KeptValue& kept) { return *std::launder(reinterpret_cast<const ColumnPtr*>(kept.value)); }
static_assert(sizeof(ColumnPtr) <= sizeof(KeptValue::value) && alignof(ColumnPtr) <= 8);

}  // namespace

ValueKeeper::ValueKeeper(Memory& memory, TypePtr type)
    : memory_(memory), type_(std::move(type)), text_(physical(*type_) == Physical::string) {
  const Physical kind = physical(*type_);
  nested_ = kind == Physical::list || kind == Physical::structure;
  width_ = nested_ || kind == Physical::none ? 0 : width(kind);
  compare_ = compare_of(*type_);
}

ValueKeeper::Compare ValueKeeper::compare_of(const DataType& type) {
  switch (physical(type)) {
    case Physical::none:
    case Physical::list:
    case Physical::structure:
      return nullptr;
    case Physical::string:
      return compare_bytes_as<StringView>;
    case Physical::interval:
      return compare_bytes_as<Interval>;
    case Physical::half:
      return type.kind == TypeKind::float16 ? compare_halves<of_half> : compare_halves<of_bfloat>;
    case Physical::int128:
      if (type.kind == TypeKind::uuid) return compare_bytes_as<uint128_t>;
      break;
    default:
      break;
  }
  return with_number(physical(type), []<typename T>() -> Compare { return compare_bytes_as<T>; });
}

void ValueKeeper::put(KeptValue& kept, const ColumnPtr& column, int64_t row, StringHeap& heap) const {
  destroy(kept);
  kept.is_set = true;
  kept.is_null = !is_valid_row(*column, row);
  if (kept.is_null) return;
  if (nested_) {
    new (kept.value) ColumnPtr(compact(memory_, slice(memory_, column, row, 1)));
    return;
  }
  const uint8_t* bytes = bytes_of(*column, row, width_);
  std::memcpy(kept.value, bytes, static_cast<size_t>(width_));
  if (!text_) return;
  const auto view = read<StringView>(bytes);
  if (view.is_inline()) return;
  if (view.length > kept.room) {
    // What was there is lost: so doubling bounds it.
    const size_t room = std::max<size_t>(view.length, std::min<size_t>(2 * size_t{kept.room}, UINT32_MAX));
    kept.buffer = heap.reserve(room);
    kept.room = static_cast<uint32_t>(room);
  }
  std::memcpy(kept.buffer, view.pointer, view.length);
  const StringView own = make_string_view(kept.buffer, view.length);
  std::memcpy(kept.value, &own, sizeof own);
}

int ValueKeeper::compare(const Column& column, int64_t row, const KeptValue& kept) const {
  const bool null = !is_valid_row(column, row);
  if (null || kept.is_null) return static_cast<int>(null) - static_cast<int>(kept.is_null);
  if (nested_) return compare_values(column, row, *nested(kept), 0);
  return compare_(bytes_of(column, row, width_), kept.value);
}

int ValueKeeper::compare(const KeptValue& a, const KeptValue& b) const {
  if (a.is_null || b.is_null) return static_cast<int>(a.is_null) - static_cast<int>(b.is_null);
  if (nested_) return compare_values(*nested(a), 0, *nested(b), 0);
  return compare_(a.value, b.value);
}

void ValueKeeper::move(KeptValue& into, KeptValue& from) const {
  destroy(into);
  into = from;
  from = {};
}

void ValueKeeper::destroy(KeptValue& kept) const {
  if (nested_ && kept.is_set && !kept.is_null) nested(kept).~ColumnPtr();
  kept.is_set = false;
}

ColumnPtr ValueKeeper::column(const std::vector<const KeptValue*>& values) const {
  const auto rows = static_cast<int64_t>(values.size());
  const auto is_absent = [](const KeptValue& kept) { return !kept.is_set || kept.is_null; };
  if (type_->kind == TypeKind::null) return make_null_column(type_, rows);
  if (nested_) {
    std::vector<ColumnPtr> parts;
    const ColumnPtr absent = make_null_column(type_, 1);
    for (const KeptValue* kept : values) parts.push_back(is_absent(*kept) ? absent : nested(*kept));
    return concat(memory_, type_, parts);
  }
  ColumnBuilder out(memory_, type_, rows, true);
  StringHeap heap(memory_);
  auto* data = out.data<uint8_t>();
  for (int64_t i = 0; i < rows; ++i) {
    const KeptValue& kept = *values[static_cast<size_t>(i)];
    if (is_absent(kept)) {
      out.set_null(i);
    } else if (text_) {
      const auto view = read<StringView>(kept.value);
      out.data<StringView>()[i] = heap.append(view.data(), view.length);
    } else {
      std::memcpy(data + i * width_, kept.value, static_cast<size_t>(width_));
    }
  }
  out.keep(heap.owners());
  return out.finish();
}

ColumnPtr ValueKeeper::column(uint8_t* const* states, int64_t rows, int64_t offset) const {
  std::vector<const KeptValue*> values;
  for (int64_t i = 0; i < rows; ++i) values.push_back(&KeptValue::at(states[i] + offset));
  return column(values);
}

}  // namespace quern::cpu
