// time_dim: one row a second of the day; the same at any scale.
#include "cpu/tpcds/row_table.hpp"
#include "cpu/tpcds/scale.hpp"
#include "cpu/tpcds/tables.hpp"

namespace quern::cpu::tpcds {

namespace {

struct TimeRow {
  int64_t second_of_day;
  int32_t hour, minute, second;
};

TimeRow make_row(int64_t index) {
  return {index, static_cast<int32_t>(index / 3600), static_cast<int32_t>(index / 60 % 60),
          static_cast<int32_t>(index % 60)};
}

// Three shifts of eight hours.
std::string shift(int32_t hour) { return hour < 8 ? "third" : hour < 16 ? "first" : "second"; }

std::string part_of_day(int32_t hour) {
  if (hour < 6 || hour >= 21) return "night";
  return hour < 12 ? "morning" : hour < 17 ? "afternoon" : "evening";
}

std::optional<std::string> meal(int32_t hour) {
  if (hour >= 6 && hour <= 8) return "breakfast";
  if (hour >= 11 && hour <= 13) return "lunch";
  if (hour >= 17 && hour <= 19) return "dinner";
  return std::nullopt;
}

}  // namespace

std::unique_ptr<Generator> make_time_dim(double /*scale*/, uint64_t /*seed*/) {
  using Row = TimeRow;
  std::vector<RowColumn<Row>> columns = {
      int32_column<Row>("t_time_sk", [](const Row& r) { return r.second_of_day; }),
      text_column<Row>("t_time_id", [](const Row& r) { return business_key(r.second_of_day + 1); }),
      int32_column<Row>("t_time", [](const Row& r) { return r.second_of_day; }),
      int32_column<Row>("t_hour", [](const Row& r) { return r.hour; }),
      int32_column<Row>("t_minute", [](const Row& r) { return r.minute; }),
      int32_column<Row>("t_second", [](const Row& r) { return r.second; }),
      text_column<Row>("t_am_pm", [](const Row& r) { return std::string(r.hour < 12 ? "AM" : "PM"); }),
      text_column<Row>("t_shift", [](const Row& r) { return shift(r.hour); }),
      text_column<Row>("t_sub_shift", [](const Row& r) { return part_of_day(r.hour); }),
      text_column<Row>("t_meal_time", [](const Row& r) { return meal(r.hour); }),
  };
  const auto fill = [](int64_t start, std::vector<Row>& rows) {
    for (size_t i = 0; i < rows.size(); ++i) rows[i] = make_row(start + static_cast<int64_t>(i));
  };
  return std::make_unique<RowTable<Row>>(time_rows, fill, std::move(columns));
}

}  // namespace quern::cpu::tpcds
