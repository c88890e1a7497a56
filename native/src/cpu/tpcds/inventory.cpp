// inventory: what stands in the warehouses every Thursday of five years, of every second item. 5 % of the quantities
// are NULL.
#include "cpu/tpcds/random.hpp"
#include "cpu/tpcds/row_table.hpp"
#include "cpu/tpcds/scale.hpp"
#include "cpu/tpcds/tables.hpp"

namespace quern::cpu::tpcds {

namespace {

constexpr uint64_t table_number = 15;
constexpr double missing = 0.05;
constexpr int32_t first_week_sk = 2'450'815;  // 1998-01-01
constexpr int64_t weeks = 261;

struct Sizes {
  uint64_t seed;
  int64_t items, warehouses;
};

struct InventoryRow {
  int32_t date_sk, item, warehouse;
  std::optional<int32_t> quantity;
};

InventoryRow make_row(const Sizes& sizes, int64_t index) {
  Draws draws(sizes.seed, table_number, index);
  const int64_t place = index / sizes.warehouses;
  InventoryRow row{};
  row.date_sk = static_cast<int32_t>(first_week_sk + place / sizes.items * 7);
  row.item = static_cast<int32_t>(place % sizes.items * 2 + 1);
  row.warehouse = static_cast<int32_t>(index % sizes.warehouses + 1);
  if (!draws.chance(missing)) row.quantity = static_cast<int32_t>(draws.between(0, 1000));
  return row;
}

}  // namespace

std::unique_ptr<Generator> make_inventory(double scale, uint64_t seed) {
  using Row = InventoryRow;
  const Sizes sizes{seed, (item_rows(scale) + 1) / 2, warehouse_rows(scale)};
  std::vector<RowColumn<Row>> columns = {
      int32_column<Row>("inv_date_sk", [](const Row& r) { return r.date_sk; }),
      int32_column<Row>("inv_item_sk", [](const Row& r) { return r.item; }),
      int32_column<Row>("inv_warehouse_sk", [](const Row& r) { return r.warehouse; }),
      int32_column<Row>("inv_quantity_on_hand", [](const Row& r) { return r.quantity; }),
  };
  const auto fill = [sizes](int64_t start, std::vector<Row>& rows) {
    for (size_t i = 0; i < rows.size(); ++i) rows[i] = make_row(sizes, start + static_cast<int64_t>(i));
  };
  return std::make_unique<RowTable<Row>>(weeks * sizes.items * sizes.warehouses, fill, std::move(columns));
}

}  // namespace quern::cpu::tpcds
