// household_demographics: every combination of four properties once, the first changing fastest; the same at any scale.
#include <array>

#include "cpu/tpcds/row_table.hpp"
#include "cpu/tpcds/scale.hpp"
#include "cpu/tpcds/tables.hpp"

namespace quern::cpu::tpcds {

namespace {

constexpr std::array<const char*, 6> potentials = {">10000", "5001-10000", "1001-5000", "501-1000", "0-500", "Unknown"};
constexpr int64_t bands = 20;       // of income, from 1
constexpr int64_t dependants = 10;  // 0 to 9
constexpr int64_t vehicles = 6;     // -1 (unknown) to 4
static_assert(bands * static_cast<int64_t>(potentials.size()) * dependants * vehicles == household_demographics_rows);

struct HouseholdRow {
  int64_t sk, band;
  const char* potential;
  int64_t dependants, vehicles;
};

HouseholdRow make_row(int64_t index) {
  HouseholdRow row{};
  row.sk = index + 1;
  row.band = index % bands + 1;
  index /= bands;
  row.potential = potentials[static_cast<size_t>(index) % potentials.size()];
  index /= static_cast<int64_t>(potentials.size());
  row.dependants = index % dependants;
  row.vehicles = index / dependants - 1;
  return row;
}

}  // namespace

std::unique_ptr<Generator> make_household_demographics(double /*scale*/, uint64_t /*seed*/) {
  using Row = HouseholdRow;
  std::vector<RowColumn<Row>> columns = {
      int32_column<Row>("hd_demo_sk", [](const Row& r) { return r.sk; }),
      int32_column<Row>("hd_income_band_sk", [](const Row& r) { return r.band; }),
      text_column<Row>("hd_buy_potential", [](const Row& r) { return std::string(r.potential); }),
      int32_column<Row>("hd_dep_count", [](const Row& r) { return r.dependants; }),
      int32_column<Row>("hd_vehicle_count", [](const Row& r) { return r.vehicles; }),
  };
  const auto fill = [](int64_t start, std::vector<Row>& rows) {
    for (size_t i = 0; i < rows.size(); ++i) rows[i] = make_row(start + static_cast<int64_t>(i));
  };
  return std::make_unique<RowTable<Row>>(household_demographics_rows, fill, std::move(columns));
}

}  // namespace quern::cpu::tpcds
