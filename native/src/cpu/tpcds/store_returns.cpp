// store_returns: some lines of store_sales brought back, in the order of their sale, each line at most once. About
// 3.5 % of every column but item and ticket is NULL.
#include "cpu/tpcds/row_table.hpp"
#include "cpu/tpcds/sales_line.hpp"
#include "cpu/tpcds/tables.hpp"

namespace quern::cpu::tpcds {

namespace {

constexpr uint64_t table_number = 7;
constexpr uint64_t line_draw_table = 42;
constexpr double missing = 0.035;

struct Sizes {
  SalesSizes sales;
  int64_t rows;
  int64_t reasons;
};

struct ReturnRow {
  std::optional<int32_t> date_sk, time_sk, customer, demographics, household, address, store, reason, quantity;
  int32_t item;
  int64_t ticket;
  // cents
  std::optional<int64_t> amount, tax, amount_tax, fee, shipping, refunded, reversed, credit, loss;
};

ReturnRow make_row(const Sizes& sizes, int64_t index, const SalesRow& sale) {
  Draws draws(sizes.sales.seed, table_number, index);
  ReturnRow row{};
  row.item = sale.item;
  row.ticket = sale.ticket;
  const auto put = [&](auto& into, int64_t value) {
    if (!draws.chance(missing)) into = static_cast<typename std::remove_reference_t<decltype(into)>::value_type>(value);
  };
  put(row.date_sk, *sale.date_sk + draws.between(2, 90));
  put(row.time_sk, draws.between(8 * 3600, 17 * 3600));
  // Four of five are brought back by the buyer, the others by anybody.
  const bool buyer = draws.chance(0.8);
  const int64_t other = draws.between(1, sizes.sales.customers);
  put(row.customer, buyer ? *sale.customer : other);
  put(row.demographics, draws.between(1, customer_demographics_rows));
  put(row.household, draws.between(1, household_demographics_rows));
  put(row.address, draws.between(1, sizes.sales.addresses));
  put(row.store, *sale.store);
  put(row.reason, draws.between(1, sizes.reasons));

  const Refund refund = make_refund(draws, *sale.quantity, *sale.sales_price, *sale.list_price);
  put(row.quantity, refund.quantity);
  put(row.amount, refund.amount);
  put(row.tax, refund.tax);
  put(row.amount_tax, refund.amount + refund.tax);
  put(row.fee, refund.fee);
  put(row.shipping, refund.shipping);
  put(row.refunded, refund.cash);
  put(row.reversed, refund.card);
  put(row.credit, refund.credit);
  put(row.loss, refund.tax + refund.fee + refund.shipping);
  return row;
}

}  // namespace

std::unique_ptr<Generator> make_store_returns(double scale, uint64_t seed) {
  using Row = ReturnRow;
  const Sizes sizes{sales_sizes(scale, seed), store_returns_rows(scale), reason_rows(scale)};
  std::vector<RowColumn<Row>> columns = {
      int32_column<Row>("sr_returned_date_sk", [](const Row& r) { return r.date_sk; }),
      int32_column<Row>("sr_return_time_sk", [](const Row& r) { return r.time_sk; }),
      int32_column<Row>("sr_item_sk", [](const Row& r) { return r.item; }),
      int32_column<Row>("sr_customer_sk", [](const Row& r) { return r.customer; }),
      int32_column<Row>("sr_cdemo_sk", [](const Row& r) { return r.demographics; }),
      int32_column<Row>("sr_hdemo_sk", [](const Row& r) { return r.household; }),
      int32_column<Row>("sr_addr_sk", [](const Row& r) { return r.address; }),
      int32_column<Row>("sr_store_sk", [](const Row& r) { return r.store; }),
      int32_column<Row>("sr_reason_sk", [](const Row& r) { return r.reason; }),
      int64_column<Row>("sr_ticket_number", [](const Row& r) { return r.ticket; }),
      int32_column<Row>("sr_return_quantity", [](const Row& r) { return r.quantity; }),
      money_column<Row>("sr_return_amt", 7, [](const Row& r) { return r.amount; }),
      money_column<Row>("sr_return_tax", 7, [](const Row& r) { return r.tax; }),
      money_column<Row>("sr_return_amt_inc_tax", 7, [](const Row& r) { return r.amount_tax; }),
      money_column<Row>("sr_fee", 7, [](const Row& r) { return r.fee; }),
      money_column<Row>("sr_return_ship_cost", 7, [](const Row& r) { return r.shipping; }),
      money_column<Row>("sr_refunded_cash", 7, [](const Row& r) { return r.refunded; }),
      money_column<Row>("sr_reversed_charge", 7, [](const Row& r) { return r.reversed; }),
      money_column<Row>("sr_store_credit", 7, [](const Row& r) { return r.credit; }),
      money_column<Row>("sr_net_loss", 7, [](const Row& r) { return r.loss; }),
  };
  const auto fill = [sizes](int64_t start, std::vector<Row>& rows) {
    SalesLines lines(sizes.sales, Gaps::none);
    const int64_t sold = sizes.sales.blocks * block_lines;
    for (size_t i = 0; i < rows.size(); ++i) {
      const int64_t index = start + static_cast<int64_t>(i);
      rows[i] =
          make_row(sizes, index, lines.at(returned_line(sizes.sales.seed, line_draw_table, index, sizes.rows, sold)));
    }
  };
  return std::make_unique<RowTable<Row>>(sizes.rows, fill, std::move(columns));
}

}  // namespace quern::cpu::tpcds
