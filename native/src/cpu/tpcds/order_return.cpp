#include "cpu/tpcds/order_return.hpp"

namespace quern::cpu::tpcds {

namespace {

enum DrawTable : uint64_t { of_return, of_line };

OrderReturnRow make_row(const OrderReturns& returns, int64_t index, const OrderRow& sale) {
  const Channel& channel = returns.channel;
  Draws draws(channel.seed, returns.table + of_return, index);
  OrderReturnRow row{};
  row.item = sale.item;
  row.order = sale.order;
  const auto put = [&](auto& into, int64_t value) {
    if (!draws.chance(returns.missing))
      into = static_cast<typename std::remove_reference_t<decltype(into)>::value_type>(value);
  };
  const auto put_person = [&](SomePerson& into, const SomePerson& person) {
    put(into.customer, *person.customer);
    put(into.demographics, *person.demographics);
    put(into.household, *person.household);
    put(into.address, *person.address);
  };
  put(row.date_sk, *sale.ship_date_sk + draws.between(2, 90));
  put(row.time_sk, draws.between(0, time_rows - 1));
  // The buyer has the money; who got the goods sends them back.
  put_person(row.refunded, sale.bill);
  put_person(row.returning, sale.ship);
  put(row.place, *sale.place);
  put(row.page, *sale.page);
  put(row.ship_mode, draws.between(1, ship_mode_rows));
  put(row.warehouse, draws.between(1, channel.warehouses));
  put(row.reason, draws.between(1, returns.reasons));

  const Refund refund = make_refund(draws, *sale.quantity, *sale.sales_price, *sale.list_price);
  put(row.quantity, refund.quantity);
  put(row.amount, refund.amount);
  put(row.tax, refund.tax);
  put(row.amount_tax, refund.amount + refund.tax);
  put(row.fee, refund.fee);
  put(row.shipping, refund.shipping);
  put(row.cash, refund.cash);
  put(row.card, refund.card);
  put(row.credit, refund.credit);
  put(row.loss, refund.tax + refund.fee + refund.shipping);
  return row;
}

}  // namespace

OrderReturns web_order_returns(double scale, uint64_t seed) {
  return {web_channel(scale, seed), 53, web_returns_rows(scale), reason_rows(scale), 0.045};
}

OrderReturns catalog_order_returns(double scale, uint64_t seed) {
  return {catalog_channel(scale, seed), 63, catalog_returns_rows(scale), reason_rows(scale), 0.02};
}

void fill_order_returns(const OrderReturns& returns, int64_t start, std::vector<OrderReturnRow>& rows) {
  OrderLines lines(returns.channel, Gaps::none);
  for (size_t i = 0; i < rows.size(); ++i) {
    const int64_t index = start + static_cast<int64_t>(i);
    const int64_t line =
        returned_line(returns.channel.seed, returns.table + of_line, index, returns.rows, returns.channel.lines());
    rows[i] = make_row(returns, index, lines.at(line));
  }
}

}  // namespace quern::cpu::tpcds
