#include "cpu/tpcds/sales_line.hpp"

#include <algorithm>

#include "cpu/tpcds/sale.hpp"

namespace quern::cpu::tpcds {

namespace {

constexpr uint64_t line_table = 4;
constexpr uint64_t ticket_table = 40;
constexpr uint64_t block_table = 41;
constexpr double missing = 0.045;
// 8 to 16 lines a ticket.
constexpr BlockShape shape = {8, 16, block_lines};

Ticket make_ticket(const SalesSizes& sizes, int64_t index) {
  Draws draws(sizes.seed, ticket_table, index);
  Ticket ticket{};
  ticket.number = index + 1;
  // A place in time near the ticket's place among all, so that ticket numbers rise with time.
  const double at = (static_cast<double>(index) + draws.unit()) / static_cast<double>(sizes.blocks * block_tickets);
  ticket.date_sk = sold_date_sk(at);
  // Shops are open from 8 to 21, most sales about 11 and 18.
  const double hour = draws.chance(0.5) ? 11 + 2 * draws.normal() : 18 + 1.5 * draws.normal();
  ticket.time_sk = static_cast<int32_t>(std::clamp(hour, 8.0, 20.999) * 3600);
  ticket.customer = draws.between(1, sizes.customers);
  ticket.demographics = draws.between(1, customer_demographics_rows);
  ticket.household = draws.between(1, household_demographics_rows);
  ticket.address = draws.between(1, sizes.addresses);
  ticket.store = draws.between(1, sizes.stores);
  return ticket;
}

SalesRow make_row(const SalesSizes& sizes, Gaps gaps, int64_t index, const Ticket& ticket, int64_t line) {
  Draws draws(sizes.seed, line_table, index);
  SalesRow row{};
  row.ticket = ticket.number;
  row.item = sold_item(sizes, ticket.number, line);
  const auto put = [&](auto& into, int64_t value) {
    const bool gap = draws.chance(missing);  // drawn in any case: the later draws stay the same
    if (gap && gaps == Gaps::as_written) return;
    into = static_cast<typename std::remove_reference_t<decltype(into)>::value_type>(value);
  };
  put(row.date_sk, ticket.date_sk);
  put(row.time_sk, ticket.time_sk);
  put(row.customer, ticket.customer);
  put(row.demographics, ticket.demographics);
  put(row.household, ticket.household);
  put(row.address, ticket.address);
  put(row.store, ticket.store);
  put(row.promotion, draws.between(1, sizes.promotions));

  const Prices prices = make_prices(draws);
  const int64_t ext_wholesale = prices.cost * prices.quantity;
  put(row.quantity, prices.quantity);
  put(row.wholesale_cost, prices.cost);
  put(row.list_price, prices.list);
  put(row.sales_price, prices.price);
  put(row.discount, prices.coupon);
  put(row.ext_sales, prices.ext_sales);
  put(row.ext_wholesale, ext_wholesale);
  put(row.ext_list, prices.list * prices.quantity);
  put(row.tax, prices.tax);
  put(row.coupon, prices.coupon);
  put(row.paid, prices.paid);
  put(row.paid_tax, prices.paid + prices.tax);
  put(row.profit, prices.paid - ext_wholesale);
  return row;
}

}  // namespace

SalesSizes sales_sizes(double scale, uint64_t seed) {
  return {seed,
          store_sales_blocks(scale),
          item_rows(scale),
          customer_rows(scale),
          customer_address_rows(scale),
          store_rows(scale),
          promotion_rows(scale)};
}

int32_t sold_item(const SalesSizes& sizes, int64_t ticket, int64_t line) {
  // Items of one ticket differ: a stride that shares no factor with small counts, from a random start.
  const int64_t start = Draws(sizes.seed, ticket_table, -ticket).between(0, sizes.items - 1);
  return static_cast<int32_t>((start + line * 7919) % sizes.items + 1);
}

BlockStarts ticket_starts(const SalesSizes& sizes, int64_t block) {
  return block_starts(sizes.seed, block_table, block, shape);
}

SalesRow SalesLines::at(int64_t index) {
  if (index / block_lines != block_) {
    block_ = index / block_lines;
    starts_ = ticket_starts(sizes_, block_);
  }
  const auto in_block = static_cast<int32_t>(index % block_lines);
  const auto number = std::upper_bound(starts_.begin(), starts_.end(), in_block) - starts_.begin() - 1;
  if (block_ * block_tickets + number != ticket_index_) {
    ticket_index_ = block_ * block_tickets + number;
    ticket_ = make_ticket(sizes_, ticket_index_);
  }
  return make_row(sizes_, gaps_, index, ticket_, in_block - starts_[static_cast<size_t>(number)]);
}

}  // namespace quern::cpu::tpcds
