#include "cpu/tpcds/sales_line.hpp"

#include <algorithm>

#include "cpu/tpcds/random.hpp"
#include "ops/calendar.hpp"

namespace quern::cpu::tpcds {

namespace {

constexpr uint64_t line_table = 4;
constexpr uint64_t ticket_table = 40;
constexpr uint64_t block_table = 41;
constexpr double missing = 0.045;
constexpr int32_t first_day = 10'228;  // 1998-01-02
constexpr int32_t days = 1'826;        // to 2003-01-01

// Sales of a month against those of January: the description's three zones, low to July, middle to October, high after.
constexpr std::array<double, 12> month_weight = {1, 1, 1, 1, 1, 1, 1, 1.5, 1.5, 1.5, 2.6, 2.6};

// Cumulative share of sales at the end of each day.
const std::array<double, days>& day_shares() {
  static const auto shares = [] {
    std::array<double, days> out{};
    double total = 0;
    for (int32_t d = 0; d < days; ++d) {
      total += month_weight[static_cast<size_t>(ops::civil_of_days(first_day + d).month) - 1];
      out[static_cast<size_t>(d)] = total;
    }
    for (auto& share : out) share /= total;
    return out;
  }();
  return shares;
}

Ticket make_ticket(const SalesSizes& sizes, int64_t index) {
  Draws draws(sizes.seed, ticket_table, index);
  Ticket ticket{};
  ticket.number = index + 1;
  // A place in time near the ticket's place among all, so that ticket numbers rise with time.
  const double at = (static_cast<double>(index) + draws.unit()) / static_cast<double>(sizes.blocks * block_tickets);
  const auto& shares = day_shares();
  const auto day = std::lower_bound(shares.begin(), shares.end(), at) - shares.begin();
  ticket.date_sk = static_cast<int32_t>(first_date_sk - first_date_day + first_day + std::min<int64_t>(day, days - 1));
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

  const int64_t quantity = draws.between(1, 100);
  const int64_t cost = draws.between(100, 10'000);
  const auto list = static_cast<int64_t>(static_cast<double>(cost) * (1 + draws.unit()));
  const auto price = static_cast<int64_t>(static_cast<double>(list) * (1 - draws.unit()));
  const int64_t ext_sales = price * quantity;
  const int64_t coupon = draws.chance(0.2) ? static_cast<int64_t>(static_cast<double>(ext_sales) * draws.unit()) : 0;
  const int64_t paid = ext_sales - coupon;
  const int64_t tax = paid * draws.between(0, 9) / 100;
  put(row.quantity, quantity);
  put(row.wholesale_cost, cost);
  put(row.list_price, list);
  put(row.sales_price, price);
  put(row.discount, coupon);
  put(row.ext_sales, ext_sales);
  put(row.ext_wholesale, cost * quantity);
  put(row.ext_list, list * quantity);
  put(row.tax, tax);
  put(row.coupon, coupon);
  put(row.paid, paid);
  put(row.paid_tax, paid + tax);
  put(row.profit, paid - cost * quantity);
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

TicketStarts ticket_starts(const SalesSizes& sizes, int64_t block) {
  Draws draws(sizes.seed, block_table, block);
  std::array<int32_t, block_tickets> lines{};
  int64_t total = 0;
  for (auto& count : lines) total += count = static_cast<int32_t>(draws.between(8, 16));
  for (size_t i = 0; total != block_lines; i = (i + 1) % lines.size()) {
    if (total > block_lines && lines[i] > 8) {
      --lines[i];
      --total;
    } else if (total < block_lines && lines[i] < 16) {
      ++lines[i];
      ++total;
    }
  }
  TicketStarts starts{};
  for (size_t i = 0; i < lines.size(); ++i) starts[i + 1] = starts[i] + lines[i];
  return starts;
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
