// warehouse: where goods stand, in a few states; one of five has no name.
#include "cpu/tpcds/address.hpp"
#include "cpu/tpcds/item_words.hpp"
#include "cpu/tpcds/scale.hpp"
#include "cpu/tpcds/tables.hpp"

namespace quern::cpu::tpcds {

namespace {

constexpr uint64_t table_number = 16;
constexpr int64_t regions = 3;

struct WarehouseRow {
  int64_t sk;
  std::optional<std::string> name;
  int64_t square_feet;
  Address address;
};

WarehouseRow make_row(uint64_t seed, int64_t index) {
  Draws draws(seed, table_number, index);
  WarehouseRow row{};
  row.sk = index + 1;
  const std::string name = sentence(draws, 2, 3);
  if (row.sk % 5 != 0) row.name = name.substr(0, name.size() - 1);
  row.square_feet = draws.between(50'000, 1'000'000);
  row.address = make_address(draws, regions);
  return row;
}

}  // namespace

std::unique_ptr<Generator> make_warehouse(double scale, uint64_t seed) {
  using Row = WarehouseRow;
  std::vector<RowColumn<Row>> columns = {
      int32_column<Row>("w_warehouse_sk", [](const Row& r) { return r.sk; }),
      text_column<Row>("w_warehouse_id", [](const Row& r) { return business_key(r.sk); }),
      text_column<Row>("w_warehouse_name", [](const Row& r) { return r.name; }),
      int32_column<Row>("w_warehouse_sq_ft", [](const Row& r) { return r.square_feet; }),
  };
  add_address_columns(columns, "w");
  const auto fill = [seed](int64_t start, std::vector<Row>& rows) {
    for (size_t i = 0; i < rows.size(); ++i) rows[i] = make_row(seed, start + static_cast<int64_t>(i));
  };
  return std::make_unique<RowTable<Row>>(warehouse_rows(scale), fill, std::move(columns));
}

}  // namespace quern::cpu::tpcds
