// Lines of the orders that are sent to their buyers: what web_sales, catalog_sales and their returns are made of.
#pragma once
#include <optional>

#include "cpu/tpcds/sale.hpp"

namespace quern::cpu::tpcds {

// A way of selling by order, and the sizes of the tables that its lines name.
struct Channel {
  uint64_t seed;
  uint64_t table;  // first of three numbers for draws
  BlockShape shape;
  double missing;  // share of NULL in every column but item and order
  int64_t blocks;
  int64_t items, customers, addresses, promotions, warehouses;
  int64_t places;  // web sites, call centers: one an order
  int64_t pages;   // web pages, catalog pages: one a line

  int64_t lines() const { return blocks * shape.lines; }
};
Channel web_channel(double scale, uint64_t seed);
Channel catalog_channel(double scale, uint64_t seed);

struct Person {
  int64_t customer, demographics, household, address;
};

struct Order {
  int64_t number;
  int32_t date_sk, time_sk;
  Person bill, ship;
  int64_t place;
  int64_t first_item;  // items follow in strides from here, counted from 0
};

struct SomePerson {
  std::optional<int32_t> customer, demographics, household, address;
};

struct OrderRow {
  std::optional<int32_t> date_sk, time_sk, ship_date_sk;
  SomePerson bill, ship;
  std::optional<int32_t> place, page, ship_mode, warehouse, promotion, quantity;
  int32_t item;
  int64_t order;
  // cents
  std::optional<int64_t> wholesale_cost, list_price, sales_price, discount, ext_sales, ext_wholesale, ext_list, tax,
      coupon, shipping, paid, paid_tax, paid_shipping, paid_shipping_tax, profit;
};

// Makes lines by number; cheapest in ascending order.
class OrderLines {
 public:
  OrderLines(const Channel& channel, Gaps gaps) : channel_(channel), gaps_(gaps) {}
  OrderRow at(int64_t index);

 private:
  const Channel& channel_;
  Gaps gaps_;
  int64_t block_ = -1;
  int64_t order_index_ = -1;
  BlockStarts starts_{};
  Order order_{};
};

}  // namespace quern::cpu::tpcds
