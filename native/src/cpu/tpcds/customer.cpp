// customer: people, their current properties and address, and the days of their first sale. About 3.5 % of every column
// but the keys and the address is NULL.
#include "cpu/tpcds/person_words.hpp"
#include "cpu/tpcds/random.hpp"
#include "cpu/tpcds/row_table.hpp"
#include "cpu/tpcds/scale.hpp"
#include "cpu/tpcds/tables.hpp"
#include "ops/calendar.hpp"

namespace quern::cpu::tpcds {

namespace {

constexpr uint64_t table_number = 10;
constexpr double missing = 0.035;
constexpr int32_t first_sale_sk = 2'448'998;    // 1993-01-09
constexpr int32_t last_sale_sk = 2'452'648;     // 2003-01-08
constexpr int32_t first_review_sk = 2'452'283;  // 2002-01-08
constexpr std::array<const char*, 3> female_salutations = {"Ms.", "Mrs.", "Miss"};
constexpr std::array<const char*, 2> male_salutations = {"Mr.", "Sir"};
constexpr std::array<const char*, 3> domains = {".com", ".org", ".edu"};

struct CustomerRow {
  int64_t sk;
  int64_t address;
  std::optional<int32_t> demographics, household, first_shipto, first_sale, review;
  std::optional<int32_t> birth_day, birth_month, birth_year;
  std::optional<std::string> salutation, first_name, last_name, preferred, country, email;
};

struct Choices {
  Weights first_names, last_names;
};

const Choices& choices() {
  static const Choices all{Weights::falling(female_names.size(), 8), Weights::falling(last_names.size(), 6)};
  return all;
}

std::string email(Draws& draws, const std::string& first, const std::string& last) {
  std::string host;
  for (int64_t i = 0, n = draws.between(4, 14); i < n; ++i) host += static_cast<char>('a' + draws.between(0, 25));
  return first + "." + last + "@" + host + pick(draws, domains);
}

CustomerRow make_row(uint64_t seed, int64_t addresses, int64_t index) {
  static_assert(female_names.size() == male_names.size());
  Draws draws(seed, table_number, index);
  CustomerRow row{};
  row.sk = index + 1;
  row.address = draws.between(1, addresses);
  const auto present = [&] { return !draws.chance(missing); };
  const bool female = draws.chance(0.5);
  const auto name = choices().first_names.pick(draws);
  const std::string first = female ? female_names[name] : male_names[name];
  const std::string last = last_names[choices().last_names.pick(draws)];
  const auto sale = static_cast<int32_t>(draws.between(first_sale_sk, last_sale_sk));
  // A day of birth in 1924 … 1992.
  const auto birth =
      ops::civil_of_days(draws.between(ops::days_of_civil(1924, 1, 1), ops::days_of_civil(1992, 12, 31)));
  if (present()) row.demographics = static_cast<int32_t>(draws.between(1, customer_demographics_rows));
  if (present()) row.household = static_cast<int32_t>(draws.between(1, household_demographics_rows));
  if (present()) row.first_sale = sale;
  if (present()) row.first_shipto = sale + 30;
  if (present()) row.salutation = female ? pick(draws, female_salutations) : pick(draws, male_salutations);
  if (present()) row.first_name = first;
  if (present()) row.last_name = last;
  if (present()) row.preferred = draws.chance(0.5) ? "Y" : "N";
  if (present()) row.birth_day = static_cast<int32_t>(birth.day);
  if (present()) row.birth_month = static_cast<int32_t>(birth.month);
  if (present()) row.birth_year = static_cast<int32_t>(birth.year);
  if (present()) row.country = pick(draws, countries);
  if (present()) row.email = email(draws, first, last);
  if (present()) row.review = static_cast<int32_t>(draws.between(first_review_sk, last_sale_sk));
  return row;
}

}  // namespace

std::unique_ptr<Generator> make_customer(double scale, uint64_t seed) {
  using Row = CustomerRow;
  std::vector<RowColumn<Row>> columns = {
      int32_column<Row>("c_customer_sk", [](const Row& r) { return r.sk; }),
      text_column<Row>("c_customer_id", [](const Row& r) { return business_key(r.sk); }),
      int32_column<Row>("c_current_cdemo_sk", [](const Row& r) { return r.demographics; }),
      int32_column<Row>("c_current_hdemo_sk", [](const Row& r) { return r.household; }),
      int32_column<Row>("c_current_addr_sk", [](const Row& r) { return r.address; }),
      int32_column<Row>("c_first_shipto_date_sk", [](const Row& r) { return r.first_shipto; }),
      int32_column<Row>("c_first_sales_date_sk", [](const Row& r) { return r.first_sale; }),
      text_column<Row>("c_salutation", [](const Row& r) { return r.salutation; }),
      text_column<Row>("c_first_name", [](const Row& r) { return r.first_name; }),
      text_column<Row>("c_last_name", [](const Row& r) { return r.last_name; }),
      text_column<Row>("c_preferred_cust_flag", [](const Row& r) { return r.preferred; }),
      int32_column<Row>("c_birth_day", [](const Row& r) { return r.birth_day; }),
      int32_column<Row>("c_birth_month", [](const Row& r) { return r.birth_month; }),
      int32_column<Row>("c_birth_year", [](const Row& r) { return r.birth_year; }),
      text_column<Row>("c_birth_country", [](const Row& r) { return r.country; }),
      text_column<Row>("c_login", [](const Row&) { return std::optional<std::string>(); }),
      text_column<Row>("c_email_address", [](const Row& r) { return r.email; }),
      int32_column<Row>("c_last_review_date_sk", [](const Row& r) { return r.review; }),
  };
  const auto fill = [seed, addresses = customer_address_rows(scale)](int64_t start, std::vector<Row>& rows) {
    for (size_t i = 0; i < rows.size(); ++i) rows[i] = make_row(seed, addresses, start + static_cast<int64_t>(i));
  };
  return std::make_unique<RowTable<Row>>(customer_rows(scale), fill, std::move(columns));
}

}  // namespace quern::cpu::tpcds
