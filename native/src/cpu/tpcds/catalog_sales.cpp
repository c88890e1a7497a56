// catalog_sales: lines of orders from catalogs, in the order of their numbers, which follow time.
#include "cpu/tpcds/order_line.hpp"
#include "cpu/tpcds/row_table.hpp"
#include "cpu/tpcds/tables.hpp"

namespace quern::cpu::tpcds {

std::unique_ptr<Generator> make_catalog_sales(double scale, uint64_t seed) {
  using Row = OrderRow;
  const Channel channel = catalog_channel(scale, seed);
  std::vector<RowColumn<Row>> columns = {
      int32_column<Row>("cs_sold_date_sk", [](const Row& r) { return r.date_sk; }),
      int32_column<Row>("cs_sold_time_sk", [](const Row& r) { return r.time_sk; }),
      int32_column<Row>("cs_ship_date_sk", [](const Row& r) { return r.ship_date_sk; }),
      int32_column<Row>("cs_bill_customer_sk", [](const Row& r) { return r.bill.customer; }),
      int32_column<Row>("cs_bill_cdemo_sk", [](const Row& r) { return r.bill.demographics; }),
      int32_column<Row>("cs_bill_hdemo_sk", [](const Row& r) { return r.bill.household; }),
      int32_column<Row>("cs_bill_addr_sk", [](const Row& r) { return r.bill.address; }),
      int32_column<Row>("cs_ship_customer_sk", [](const Row& r) { return r.ship.customer; }),
      int32_column<Row>("cs_ship_cdemo_sk", [](const Row& r) { return r.ship.demographics; }),
      int32_column<Row>("cs_ship_hdemo_sk", [](const Row& r) { return r.ship.household; }),
      int32_column<Row>("cs_ship_addr_sk", [](const Row& r) { return r.ship.address; }),
      int32_column<Row>("cs_call_center_sk", [](const Row& r) { return r.place; }),
      int32_column<Row>("cs_catalog_page_sk", [](const Row& r) { return r.page; }),
      int32_column<Row>("cs_ship_mode_sk", [](const Row& r) { return r.ship_mode; }),
      int32_column<Row>("cs_warehouse_sk", [](const Row& r) { return r.warehouse; }),
      int32_column<Row>("cs_item_sk", [](const Row& r) { return r.item; }),
      int32_column<Row>("cs_promo_sk", [](const Row& r) { return r.promotion; }),
      int64_column<Row>("cs_order_number", [](const Row& r) { return r.order; }),
      int32_column<Row>("cs_quantity", [](const Row& r) { return r.quantity; }),
      money_column<Row>("cs_wholesale_cost", 7, [](const Row& r) { return r.wholesale_cost; }),
      money_column<Row>("cs_list_price", 7, [](const Row& r) { return r.list_price; }),
      money_column<Row>("cs_sales_price", 7, [](const Row& r) { return r.sales_price; }),
      money_column<Row>("cs_ext_discount_amt", 7, [](const Row& r) { return r.discount; }),
      money_column<Row>("cs_ext_sales_price", 7, [](const Row& r) { return r.ext_sales; }),
      money_column<Row>("cs_ext_wholesale_cost", 7, [](const Row& r) { return r.ext_wholesale; }),
      money_column<Row>("cs_ext_list_price", 7, [](const Row& r) { return r.ext_list; }),
      money_column<Row>("cs_ext_tax", 7, [](const Row& r) { return r.tax; }),
      money_column<Row>("cs_coupon_amt", 7, [](const Row& r) { return r.coupon; }),
      money_column<Row>("cs_ext_ship_cost", 7, [](const Row& r) { return r.shipping; }),
      money_column<Row>("cs_net_paid", 7, [](const Row& r) { return r.paid; }),
      money_column<Row>("cs_net_paid_inc_tax", 7, [](const Row& r) { return r.paid_tax; }),
      money_column<Row>("cs_net_paid_inc_ship", 7, [](const Row& r) { return r.paid_shipping; }),
      money_column<Row>("cs_net_paid_inc_ship_tax", 7, [](const Row& r) { return r.paid_shipping_tax; }),
      money_column<Row>("cs_net_profit", 7, [](const Row& r) { return r.profit; }),
  };
  const auto fill = [channel](int64_t start, std::vector<Row>& rows) {
    OrderLines lines(channel, Gaps::as_written);
    for (size_t i = 0; i < rows.size(); ++i) rows[i] = lines.at(start + static_cast<int64_t>(i));
  };
  return std::make_unique<RowTable<Row>>(channel.lines(), fill, std::move(columns));
}

}  // namespace quern::cpu::tpcds
