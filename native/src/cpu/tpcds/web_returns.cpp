// web_returns: some lines of web_sales sent back, each at most once.
#include "cpu/tpcds/order_return.hpp"
#include "cpu/tpcds/row_table.hpp"
#include "cpu/tpcds/tables.hpp"

namespace quern::cpu::tpcds {

std::unique_ptr<Generator> make_web_returns(double scale, uint64_t seed) {
  using Row = OrderReturnRow;
  const OrderReturns returns = web_order_returns(scale, seed);
  std::vector<RowColumn<Row>> columns = {
      int32_column<Row>("wr_returned_date_sk", [](const Row& r) { return r.date_sk; }),
      int32_column<Row>("wr_returned_time_sk", [](const Row& r) { return r.time_sk; }),
      int32_column<Row>("wr_item_sk", [](const Row& r) { return r.item; }),
      int32_column<Row>("wr_refunded_customer_sk", [](const Row& r) { return r.refunded.customer; }),
      int32_column<Row>("wr_refunded_cdemo_sk", [](const Row& r) { return r.refunded.demographics; }),
      int32_column<Row>("wr_refunded_hdemo_sk", [](const Row& r) { return r.refunded.household; }),
      int32_column<Row>("wr_refunded_addr_sk", [](const Row& r) { return r.refunded.address; }),
      int32_column<Row>("wr_returning_customer_sk", [](const Row& r) { return r.returning.customer; }),
      int32_column<Row>("wr_returning_cdemo_sk", [](const Row& r) { return r.returning.demographics; }),
      int32_column<Row>("wr_returning_hdemo_sk", [](const Row& r) { return r.returning.household; }),
      int32_column<Row>("wr_returning_addr_sk", [](const Row& r) { return r.returning.address; }),
      int32_column<Row>("wr_web_page_sk", [](const Row& r) { return r.page; }),
      int32_column<Row>("wr_reason_sk", [](const Row& r) { return r.reason; }),
      int64_column<Row>("wr_order_number", [](const Row& r) { return r.order; }),
      int32_column<Row>("wr_return_quantity", [](const Row& r) { return r.quantity; }),
      money_column<Row>("wr_return_amt", 7, [](const Row& r) { return r.amount; }),
      money_column<Row>("wr_return_tax", 7, [](const Row& r) { return r.tax; }),
      money_column<Row>("wr_return_amt_inc_tax", 7, [](const Row& r) { return r.amount_tax; }),
      money_column<Row>("wr_fee", 7, [](const Row& r) { return r.fee; }),
      money_column<Row>("wr_return_ship_cost", 7, [](const Row& r) { return r.shipping; }),
      money_column<Row>("wr_refunded_cash", 7, [](const Row& r) { return r.cash; }),
      money_column<Row>("wr_reversed_charge", 7, [](const Row& r) { return r.card; }),
      money_column<Row>("wr_account_credit", 7, [](const Row& r) { return r.credit; }),
      money_column<Row>("wr_net_loss", 7, [](const Row& r) { return r.loss; }),
  };
  const auto fill = [returns](int64_t start, std::vector<Row>& rows) { fill_order_returns(returns, start, rows); };
  return std::make_unique<RowTable<Row>>(returns.rows, fill, std::move(columns));
}

}  // namespace quern::cpu::tpcds
