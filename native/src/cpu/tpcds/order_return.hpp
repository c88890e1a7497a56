// Lines of orders that are sent back: what web_returns and catalog_returns are made of.
#pragma once
#include <optional>
#include <vector>

#include "cpu/tpcds/order_line.hpp"

namespace quern::cpu::tpcds {

struct OrderReturns {
  Channel channel;
  uint64_t table;  // first of two numbers for draws
  int64_t rows;
  int64_t reasons;
  double missing;  // share of NULL in every column but item and order
};
OrderReturns web_order_returns(double scale, uint64_t seed);
OrderReturns catalog_order_returns(double scale, uint64_t seed);

struct OrderReturnRow {
  std::optional<int32_t> date_sk, time_sk;
  SomePerson refunded, returning;
  std::optional<int32_t> place, page, ship_mode, warehouse, reason, quantity;
  int32_t item;
  int64_t order;
  // cents
  std::optional<int64_t> amount, tax, amount_tax, fee, shipping, cash, card, credit, loss;
};

// Makes the rows [start, start + rows.size()): in the order of their sale, each line at most once.
void fill_order_returns(const OrderReturns& returns, int64_t start, std::vector<OrderReturnRow>& rows);

}  // namespace quern::cpu::tpcds
