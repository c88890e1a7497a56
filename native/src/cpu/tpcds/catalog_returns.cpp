// catalog_returns: some lines of catalog_sales sent back, each at most once.
#include "cpu/tpcds/order_return.hpp"
#include "cpu/tpcds/row_table.hpp"
#include "cpu/tpcds/tables.hpp"

namespace quern::cpu::tpcds {

std::unique_ptr<Generator> make_catalog_returns(double scale, uint64_t seed) {
  using Row = OrderReturnRow;
  const OrderReturns returns = catalog_order_returns(scale, seed);
  std::vector<RowColumn<Row>> columns = {
      int32_column<Row>("cr_returned_date_sk", [](const Row& r) { return r.date_sk; }),
      int32_column<Row>("cr_returned_time_sk", [](const Row& r) { return r.time_sk; }),
      int32_column<Row>("cr_item_sk", [](const Row& r) { return r.item; }),
      int32_column<Row>("cr_refunded_customer_sk", [](const Row& r) { return r.refunded.customer; }),
      int32_column<Row>("cr_refunded_cdemo_sk", [](const Row& r) { return r.refunded.demographics; }),
      int32_column<Row>("cr_refunded_hdemo_sk", [](const Row& r) { return r.refunded.household; }),
      int32_column<Row>("cr_refunded_addr_sk", [](const Row& r) { return r.refunded.address; }),
      int32_column<Row>("cr_returning_customer_sk", [](const Row& r) { return r.returning.customer; }),
      int32_column<Row>("cr_returning_cdemo_sk", [](const Row& r) { return r.returning.demographics; }),
      int32_column<Row>("cr_returning_hdemo_sk", [](const Row& r) { return r.returning.household; }),
      int32_column<Row>("cr_returning_addr_sk", [](const Row& r) { return r.returning.address; }),
      int32_column<Row>("cr_call_center_sk", [](const Row& r) { return r.place; }),
      int32_column<Row>("cr_catalog_page_sk", [](const Row& r) { return r.page; }),
      int32_column<Row>("cr_ship_mode_sk", [](const Row& r) { return r.ship_mode; }),
      int32_column<Row>("cr_warehouse_sk", [](const Row& r) { return r.warehouse; }),
      int32_column<Row>("cr_reason_sk", [](const Row& r) { return r.reason; }),
      int64_column<Row>("cr_order_number", [](const Row& r) { return r.order; }),
      int32_column<Row>("cr_return_quantity", [](const Row& r) { return r.quantity; }),
      money_column<Row>("cr_return_amount", 7, [](const Row& r) { return r.amount; }),
      money_column<Row>("cr_return_tax", 7, [](const Row& r) { return r.tax; }),
      money_column<Row>("cr_return_amt_inc_tax", 7, [](const Row& r) { return r.amount_tax; }),
      money_column<Row>("cr_fee", 7, [](const Row& r) { return r.fee; }),
      money_column<Row>("cr_return_ship_cost", 7, [](const Row& r) { return r.shipping; }),
      money_column<Row>("cr_refunded_cash", 7, [](const Row& r) { return r.cash; }),
      money_column<Row>("cr_reversed_charge", 7, [](const Row& r) { return r.card; }),
      money_column<Row>("cr_store_credit", 7, [](const Row& r) { return r.credit; }),
      money_column<Row>("cr_net_loss", 7, [](const Row& r) { return r.loss; }),
  };
  const auto fill = [returns](int64_t start, std::vector<Row>& rows) { fill_order_returns(returns, start, rows); };
  return std::make_unique<RowTable<Row>>(returns.rows, fill, std::move(columns));
}

}  // namespace quern::cpu::tpcds
