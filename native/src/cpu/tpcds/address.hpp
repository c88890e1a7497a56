// The address columns that stores of goods, call centers and web sites share.
#pragma once
#include "cpu/tpcds/place_words.hpp"
#include "cpu/tpcds/random.hpp"
#include "cpu/tpcds/row_table.hpp"

namespace quern::cpu::tpcds {

struct Address {
  std::string number, street, street_kind, suite, city, county, state, zip;
  int32_t offset;  // hours from GMT
};

// In one of the first `regions` states and one of its first `regions` counties.
inline Address make_address(Draws& draws, int64_t regions) {
  const auto& state = states[static_cast<size_t>(draws.between(0, regions - 1))];
  Address address{};
  address.number = std::to_string(draws.between(1, 1000));
  address.street = pick(draws, street_names);
  address.street_kind = pick(draws, street_kinds);
  address.suite = "Suite " + std::to_string(draws.between(0, 49) * 10);
  address.city = pick(draws, city_names);
  address.county = std::string(county_names[static_cast<size_t>(draws.between(0, regions - 1))]) + " County";
  address.state = state.code;
  const auto digits = std::to_string(state.zip_start + draws.between(0, 999));
  address.zip = std::string(5 - digits.size(), '0') + digits;
  address.offset = state.offset;
  return address;
}

// PREFIX_street_number to PREFIX_gmt_offset, of the member `address` of the row.
template <typename Row>
void add_address_columns(std::vector<RowColumn<Row>>& columns, const std::string& prefix) {
  const auto add = [&](const char* name, std::string Address::* part) {
    columns.push_back(text_column<Row>(prefix + name, [part](const Row& r) { return r.address.*part; }));
  };
  add("_street_number", &Address::number);
  add("_street_name", &Address::street);
  add("_street_type", &Address::street_kind);
  add("_suite_number", &Address::suite);
  add("_city", &Address::city);
  add("_county", &Address::county);
  add("_state", &Address::state);
  add("_zip", &Address::zip);
  columns.push_back(text_column<Row>(prefix + "_country", [](const Row&) { return std::string("United States"); }));
  columns.push_back(money_column<Row>(prefix + "_gmt_offset", 5, [](const Row& r) { return r.address.offset * 100; }));
}

}  // namespace quern::cpu::tpcds
