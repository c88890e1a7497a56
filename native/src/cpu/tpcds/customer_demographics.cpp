// customer_demographics: every combination of nine properties once, the first changing fastest; the same at any scale.
#include <array>

#include "cpu/tpcds/row_table.hpp"
#include "cpu/tpcds/scale.hpp"
#include "cpu/tpcds/tables.hpp"

namespace quern::cpu::tpcds {

namespace {

constexpr std::array<const char*, 2> genders = {"M", "F"};
constexpr std::array<const char*, 5> marital = {"M", "S", "D", "W", "U"};
constexpr std::array<const char*, 7> education = {"Primary",     "Secondary",       "College", "2 yr Degree",
                                                  "4 yr Degree", "Advanced Degree", "Unknown"};
constexpr std::array<const char*, 4> ratings = {"Good", "Low Risk", "High Risk", "Unknown"};
constexpr int32_t estimates = 20;  // 500, 1,000 … 10,000
constexpr int32_t dependants = 7;  // 0 to 6
static_assert(genders.size() * marital.size() * education.size() * estimates * ratings.size() * dependants *
                  dependants * dependants ==
              customer_demographics_rows);

struct DemographicsRow {
  int32_t sk;
  const char* gender;
  const char* marital;
  const char* education;
  int32_t estimate;
  const char* rating;
  int32_t dependants, employed, college;
};

DemographicsRow make_row(int64_t index) {
  int64_t left = index;
  const auto digit = [&](int64_t base) {
    const auto value = static_cast<size_t>(left % base);
    left /= base;
    return value;
  };
  DemographicsRow row{};
  row.sk = static_cast<int32_t>(index + 1);
  row.gender = genders[digit(genders.size())];
  row.marital = marital[digit(marital.size())];
  row.education = education[digit(education.size())];
  row.estimate = static_cast<int32_t>(digit(estimates) + 1) * 500;
  row.rating = ratings[digit(ratings.size())];
  row.dependants = static_cast<int32_t>(digit(dependants));
  row.employed = static_cast<int32_t>(digit(dependants));
  row.college = static_cast<int32_t>(digit(dependants));
  return row;
}

}  // namespace

std::unique_ptr<Generator> make_customer_demographics(double /*scale*/, uint64_t /*seed*/) {
  using Row = DemographicsRow;
  std::vector<RowColumn<Row>> columns = {
      int32_column<Row>("cd_demo_sk", [](const Row& r) { return r.sk; }),
      text_column<Row>("cd_gender", [](const Row& r) { return std::string(r.gender); }),
      text_column<Row>("cd_marital_status", [](const Row& r) { return std::string(r.marital); }),
      text_column<Row>("cd_education_status", [](const Row& r) { return std::string(r.education); }),
      int32_column<Row>("cd_purchase_estimate", [](const Row& r) { return r.estimate; }),
      text_column<Row>("cd_credit_rating", [](const Row& r) { return std::string(r.rating); }),
      int32_column<Row>("cd_dep_count", [](const Row& r) { return r.dependants; }),
      int32_column<Row>("cd_dep_employed_count", [](const Row& r) { return r.employed; }),
      int32_column<Row>("cd_dep_college_count", [](const Row& r) { return r.college; }),
  };
  const auto fill = [](int64_t start, std::vector<Row>& rows) {
    for (size_t i = 0; i < rows.size(); ++i) rows[i] = make_row(start + static_cast<int64_t>(i));
  };
  return std::make_unique<RowTable<Row>>(customer_demographics_rows, fill, std::move(columns));
}

}  // namespace quern::cpu::tpcds
