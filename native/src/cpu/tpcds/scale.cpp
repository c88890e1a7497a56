#include "cpu/tpcds/scale.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace quern::cpu::tpcds {

namespace {

constexpr std::array<double, 7> steps = {1, 10, 100, 300, 1000, 3000, 10000};
using Counts = std::array<double, 7>;

int64_t rows_at(const Counts& counts, double scale, int64_t least) {
  if (scale <= 1) return std::max(least, static_cast<int64_t>(std::llround(counts[0] * scale)));
  size_t upper = 1;
  while (upper + 1 < steps.size() && steps[upper] < scale) ++upper;
  const double slope = std::log(counts[upper] / counts[upper - 1]) / std::log(steps[upper] / steps[upper - 1]);
  return std::llround(counts[upper - 1] * std::pow(scale / steps[upper - 1], slope));
}

}  // namespace

int64_t item_rows(double scale) { return rows_at({18000, 102000, 204000, 264000, 300000, 360000, 402000}, scale, 100); }
int64_t store_rows(double scale) { return rows_at({12, 102, 402, 804, 1002, 1350, 1500}, scale, 4); }
int64_t customer_rows(double scale) {
  return rows_at({100000, 500000, 2000000, 5000000, 12000000, 30000000, 65000000}, scale, 100);
}
int64_t customer_address_rows(double scale) {
  return rows_at({50000, 250000, 1000000, 2500000, 6000000, 15000000, 32500000}, scale, 50);
}
int64_t promotion_rows(double scale) { return rows_at({300, 500, 1000, 1300, 1500, 1800, 2000}, scale, 10); }
int64_t reason_rows(double scale) { return rows_at({35, 45, 55, 60, 65, 67, 70}, scale, 35); }
int64_t store_returns_rows(double scale) {
  return rows_at({287514, 2875432, 28795080, 86393244, 287999764, 863989652, 2879970104}, scale, 100);
}
int64_t warehouse_rows(double scale) { return rows_at({5, 10, 15, 17, 20, 22, 25}, scale, 5); }
int64_t web_site_rows(double scale) { return rows_at({30, 42, 24, 48, 54, 66, 78}, scale, 2); }
int64_t web_page_rows(double scale) { return rows_at({60, 200, 2040, 2604, 3000, 3600, 4002}, scale, 10); }
int64_t call_center_rows(double scale) { return rows_at({6, 24, 30, 36, 42, 48, 54}, scale, 2); }
int64_t catalog_page_rows(double scale) {
  return rows_at({11718, 12000, 20400, 26000, 30000, 36000, 40000}, scale, 100);
}
int64_t web_returns_rows(double scale) {
  return rows_at({71763, 719217, 7197670, 21599377, 71997522, 216003761, 720020485}, scale, 50);
}
int64_t catalog_returns_rows(double scale) {
  return rows_at({144067, 1439749, 14404374, 43193472, 143996756, 432018033, 1440033112}, scale, 100);
}
int64_t web_sales_blocks(double scale) { return std::max<int64_t>(1, std::llround(600 * scale)); }
int64_t catalog_sales_blocks(double scale) { return std::max<int64_t>(1, std::llround(1600 * scale)); }
int64_t store_sales_blocks(double scale) { return std::max<int64_t>(1, std::llround(2400 * scale)); }

}  // namespace quern::cpu::tpcds
