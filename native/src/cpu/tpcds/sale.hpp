// What sales of all channels share: lines in blocks, when they are sold, what is paid, what comes back.
#pragma once
#include <array>
#include <cstdint>

#include "cpu/tpcds/random.hpp"
#include "cpu/tpcds/scale.hpp"

namespace quern::cpu::tpcds {

// Lines of the orders (tickets) of a block: `least` to `most` an order, `lines` in all.
struct BlockShape {
  int32_t least, most;
  int64_t lines;
};

using BlockStarts = std::array<int32_t, block_tickets + 1>;
// First line of each order of a block, and the end.
BlockStarts block_starts(uint64_t seed, uint64_t table, int64_t block, const BlockShape& shape);

// Are values left out as in the table, or all there?
enum class Gaps { as_written, none };

constexpr int32_t first_sale_sk = 2'450'816;  // 1998-01-02
constexpr int32_t sale_days = 1'826;          // to 2003-01-01

// Day of a sale by its place among all in time, in [0, 1): more sales towards the end of a year.
int32_t sold_date_sk(double place);

// Money of a line, in cents.
struct Prices {
  int64_t quantity, cost, list, price, ext_sales, coupon, paid, tax;
};
Prices make_prices(Draws& draws);

// What of a line comes back, in cents: the amount as cash, then to the card, the rest as credit.
struct Refund {
  int64_t quantity, amount, tax, fee, shipping, cash, card, credit;
};
Refund make_refund(Draws& draws, int64_t sold_quantity, int64_t price, int64_t list);

// The sold line of return `index` of `returns`: lines are cut into as many equal stretches, one line of each.
int64_t returned_line(uint64_t seed, uint64_t table, int64_t index, int64_t returns, int64_t lines);

}  // namespace quern::cpu::tpcds
