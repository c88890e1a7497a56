// store: shops in a few counties, some in two or three revisions like items.
#include <array>

#include "cpu/tpcds/random.hpp"
#include "cpu/tpcds/row_table.hpp"
#include "cpu/tpcds/scale.hpp"
#include "cpu/tpcds/tables.hpp"

namespace quern::cpu::tpcds {

namespace {

constexpr uint64_t table_number = 3;

struct Place {
  const char* county;
  const char* state;
  int32_t zip;
  int32_t offset;  // hours from GMT
};
constexpr std::array<Place, 8> places = {{{"Williamson County", "TN", 35709, -5},
                                          {"Ziebach County", "SD", 57642, -6},
                                          {"Walker County", "AL", 35038, -6},
                                          {"Daviess County", "IN", 47501, -5},
                                          {"Barrow County", "GA", 30680, -5},
                                          {"Fairfield County", "OH", 43130, -5},
                                          {"Luce County", "MI", 49868, -5},
                                          {"Richland County", "SC", 29229, -5}}};
constexpr std::array<const char*, 8> cities = {"Midway",        "Fairview",    "Oak Grove", "Five Points",
                                               "Pleasant Hill", "Centerville", "Riverside", "Liberty"};
constexpr std::array<const char*, 8> streets = {"Main", "Oak", "Park", "Maple", "Cedar", "Lake", "Hill", "Walnut"};
constexpr std::array<const char*, 6> street_kinds = {"Street", "Avenue", "Road", "Lane", "Court", "Boulevard"};
constexpr std::array<const char*, 8> people = {"Ann Baker", "Brian Cole", "Carla Diaz", "David Evans",
                                               "Erin Ford", "Frank Gray", "Grace Hill", "Henry Irwin"};
constexpr std::array<const char*, 6> names = {"able", "ation", "bar", "eing", "ese", "ought"};
constexpr std::array<const char*, 3> hours = {"8AM-4PM", "8AM-8AM", "8AM-12AM"};

struct StoreRow {
  int64_t sk;
  int64_t key;
  int32_t start_day;
  std::optional<int32_t> end_day;
  std::optional<int32_t> closed_date_sk;
  std::string name;
  int32_t employees, floor_space, market;
  std::string hours, manager, market_manager;
  int64_t street_number;
  std::string street, street_kind, suite, city;
  Place place;
  int32_t tax;  // hundredths of one
};

StoreRow make_row(uint64_t seed, int64_t index) {
  constexpr std::array<int32_t, 6> key_of_six = {0, 1, 1, 2, 2, 2};
  constexpr std::array<int32_t, 6> revision_of_six = {0, 0, 1, 0, 1, 2};
  constexpr std::array<int32_t, 6> revisions_of_six = {1, 2, 2, 3, 3, 3};
  constexpr int32_t first_start = 9'933;  // 1997-03-13
  Draws draws(seed, table_number, index);
  StoreRow row{};
  const auto six = static_cast<size_t>(index % 6);
  row.sk = index + 1;
  row.key = index / 6 * 3 + key_of_six[six] + 1;
  const int32_t length = revisions_of_six[six] == 2 ? 1'096 : 731;
  row.start_day = first_start + revision_of_six[six] * length;
  if (revision_of_six[six] + 1 < revisions_of_six[six]) row.end_day = row.start_day + length - 1;
  if (draws.chance(0.3)) row.closed_date_sk = static_cast<int32_t>(2'450'815 + draws.between(0, 1'800));
  row.name = names[static_cast<size_t>(row.key % 6)];
  row.employees = static_cast<int32_t>(draws.between(200, 300));
  row.floor_space = static_cast<int32_t>(draws.between(5'000'000, 10'000'000));
  row.hours = pick(draws, hours);
  row.manager = pick(draws, people);
  row.market = static_cast<int32_t>(draws.between(1, 10));
  row.market_manager = pick(draws, people);
  row.street_number = draws.between(1, 1000);
  row.street = pick(draws, streets);
  row.street_kind = pick(draws, street_kinds);
  row.suite = "Suite " + std::to_string(draws.between(0, 49) * 10);
  row.city = pick(draws, cities);
  // Half of the stores stand in the first county.
  row.place = places[draws.chance(0.5) ? 0 : static_cast<size_t>(draws.between(1, 7))];
  row.tax = static_cast<int32_t>(draws.between(0, 11));
  return row;
}

}  // namespace

std::unique_ptr<Generator> make_store(double scale, uint64_t seed) {
  using Row = StoreRow;
  std::vector<RowColumn<Row>> columns = {
      int32_column<Row>("s_store_sk", [](const Row& r) { return r.sk; }),
      text_column<Row>("s_store_id", [](const Row& r) { return business_key(r.key); }),
      date_column<Row>("s_rec_start_date", [](const Row& r) { return r.start_day; }),
      date_column<Row>("s_rec_end_date", [](const Row& r) { return r.end_day; }),
      int32_column<Row>("s_closed_date_sk", [](const Row& r) { return r.closed_date_sk; }),
      text_column<Row>("s_store_name", [](const Row& r) { return r.name; }),
      int32_column<Row>("s_number_employees", [](const Row& r) { return r.employees; }),
      int32_column<Row>("s_floor_space", [](const Row& r) { return r.floor_space; }),
      text_column<Row>("s_hours", [](const Row& r) { return r.hours; }),
      text_column<Row>("s_manager", [](const Row& r) { return r.manager; }),
      int32_column<Row>("s_market_id", [](const Row& r) { return r.market; }),
      text_column<Row>("s_geography_class", [](const Row&) { return std::string("Unknown"); }),
      text_column<Row>("s_market_desc",
                       [](const Row& r) { return "Market " + std::to_string(r.market) + " of " + r.place.county; }),
      text_column<Row>("s_market_manager", [](const Row& r) { return r.market_manager; }),
      int32_column<Row>("s_division_id", [](const Row&) { return 1; }),
      text_column<Row>("s_division_name", [](const Row&) { return std::string("Unknown"); }),
      int32_column<Row>("s_company_id", [](const Row&) { return 1; }),
      text_column<Row>("s_company_name", [](const Row&) { return std::string("Unknown"); }),
      text_column<Row>("s_street_number", [](const Row& r) { return std::to_string(r.street_number); }),
      text_column<Row>("s_street_name", [](const Row& r) { return r.street; }),
      text_column<Row>("s_street_type", [](const Row& r) { return r.street_kind; }),
      text_column<Row>("s_suite_number", [](const Row& r) { return r.suite; }),
      text_column<Row>("s_city", [](const Row& r) { return r.city; }),
      text_column<Row>("s_county", [](const Row& r) { return std::string(r.place.county); }),
      text_column<Row>("s_state", [](const Row& r) { return std::string(r.place.state); }),
      text_column<Row>("s_zip", [](const Row& r) { return std::to_string(r.place.zip); }),
      text_column<Row>("s_country", [](const Row&) { return std::string("United States"); }),
      money_column<Row>("s_gmt_offset", 5, [](const Row& r) { return r.place.offset * 100; }),
      money_column<Row>("s_tax_percentage", 5, [](const Row& r) { return r.tax; }),
  };
  const auto fill = [seed](int64_t start, std::vector<Row>& rows) {
    for (size_t i = 0; i < rows.size(); ++i) rows[i] = make_row(seed, start + static_cast<int64_t>(i));
  };
  return std::make_unique<RowTable<Row>>(store_rows(scale), fill, std::move(columns));
}

}  // namespace quern::cpu::tpcds
