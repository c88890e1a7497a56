// Row counts by scale factor, as the TPC-DS description tabulates them; between its steps by the power law through the
// neighbours, below scale 1 in proportion.
#pragma once
#include <cstdint>

namespace quern::cpu::tpcds {

int64_t item_rows(double scale);
int64_t store_rows(double scale);
int64_t customer_rows(double scale);
int64_t customer_address_rows(double scale);
int64_t promotion_rows(double scale);
int64_t reason_rows(double scale);
int64_t warehouse_rows(double scale);
int64_t web_site_rows(double scale);
int64_t web_page_rows(double scale);
int64_t call_center_rows(double scale);
int64_t catalog_page_rows(double scale);
constexpr int64_t income_band_rows = 20;
constexpr int64_t ship_mode_rows = 20;
constexpr int64_t customer_demographics_rows = 1'920'800;
constexpr int64_t household_demographics_rows = 7'200;
constexpr int64_t time_rows = 86'400;
constexpr int64_t date_rows = 73'049;
constexpr int64_t first_date_sk = 2'415'022;  // 1900-01-02, a Julian day number
constexpr int32_t first_date_day = -25'566;   // the same as days since 1970-01-01

// Tickets come in blocks of this many with exactly this many sales lines, so that a line finds its ticket by division.
constexpr int64_t block_tickets = 100;
constexpr int64_t block_lines = 1'200;
// 2,400 blocks = 2,880,000 lines at scale 1.
int64_t store_sales_blocks(double scale);
int64_t store_returns_rows(double scale);
// 600 blocks of 1,200 lines, 1,600 blocks of 900 lines at scale 1.
int64_t web_sales_blocks(double scale);
int64_t catalog_sales_blocks(double scale);
int64_t web_returns_rows(double scale);
int64_t catalog_returns_rows(double scale);

}  // namespace quern::cpu::tpcds
