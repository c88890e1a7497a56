// A generated table: a function from row number to a plain row, and columns that pick from it.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cpu/generate.hpp"

namespace quern::cpu::tpcds {

template <typename Row>
struct RowColumn {
  std::string name;
  TypePtr type;
  std::function<ColumnPtr(Memory&, const std::vector<Row>&)> make;
};

template <typename T>
std::optional<T> as_optional(const T& value) {
  return value;
}
template <typename T>
std::optional<T> as_optional(const std::optional<T>& value) {
  return value;
}

// A column of fixed width: `pick(row)` gives a T or an optional of T.
template <typename T, typename Row, typename Pick>
RowColumn<Row> number(std::string name, TypePtr type, Pick pick) {
  return {std::move(name), type, [type, pick](Memory& memory, const std::vector<Row>& rows) {
            ColumnBuilder out(memory, type, static_cast<int64_t>(rows.size()), true);
            T* data = out.data<T>();
            for (size_t i = 0; i < rows.size(); ++i) {
              const auto value = as_optional(pick(rows[i]));
              if (value) {
                data[i] = static_cast<T>(*value);
              } else {
                out.set_null(static_cast<int64_t>(i));
              }
            }
            return out.finish();
          }};
}

template <typename Row, typename Pick>
RowColumn<Row> int32_column(std::string name, Pick pick) {
  return number<int32_t, Row>(std::move(name), make_type(TypeKind::int32), pick);
}
template <typename Row, typename Pick>
RowColumn<Row> int64_column(std::string name, Pick pick) {
  return number<int64_t, Row>(std::move(name), make_type(TypeKind::int64), pick);
}
template <typename Row, typename Pick>
RowColumn<Row> date_column(std::string name, Pick pick) {
  return number<int32_t, Row>(std::move(name), make_type(TypeKind::date), pick);
}
// DECIMAL(precision, 2) from cents.
template <typename Row, typename Pick>
RowColumn<Row> money_column(std::string name, int precision, Pick pick) {
  return number<int64_t, Row>(std::move(name), make_decimal(precision, 2), pick);
}
// `pick(row)` gives a std::string or an optional of one.
template <typename Row, typename Pick>
RowColumn<Row> text_column(std::string name, Pick pick) {
  const TypePtr type = make_type(TypeKind::string);
  return {std::move(name), type, [type, pick](Memory& memory, const std::vector<Row>& rows) {
            ColumnBuilder out(memory, type, static_cast<int64_t>(rows.size()), true);
            StringHeap heap(memory);
            for (size_t i = 0; i < rows.size(); ++i) {
              const std::optional<std::string> value = pick(rows[i]);
              if (value) {
                out.data<StringView>()[i] = heap.append(value->data(), value->size());
              } else {
                out.set_null(static_cast<int64_t>(i));
              }
            }
            out.keep(heap.owners());
            return out.finish();
          }};
}

template <typename Row>
class RowTable : public Generator {
 public:
  // `fill` makes the rows [start, start + rows.size()).
  RowTable(int64_t rows, std::function<void(int64_t start, std::vector<Row>& rows)> fill,
           std::vector<RowColumn<Row>> columns)
      : rows_(rows), fill_(std::move(fill)), columns_(std::move(columns)) {}

  int64_t row_count() const override { return rows_; }
  std::vector<plan::Field> fields() const override {
    std::vector<plan::Field> out;
    for (const auto& column : columns_) out.push_back({column.name, column.type});
    return out;
  }
  Batch rows(Context& context, int64_t start, int64_t count, const std::vector<int32_t>& wanted) const override {
    std::vector<Row> made(static_cast<size_t>(count));
    if (!wanted.empty()) fill_(start, made);
    Batch batch;
    batch.rows = count;
    for (const int32_t index : wanted)
      batch.columns.push_back(columns_[static_cast<size_t>(index)].make(context.memory(), made));
    return batch;
  }

 private:
  int64_t rows_;
  std::function<void(int64_t, std::vector<Row>&)> fill_;
  std::vector<RowColumn<Row>> columns_;
};

// 16 letters A to P, the number's hexadecimal digits from the right: the business keys of all tables.
inline std::string business_key(int64_t number) {
  std::string key(16, 'A');
  auto left = static_cast<uint64_t>(number);
  for (size_t i = 8; i < 16 && left != 0; ++i, left /= 16) key[i] = static_cast<char>('A' + left % 16);
  return key;
}

}  // namespace quern::cpu::tpcds
