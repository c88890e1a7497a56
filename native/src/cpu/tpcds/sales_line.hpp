// Lines of store_sales: what store_sales, store_returns and basket are made of.
#pragma once
#include <optional>

#include "cpu/tpcds/sale.hpp"

namespace quern::cpu::tpcds {

// What the draws of a line depend on.
struct SalesSizes {
  uint64_t seed;
  int64_t blocks, items, customers, addresses, stores, promotions;
};
SalesSizes sales_sizes(double scale, uint64_t seed);

struct Ticket {
  int64_t number;
  int32_t date_sk, time_sk;
  int64_t customer, demographics, household, address, store;
};

struct SalesRow {
  std::optional<int32_t> date_sk, time_sk, customer, demographics, household, address, store, promotion, quantity;
  int32_t item;
  int64_t ticket;
  // cents
  std::optional<int64_t> wholesale_cost, list_price, sales_price, discount, ext_sales, ext_wholesale, ext_list, tax,
      coupon, paid, paid_tax, profit;
};

// Item of a line of a ticket.
int32_t sold_item(const SalesSizes& sizes, int64_t ticket, int64_t line);

// First line of each ticket of a block, and the end.
BlockStarts ticket_starts(const SalesSizes& sizes, int64_t block);

// Makes lines by number; cheapest in ascending order.
class SalesLines {
 public:
  SalesLines(const SalesSizes& sizes, Gaps gaps) : sizes_(sizes), gaps_(gaps) {}
  SalesRow at(int64_t index);

 private:
  const SalesSizes& sizes_;
  Gaps gaps_;
  int64_t block_ = -1;
  int64_t ticket_index_ = -1;
  BlockStarts starts_{};
  Ticket ticket_{};
};

}  // namespace quern::cpu::tpcds
