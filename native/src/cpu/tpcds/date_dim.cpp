// date_dim: one row a day from 1900-01-02 to 2100-01-01.
#include <array>

#include "cpu/tpcds/row_table.hpp"
#include "cpu/tpcds/scale.hpp"
#include "cpu/tpcds/tables.hpp"
#include "ops/calendar.hpp"

namespace quern::cpu::tpcds {

namespace {

struct DateRow {
  int64_t sk;
  int32_t day;  // since 1970-01-01
  int32_t year, month, dom, dow, quarter;
  int32_t month_seq, week_seq, quarter_seq;
  int32_t first_dom, last_dom;  // days
};

constexpr std::array<const char*, 7> day_names = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                  "Thursday", "Friday", "Saturday"};
constexpr int32_t unix_epoch_sk = 2'440'588;  // Julian day number of 1970-01-01
constexpr int32_t today = 12'246;             // the benchmark's current day, 2003-07-13

int32_t sk_of(int32_t day) { return day + unix_epoch_sk; }

// Fixed-date holidays of the description's calendar: New Year, 4 July, Christmas, and the days about them.
bool is_holiday(const DateRow& row) {
  return (row.month == 1 && row.dom == 1) || (row.month == 7 && row.dom == 4) ||
         (row.month == 12 && (row.dom == 25 || row.dom == 31));
}

DateRow make_row(int64_t index) {
  DateRow row{};
  row.sk = first_date_sk + index;
  row.day = static_cast<int32_t>(first_date_day + index);
  const auto date = ops::civil_of_days(row.day);
  row.year = static_cast<int32_t>(date.year);
  row.month = date.month;
  row.dom = date.day;
  row.dow = ops::iso_weekday(row.day) % 7;  // Sunday = 0
  row.quarter = (row.month - 1) / 3 + 1;
  row.month_seq = (row.year - 1900) * 12 + row.month - 1;
  row.quarter_seq = (row.year - 1900) * 4 + row.quarter;
  row.week_seq = static_cast<int32_t>((index + 2) / 7) + 1;
  row.first_dom = row.day - row.dom + 1;
  const bool december = row.month == 12;
  row.last_dom =
      static_cast<int32_t>(ops::days_of_civil(row.year + (december ? 1 : 0), december ? 1 : row.month + 1, 1)) - 1;
  return row;
}

std::string yes_no(bool yes) { return yes ? "Y" : "N"; }

}  // namespace

std::unique_ptr<Generator> make_date_dim(double /*scale*/, uint64_t /*seed*/) {
  using Row = DateRow;
  const auto current = make_row(today - first_date_day);
  std::vector<RowColumn<Row>> columns = {
      int32_column<Row>("d_date_sk", [](const Row& r) { return r.sk; }),
      text_column<Row>("d_date_id", [](const Row& r) { return business_key(r.sk); }),
      date_column<Row>("d_date", [](const Row& r) { return r.day; }),
      int32_column<Row>("d_month_seq", [](const Row& r) { return r.month_seq; }),
      int32_column<Row>("d_week_seq", [](const Row& r) { return r.week_seq; }),
      int32_column<Row>("d_quarter_seq", [](const Row& r) { return r.quarter_seq; }),
      int32_column<Row>("d_year", [](const Row& r) { return r.year; }),
      int32_column<Row>("d_dow", [](const Row& r) { return r.dow; }),
      int32_column<Row>("d_moy", [](const Row& r) { return r.month; }),
      int32_column<Row>("d_dom", [](const Row& r) { return r.dom; }),
      int32_column<Row>("d_qoy", [](const Row& r) { return r.quarter; }),
      int32_column<Row>("d_fy_year", [](const Row& r) { return r.year; }),
      int32_column<Row>("d_fy_quarter_seq", [](const Row& r) { return r.quarter_seq; }),
      int32_column<Row>("d_fy_week_seq", [](const Row& r) { return r.week_seq; }),
      text_column<Row>("d_day_name", [](const Row& r) { return day_names[static_cast<size_t>(r.dow)]; }),
      text_column<Row>("d_quarter_name",
                       [](const Row& r) { return std::to_string(r.year) + "Q" + std::to_string(r.quarter); }),
      text_column<Row>("d_holiday", [](const Row& r) { return yes_no(is_holiday(r)); }),
      text_column<Row>("d_weekend", [](const Row& r) { return yes_no(r.dow == 0 || r.dow == 6); }),
      text_column<Row>(
          "d_following_holiday",
          [](const Row& r) { return yes_no(r.sk > first_date_sk && is_holiday(make_row(r.sk - first_date_sk - 1))); }),
      int32_column<Row>("d_first_dom", [](const Row& r) { return sk_of(r.first_dom); }),
      int32_column<Row>("d_last_dom", [](const Row& r) { return sk_of(r.last_dom); }),
      int32_column<Row>("d_same_day_ly", [](const Row& r) { return r.sk - 365; }),
      int32_column<Row>("d_same_day_lq", [](const Row& r) { return r.sk - 91; }),
      text_column<Row>("d_current_day", [](const Row& r) { return yes_no(r.day == today); }),
      text_column<Row>("d_current_week", [current](const Row& r) { return yes_no(r.week_seq == current.week_seq); }),
      text_column<Row>("d_current_month", [current](const Row& r) { return yes_no(r.month_seq == current.month_seq); }),
      text_column<Row>("d_current_quarter",
                       [current](const Row& r) { return yes_no(r.quarter_seq == current.quarter_seq); }),
      text_column<Row>("d_current_year", [current](const Row& r) { return yes_no(r.year == current.year); }),
  };
  const auto fill = [](int64_t start, std::vector<Row>& rows) {
    for (size_t i = 0; i < rows.size(); ++i) rows[i] = make_row(start + static_cast<int64_t>(i));
  };
  return std::make_unique<RowTable<Row>>(date_rows, fill, std::move(columns));
}

}  // namespace quern::cpu::tpcds
