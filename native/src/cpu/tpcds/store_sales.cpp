// store_sales: lines of tickets, in ticket order, tickets in order of time over five years with more sales towards the
// end of a year. About 4.5 % of every column but item and ticket is NULL.
#include "cpu/tpcds/row_table.hpp"
#include "cpu/tpcds/sales_line.hpp"
#include "cpu/tpcds/tables.hpp"

namespace quern::cpu::tpcds {

std::unique_ptr<Generator> make_store_sales(double scale, uint64_t seed) {
  using Row = SalesRow;
  const auto sizes = sales_sizes(scale, seed);
  std::vector<RowColumn<Row>> columns = {
      int32_column<Row>("ss_sold_date_sk", [](const Row& r) { return r.date_sk; }),
      int32_column<Row>("ss_sold_time_sk", [](const Row& r) { return r.time_sk; }),
      int32_column<Row>("ss_item_sk", [](const Row& r) { return r.item; }),
      int32_column<Row>("ss_customer_sk", [](const Row& r) { return r.customer; }),
      int32_column<Row>("ss_cdemo_sk", [](const Row& r) { return r.demographics; }),
      int32_column<Row>("ss_hdemo_sk", [](const Row& r) { return r.household; }),
      int32_column<Row>("ss_addr_sk", [](const Row& r) { return r.address; }),
      int32_column<Row>("ss_store_sk", [](const Row& r) { return r.store; }),
      int32_column<Row>("ss_promo_sk", [](const Row& r) { return r.promotion; }),
      int64_column<Row>("ss_ticket_number", [](const Row& r) { return r.ticket; }),
      int32_column<Row>("ss_quantity", [](const Row& r) { return r.quantity; }),
      money_column<Row>("ss_wholesale_cost", 7, [](const Row& r) { return r.wholesale_cost; }),
      money_column<Row>("ss_list_price", 7, [](const Row& r) { return r.list_price; }),
      money_column<Row>("ss_sales_price", 7, [](const Row& r) { return r.sales_price; }),
      money_column<Row>("ss_ext_discount_amt", 7, [](const Row& r) { return r.discount; }),
      money_column<Row>("ss_ext_sales_price", 7, [](const Row& r) { return r.ext_sales; }),
      money_column<Row>("ss_ext_wholesale_cost", 7, [](const Row& r) { return r.ext_wholesale; }),
      money_column<Row>("ss_ext_list_price", 7, [](const Row& r) { return r.ext_list; }),
      money_column<Row>("ss_ext_tax", 7, [](const Row& r) { return r.tax; }),
      money_column<Row>("ss_coupon_amt", 7, [](const Row& r) { return r.coupon; }),
      money_column<Row>("ss_net_paid", 7, [](const Row& r) { return r.paid; }),
      money_column<Row>("ss_net_paid_inc_tax", 7, [](const Row& r) { return r.paid_tax; }),
      money_column<Row>("ss_net_profit", 7, [](const Row& r) { return r.profit; }),
  };
  const auto fill = [sizes](int64_t start, std::vector<Row>& rows) {
    SalesLines lines(sizes, Gaps::as_written);
    for (size_t i = 0; i < rows.size(); ++i) rows[i] = lines.at(start + static_cast<int64_t>(i));
  };
  return std::make_unique<RowTable<Row>>(sizes.blocks * block_lines, fill, std::move(columns));
}

}  // namespace quern::cpu::tpcds
