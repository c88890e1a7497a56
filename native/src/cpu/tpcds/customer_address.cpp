// customer_address: where customers live; states as often as they have counties. About 3 % of every column but the keys
// is NULL.
#include "cpu/tpcds/place_words.hpp"
#include "cpu/tpcds/random.hpp"
#include "cpu/tpcds/row_table.hpp"
#include "cpu/tpcds/scale.hpp"
#include "cpu/tpcds/tables.hpp"

namespace quern::cpu::tpcds {

namespace {

constexpr uint64_t table_number = 9;
constexpr double missing = 0.03;
constexpr std::array<const char*, 3> kinds = {"apartment", "condo", "single family"};

struct AddressRow {
  int64_t sk;
  std::optional<std::string> number, street, street_kind, suite, city, county, state, zip, country, kind;
  std::optional<int32_t> offset;  // hundredths of an hour
};

struct Choices {
  Weights states, counties, cities, streets;
};

const Choices& choices() {
  static const Choices all = [] {
    std::vector<double> counties;
    for (const auto& state : states) counties.push_back(state.counties);
    return Choices{Weights(counties), Weights::falling(county_names.size(), 10), Weights::falling(city_names.size(), 5),
                   Weights::falling(street_names.size(), 10)};
  }();
  return all;
}

std::string padded(int64_t number, size_t width) {
  const auto digits = std::to_string(number);
  return digits.size() >= width ? digits : std::string(width - digits.size(), '0') + digits;
}

std::string suite(Draws& draws) {
  const auto number = draws.between(0, 49);
  if (draws.chance(0.5)) return "Suite " + std::to_string(number * 10);
  return std::string("Suite ") + static_cast<char>('A' + number % 25);
}

AddressRow make_row(uint64_t seed, int64_t index) {
  Draws draws(seed, table_number, index);
  AddressRow row{};
  row.sk = index + 1;
  const auto present = [&] { return !draws.chance(missing); };
  const auto& state = states[choices().states.pick(draws)];
  std::string street = street_names[choices().streets.pick(draws)];
  if (draws.chance(0.5)) street += std::string(" ") + street_names[choices().streets.pick(draws)];
  if (present()) row.number = std::to_string(draws.between(1, 1000));
  if (present()) row.street = street;
  if (present()) row.street_kind = pick(draws, street_kinds);
  if (present()) row.suite = suite(draws);
  if (present()) row.city = city_names[choices().cities.pick(draws)];
  if (present()) row.county = std::string(county_names[choices().counties.pick(draws)]) + " County";
  if (present()) row.state = state.code;
  if (present()) row.zip = padded(state.zip_start + draws.between(0, 999), 5);
  if (present()) row.country = "United States";
  if (present()) row.offset = state.offset * 100;
  if (present()) row.kind = pick(draws, kinds);
  return row;
}

}  // namespace

std::unique_ptr<Generator> make_customer_address(double scale, uint64_t seed) {
  using Row = AddressRow;
  std::vector<RowColumn<Row>> columns = {
      int32_column<Row>("ca_address_sk", [](const Row& r) { return r.sk; }),
      text_column<Row>("ca_address_id", [](const Row& r) { return business_key(r.sk); }),
      text_column<Row>("ca_street_number", [](const Row& r) { return r.number; }),
      text_column<Row>("ca_street_name", [](const Row& r) { return r.street; }),
      text_column<Row>("ca_street_type", [](const Row& r) { return r.street_kind; }),
      text_column<Row>("ca_suite_number", [](const Row& r) { return r.suite; }),
      text_column<Row>("ca_city", [](const Row& r) { return r.city; }),
      text_column<Row>("ca_county", [](const Row& r) { return r.county; }),
      text_column<Row>("ca_state", [](const Row& r) { return r.state; }),
      text_column<Row>("ca_zip", [](const Row& r) { return r.zip; }),
      text_column<Row>("ca_country", [](const Row& r) { return r.country; }),
      money_column<Row>("ca_gmt_offset", 5, [](const Row& r) { return r.offset; }),
      text_column<Row>("ca_location_type", [](const Row& r) { return r.kind; }),
  };
  const auto fill = [seed](int64_t start, std::vector<Row>& rows) {
    for (size_t i = 0; i < rows.size(); ++i) rows[i] = make_row(seed, start + static_cast<int64_t>(i));
  };
  return std::make_unique<RowTable<Row>>(customer_address_rows(scale), fill, std::move(columns));
}

}  // namespace quern::cpu::tpcds
