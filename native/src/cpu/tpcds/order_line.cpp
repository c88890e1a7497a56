#include "cpu/tpcds/order_line.hpp"

#include <algorithm>

namespace quern::cpu::tpcds {

namespace {

// Numbers of a channel's draws, from its first.
enum DrawTable : uint64_t { of_line, of_order, of_block };

Person make_person(Draws& draws, const Channel& channel) {
  return {draws.between(1, channel.customers), draws.between(1, customer_demographics_rows),
          draws.between(1, household_demographics_rows), draws.between(1, channel.addresses)};
}

// What an order is when it does not follow another.
struct Fresh {
  Person buyer;
  int64_t first_item;
};

Fresh make_fresh(const Channel& channel, int64_t index) {
  Draws draws(channel.seed, channel.table + of_order, -index - 1);
  const Person buyer = make_person(draws, channel);
  return {buyer, draws.between(0, channel.items - 1)};
}

Order make_order(const Channel& channel, int64_t index) {
  Draws draws(channel.seed, channel.table + of_order, index);
  const int64_t orders = channel.blocks * block_tickets;
  Order order{};
  order.number = index + 1;
  // A place in time near the order's place among all, so that order numbers rise with time.
  order.date_sk = sold_date_sk((static_cast<double>(index) + draws.unit()) / static_cast<double>(orders));
  order.time_sk = static_cast<int32_t>(draws.between(0, time_rows - 1));
  Fresh fresh = make_fresh(channel, index);
  // One order of four comes from the buyer of an order of the last days, and three of ten of those name the same items.
  const double orders_a_day = static_cast<double>(orders) / sale_days;
  const auto back = std::max<int64_t>(1, std::llround(orders_a_day * static_cast<double>(draws.between(1, 10))));
  const bool follows = draws.chance(0.25) && back <= index;
  const bool same_items = draws.chance(0.3);
  if (follows) {
    const Fresh before = make_fresh(channel, index - back);
    fresh.buyer = before.buyer;
    if (same_items) fresh.first_item = before.first_item;
  }
  order.bill = fresh.buyer;
  order.first_item = fresh.first_item;
  // Most orders go to the buyer; of those some to another address; the others are gifts.
  order.ship = draws.chance(0.85) ? order.bill : make_person(draws, channel);
  if (draws.chance(0.15)) order.ship.address = draws.between(1, channel.addresses);
  order.place = draws.between(1, channel.places);
  return order;
}

OrderRow make_row(const Channel& channel, Gaps gaps, int64_t index, const Order& order, int64_t line) {
  Draws draws(channel.seed, channel.table + of_line, index);
  OrderRow row{};
  row.order = order.number;
  // Items of one order differ: a stride that shares no factor with small counts.
  row.item = static_cast<int32_t>((order.first_item + line * 7919) % channel.items + 1);
  const auto put = [&](auto& into, int64_t value) {
    const bool gap = draws.chance(channel.missing);  // drawn in any case: the later draws stay the same
    if (gap && gaps == Gaps::as_written) return;
    into = static_cast<typename std::remove_reference_t<decltype(into)>::value_type>(value);
  };
  const auto put_person = [&](SomePerson& into, const Person& person) {
    put(into.customer, person.customer);
    put(into.demographics, person.demographics);
    put(into.household, person.household);
    put(into.address, person.address);
  };
  put(row.date_sk, order.date_sk);
  put(row.time_sk, order.time_sk);
  put(row.ship_date_sk, order.date_sk + draws.between(2, 120));
  put_person(row.bill, order.bill);
  put_person(row.ship, order.ship);
  put(row.place, order.place);
  put(row.page, draws.between(1, channel.pages));
  put(row.ship_mode, draws.between(1, ship_mode_rows));
  put(row.warehouse, draws.between(1, channel.warehouses));
  put(row.promotion, draws.between(1, channel.promotions));

  const Prices prices = make_prices(draws);
  const int64_t ext_wholesale = prices.cost * prices.quantity;
  const int64_t ext_list = prices.list * prices.quantity;
  const auto shipping = static_cast<int64_t>(static_cast<double>(ext_list) * 0.5 * draws.unit());
  put(row.quantity, prices.quantity);
  put(row.wholesale_cost, prices.cost);
  put(row.list_price, prices.list);
  put(row.sales_price, prices.price);
  put(row.discount, ext_list - prices.ext_sales);
  put(row.ext_sales, prices.ext_sales);
  put(row.ext_wholesale, ext_wholesale);
  put(row.ext_list, ext_list);
  put(row.tax, prices.tax);
  put(row.coupon, prices.coupon);
  put(row.shipping, shipping);
  put(row.paid, prices.paid);
  put(row.paid_tax, prices.paid + prices.tax);
  put(row.paid_shipping, prices.paid + shipping);
  put(row.paid_shipping_tax, prices.paid + shipping + prices.tax);
  put(row.profit, prices.paid - ext_wholesale);
  return row;
}

Channel make_channel(double scale, uint64_t seed) {
  Channel channel{};
  channel.seed = seed;
  channel.items = item_rows(scale);
  channel.customers = customer_rows(scale);
  channel.addresses = customer_address_rows(scale);
  channel.promotions = promotion_rows(scale);
  channel.warehouses = warehouse_rows(scale);
  return channel;
}

}  // namespace

Channel web_channel(double scale, uint64_t seed) {
  Channel channel = make_channel(scale, seed);
  channel.table = 50;
  channel.shape = {8, 16, 1'200};
  channel.missing = 0.00025;
  channel.blocks = web_sales_blocks(scale);
  channel.places = web_site_rows(scale);
  channel.pages = web_page_rows(scale);
  return channel;
}

Channel catalog_channel(double scale, uint64_t seed) {
  Channel channel = make_channel(scale, seed);
  channel.table = 60;
  channel.shape = {4, 14, 900};
  channel.missing = 0.005;
  channel.blocks = catalog_sales_blocks(scale);
  channel.places = call_center_rows(scale);
  channel.pages = catalog_page_rows(scale);
  return channel;
}

OrderRow OrderLines::at(int64_t index) {
  const int64_t lines = channel_.shape.lines;
  if (index / lines != block_) {
    block_ = index / lines;
    starts_ = block_starts(channel_.seed, channel_.table + of_block, block_, channel_.shape);
  }
  const auto in_block = static_cast<int32_t>(index % lines);
  const auto number = std::upper_bound(starts_.begin(), starts_.end(), in_block) - starts_.begin() - 1;
  if (block_ * block_tickets + number != order_index_) {
    order_index_ = block_ * block_tickets + number;
    order_ = make_order(channel_, order_index_);
  }
  return make_row(channel_, gaps_, index, order_, in_block - starts_[static_cast<size_t>(number)]);
}

}  // namespace quern::cpu::tpcds
