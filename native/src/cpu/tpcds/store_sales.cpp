// store_sales: lines of tickets, in ticket order, tickets in order of time over five years with more sales towards the
// end of a year. About 4.5 % of every column but item and ticket is NULL.
#include <algorithm>
#include <array>
#include <mutex>

#include "cpu/tpcds/random.hpp"
#include "cpu/tpcds/row_table.hpp"
#include "cpu/tpcds/scale.hpp"
#include "cpu/tpcds/tables.hpp"
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

struct Sizes {
  double scale;
  uint64_t seed;
  int64_t blocks, items, customers, addresses, stores, promotions;
};

struct Ticket {
  int64_t number;
  int32_t date_sk, time_sk;
  int64_t customer, demographics, household, address, store;
};

Ticket make_ticket(const Sizes& sizes, int64_t index) {
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

// First line of each ticket of a block, and the end: sizes of 8 to 16 that sum to block_lines.
std::array<int32_t, block_tickets + 1> ticket_starts(const Sizes& sizes, int64_t block) {
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
  std::array<int32_t, block_tickets + 1> starts{};
  for (size_t i = 0; i < lines.size(); ++i) starts[i + 1] = starts[i] + lines[i];
  return starts;
}

struct SalesRow {
  std::optional<int32_t> date_sk, time_sk, customer, demographics, household, address, store, promotion, quantity;
  int32_t item;
  int64_t ticket;
  // cents
  std::optional<int64_t> wholesale_cost, list_price, sales_price, discount, ext_sales, ext_wholesale, ext_list, tax,
      coupon, paid, paid_tax, profit;
};

SalesRow make_row(const Sizes& sizes, int64_t index, const Ticket& ticket, int64_t line) {
  Draws draws(sizes.seed, line_table, index);
  SalesRow row{};
  row.ticket = ticket.number;
  // Items of one ticket differ: a stride that shares no factor with small counts, from a random start.
  const int64_t start = Draws(sizes.seed, ticket_table, -ticket.number).between(0, sizes.items - 1);
  row.item = static_cast<int32_t>((start + line * 7919) % sizes.items + 1);
  const auto put = [&](auto& into, int64_t value) {
    if (!draws.chance(missing)) into = static_cast<typename std::remove_reference_t<decltype(into)>::value_type>(value);
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

std::unique_ptr<Generator> make_store_sales(double scale, uint64_t seed) {
  using Row = SalesRow;
  const Sizes sizes{scale,
                    seed,
                    store_sales_blocks(scale),
                    item_rows(scale),
                    customer_rows(scale),
                    customer_address_rows(scale),
                    store_rows(scale),
                    promotion_rows(scale)};
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
    int64_t block = -1;
    int64_t ticket_index = -1;
    std::array<int32_t, block_tickets + 1> starts{};
    Ticket ticket{};
    for (size_t i = 0; i < rows.size(); ++i) {
      const int64_t index = start + static_cast<int64_t>(i);
      if (index / block_lines != block) {
        block = index / block_lines;
        starts = ticket_starts(sizes, block);
      }
      const auto in_block = static_cast<int32_t>(index % block_lines);
      const auto number = std::upper_bound(starts.begin(), starts.end(), in_block) - starts.begin() - 1;
      if (block * block_tickets + number != ticket_index) {
        ticket_index = block * block_tickets + number;
        ticket = make_ticket(sizes, ticket_index);
      }
      rows[i] = make_row(sizes, index, ticket, in_block - starts[static_cast<size_t>(number)]);
    }
  };
  return std::make_unique<RowTable<Row>>(sizes.blocks * block_lines, fill, std::move(columns));
}

}  // namespace quern::cpu::tpcds
