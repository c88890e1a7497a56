#include "columnar/compare.hpp"

#include "common/error.hpp"
#include "ops/compare.hpp"
#include "ops/real.hpp"

namespace quern {

namespace {

// Where a row's value stands: through constant and dictionary forms to a flat column and row.
struct Place {
  const Column* column;
  int64_t row;
  bool valid;
};

Place find(const Column& column, int64_t row) {
  const int64_t at = column.form == Form::constant ? 0 : row;
  const bool valid = column.type->kind != TypeKind::null && column.is_valid(at);
  if (valid && column.form == Form::dictionary) return {column.children[0].get(), column.values<uint32_t>()[at], true};
  // Children of a constant structure have rows of their own.
  return {&column, physical(*column.type) == Physical::structure ? row : at, valid};
}

template <typename T>
int compare_as(const Place& a, const Place& b) {
  return ops::compare<T>(a.column->values<T>()[a.row], b.column->values<T>()[b.row]);
}

int compare_lists(const Place& a, const Place& b) {
  const auto x = a.column->values<ListEntry>()[a.row];
  const auto y = b.column->values<ListEntry>()[b.row];
  for (int64_t i = 0; i < x.length && i < y.length; ++i) {
    const int order = compare_values(*a.column->children[0], x.start + i, *b.column->children[0], y.start + i);
    if (order != 0) return order;
  }
  return ops::compare(x.length, y.length);
}

float half_value(const Place& place) {
  const uint16_t bits = place.column->values<uint16_t>()[place.row];
  return place.column->type->kind == TypeKind::float16 ? ops::half_to_float(bits) : ops::bfloat_to_float(bits);
}

}  // namespace

int compare_values(const Column& a, int64_t row_a, const Column& b, int64_t row_b) {
  const Place x = find(a, row_a);
  const Place y = find(b, row_b);
  if (!x.valid || !y.valid) return static_cast<int>(!x.valid) - static_cast<int>(!y.valid);
  switch (physical(*a.type)) {
    case Physical::none:
      return 0;
    case Physical::boolean:
    case Physical::uint8:
      return compare_as<uint8_t>(x, y);
    case Physical::int8:
      return compare_as<int8_t>(x, y);
    case Physical::int16:
      return compare_as<int16_t>(x, y);
    case Physical::int32:
      return compare_as<int32_t>(x, y);
    case Physical::int64:
      return compare_as<int64_t>(x, y);
    case Physical::uint16:
      return compare_as<uint16_t>(x, y);
    case Physical::uint32:
      return compare_as<uint32_t>(x, y);
    case Physical::uint64:
      return compare_as<uint64_t>(x, y);
    case Physical::half:
      return ops::compare(half_value(x), half_value(y));
    case Physical::float32:
      return compare_as<float>(x, y);
    case Physical::float64:
      return compare_as<double>(x, y);
    case Physical::int128:
      return a.type->kind == TypeKind::uuid ? compare_as<uint128_t>(x, y) : compare_as<int128_t>(x, y);
    case Physical::interval:
      return compare_as<Interval>(x, y);
    case Physical::string:
      return compare_as<StringView>(x, y);
    case Physical::list:
      return compare_lists(x, y);
    case Physical::structure:
      for (size_t i = 0; i < x.column->children.size(); ++i) {
        const int order = compare_values(*x.column->children[i], x.row, *y.column->children[i], y.row);
        if (order != 0) return order;
      }
      return 0;
  }
  throw internal_error("values of an unknown kind cannot be compared");
}

}  // namespace quern
