#include "cpu/tpcds/sale.hpp"

#include <algorithm>

#include "ops/calendar.hpp"

namespace quern::cpu::tpcds {

namespace {

constexpr int32_t first_day = first_sale_sk - static_cast<int32_t>(first_date_sk) + first_date_day;

// Sales of a month against those of January: the description's three zones, low to July, middle to October, high after.
constexpr std::array<double, 12> month_weight = {1, 1, 1, 1, 1, 1, 1, 1.5, 1.5, 1.5, 2.6, 2.6};

// Cumulative share of sales at the end of each day.
const std::array<double, sale_days>& day_shares() {
  static const auto shares = [] {
    std::array<double, sale_days> out{};
    double total = 0;
    for (int32_t d = 0; d < sale_days; ++d) {
      total += month_weight[static_cast<size_t>(ops::civil_of_days(first_day + d).month) - 1];
      out[static_cast<size_t>(d)] = total;
    }
    for (auto& share : out) share /= total;
    return out;
  }();
  return shares;
}

}  // namespace

int32_t sold_date_sk(double place) {
  const auto& shares = day_shares();
  const auto day = std::lower_bound(shares.begin(), shares.end(), place) - shares.begin();
  return first_sale_sk + static_cast<int32_t>(std::min<int64_t>(day, sale_days - 1));
}

BlockStarts block_starts(uint64_t seed, uint64_t table, int64_t block, const BlockShape& shape) {
  Draws draws(seed, table, block);
  std::array<int32_t, block_tickets> lines{};
  int64_t total = 0;
  for (auto& count : lines) total += count = static_cast<int32_t>(draws.between(shape.least, shape.most));
  for (size_t i = 0; total != shape.lines; i = (i + 1) % lines.size()) {
    if (total > shape.lines && lines[i] > shape.least) {
      --lines[i];
      --total;
    } else if (total < shape.lines && lines[i] < shape.most) {
      ++lines[i];
      ++total;
    }
  }
  BlockStarts starts{};
  for (size_t i = 0; i < lines.size(); ++i) starts[i + 1] = starts[i] + lines[i];
  return starts;
}

Prices make_prices(Draws& draws) {
  Prices prices{};
  prices.quantity = draws.between(1, 100);
  prices.cost = draws.between(100, 10'000);
  prices.list = static_cast<int64_t>(static_cast<double>(prices.cost) * (1 + draws.unit()));
  prices.price = static_cast<int64_t>(static_cast<double>(prices.list) * (1 - draws.unit()));
  prices.ext_sales = prices.price * prices.quantity;
  prices.coupon = draws.chance(0.2) ? static_cast<int64_t>(static_cast<double>(prices.ext_sales) * draws.unit()) : 0;
  prices.paid = prices.ext_sales - prices.coupon;
  prices.tax = prices.paid * draws.between(0, 9) / 100;
  return prices;
}

Refund make_refund(Draws& draws, int64_t sold_quantity, int64_t price, int64_t list) {
  Refund refund{};
  refund.quantity = draws.between(1, sold_quantity);
  refund.amount = price * refund.quantity;
  refund.tax = refund.amount * draws.between(0, 9) / 100;
  refund.fee = draws.between(50, 10'000);
  refund.shipping = static_cast<int64_t>(static_cast<double>(list * refund.quantity) * 0.5 * draws.unit());
  refund.cash = static_cast<int64_t>(static_cast<double>(refund.amount) * draws.unit());
  refund.card = static_cast<int64_t>(static_cast<double>(refund.amount - refund.cash) * draws.unit());
  refund.credit = refund.amount - refund.cash - refund.card;
  return refund;
}

int64_t returned_line(uint64_t seed, uint64_t table, int64_t index, int64_t returns, int64_t lines) {
  const auto edge = [&](int64_t i) { return static_cast<int64_t>(static_cast<int128_t>(i) * lines / returns); };
  return Draws(seed, table, index).between(edge(index), edge(index + 1) - 1);
}

}  // namespace quern::cpu::tpcds
