// The generated TPC-DS-style tables: schema, counts and skews written from the public description of the benchmark.
#pragma once
#include <memory>

#include "cpu/generate.hpp"

namespace quern::cpu::tpcds {

std::unique_ptr<Generator> make_date_dim(double scale, uint64_t seed);
std::unique_ptr<Generator> make_item(double scale, uint64_t seed);
std::unique_ptr<Generator> make_store(double scale, uint64_t seed);
std::unique_ptr<Generator> make_store_sales(double scale, uint64_t seed);
std::unique_ptr<Generator> make_customer(double scale, uint64_t seed);
std::unique_ptr<Generator> make_customer_address(double scale, uint64_t seed);
std::unique_ptr<Generator> make_customer_demographics(double scale, uint64_t seed);
std::unique_ptr<Generator> make_household_demographics(double scale, uint64_t seed);
std::unique_ptr<Generator> make_time_dim(double scale, uint64_t seed);
std::unique_ptr<Generator> make_promotion(double scale, uint64_t seed);
std::unique_ptr<Generator> make_store_returns(double scale, uint64_t seed);
std::unique_ptr<Generator> make_web_sales(double scale, uint64_t seed);
std::unique_ptr<Generator> make_web_returns(double scale, uint64_t seed);
std::unique_ptr<Generator> make_catalog_sales(double scale, uint64_t seed);
std::unique_ptr<Generator> make_catalog_returns(double scale, uint64_t seed);
std::unique_ptr<Generator> make_inventory(double scale, uint64_t seed);
std::unique_ptr<Generator> make_warehouse(double scale, uint64_t seed);
std::unique_ptr<Generator> make_income_band(double scale, uint64_t seed);
std::unique_ptr<Generator> make_reason(double scale, uint64_t seed);
std::unique_ptr<Generator> make_ship_mode(double scale, uint64_t seed);
std::unique_ptr<Generator> make_web_site(double scale, uint64_t seed);
std::unique_ptr<Generator> make_web_page(double scale, uint64_t seed);
std::unique_ptr<Generator> make_call_center(double scale, uint64_t seed);
std::unique_ptr<Generator> make_catalog_page(double scale, uint64_t seed);
// basket(ticket, items INTEGER[]): the items of each ticket of store_sales.
std::unique_ptr<Generator> make_basket(double scale, uint64_t seed);
// item_vec(item_sk, vec FLOAT[64]): an embedding an item, items of one class near each other; about 1 % NULL, some
// zero.
std::unique_ptr<Generator> make_item_vec(double scale, uint64_t seed);
// One more row of the same shape whose vector is shorter, for a second file.
std::unique_ptr<Generator> make_item_vec_short(double scale, uint64_t seed);

}  // namespace quern::cpu::tpcds
