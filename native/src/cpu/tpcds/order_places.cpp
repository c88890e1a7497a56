// web_site, web_page, call_center and catalog_page: where orders are taken.
#include <array>

#include "cpu/tpcds/address.hpp"
#include "cpu/tpcds/item_words.hpp"
#include "cpu/tpcds/person_words.hpp"
#include "cpu/tpcds/sale.hpp"
#include "cpu/tpcds/tables.hpp"

namespace quern::cpu::tpcds {

namespace {

constexpr uint64_t site_table = 17;
constexpr uint64_t page_table = 18;
constexpr uint64_t center_table = 19;
constexpr uint64_t catalog_table = 20;
constexpr int64_t regions = 4;
constexpr int32_t first_start_day = 10'089;  // 1997-08-16
constexpr std::array<const char*, 3> sizes = {"small", "medium", "large"};
constexpr std::array<const char*, 3> hours = {"8AM-4PM", "8AM-8AM", "8AM-12AM"};
constexpr std::array<const char*, 7> page_kinds = {"ad",    "dynamic",   "feedback", "general",
                                                   "order", "protected", "welcome"};
constexpr std::array<const char*, 3> periods = {"bi-annual", "monthly", "quarterly"};
constexpr int64_t pages_a_catalog = 108;

std::string person(Draws& draws) {
  const std::string first = pick(draws, draws.chance(0.5) ? female_names : male_names);
  return first + " " + pick(draws, last_names);
}

template <typename Row>
std::unique_ptr<Generator> table(int64_t rows, std::function<Row(int64_t)> make, std::vector<RowColumn<Row>> columns) {
  const auto fill = [make = std::move(make)](int64_t start, std::vector<Row>& made) {
    for (size_t i = 0; i < made.size(); ++i) made[i] = make(start + static_cast<int64_t>(i));
  };
  return std::make_unique<RowTable<Row>>(rows, fill, std::move(columns));
}

struct PlaceRow {
  int64_t sk;
  int64_t people, square_feet;
  int32_t open_date_sk, market, company, tax;
  std::string name, size, hours, manager, market_class, market_words, market_manager;
  Address address;
};

PlaceRow make_place(Draws draws, int64_t index) {
  PlaceRow row{};
  row.sk = index + 1;
  row.people = draws.between(1, 7) * 100;
  row.square_feet = draws.between(1'000, 700'000);
  row.open_date_sk = static_cast<int32_t>(first_sale_sk - draws.between(1, 500));
  row.market = static_cast<int32_t>(draws.between(1, 6));
  row.company = static_cast<int32_t>(draws.between(1, 6));
  row.tax = static_cast<int32_t>(draws.between(0, 12));
  row.size = pick(draws, sizes);
  row.hours = pick(draws, hours);
  row.manager = person(draws);
  row.market_class = sentence(draws, 3, 8);
  row.market_words = sentence(draws, 5, 12);
  row.market_manager = person(draws);
  row.address = make_address(draws, regions);
  return row;
}

}  // namespace

std::unique_ptr<Generator> make_web_site(double scale, uint64_t seed) {
  using Row = PlaceRow;
  const auto company = [](const Row& r) { return std::string(syllables[static_cast<size_t>(r.company)]); };
  std::vector<RowColumn<Row>> columns = {
      int32_column<Row>("web_site_sk", [](const Row& r) { return r.sk; }),
      text_column<Row>("web_site_id", [](const Row& r) { return business_key(r.sk); }),
      date_column<Row>("web_rec_start_date", [](const Row&) { return first_start_day; }),
      date_column<Row>("web_rec_end_date", [](const Row&) { return std::optional<int32_t>(); }),
      text_column<Row>("web_name", [](const Row& r) { return "site_" + std::to_string((r.sk - 1) / 6); }),
      int32_column<Row>("web_open_date_sk", [](const Row& r) { return r.open_date_sk; }),
      int32_column<Row>("web_close_date_sk", [](const Row&) { return std::optional<int32_t>(); }),
      text_column<Row>("web_class", [](const Row&) { return std::string("Unknown"); }),
      text_column<Row>("web_manager", [](const Row& r) { return r.manager; }),
      int32_column<Row>("web_mkt_id", [](const Row& r) { return r.market; }),
      text_column<Row>("web_mkt_class", [](const Row& r) { return r.market_class; }),
      text_column<Row>("web_mkt_desc", [](const Row& r) { return r.market_words; }),
      text_column<Row>("web_market_manager", [](const Row& r) { return r.market_manager; }),
      int32_column<Row>("web_company_id", [](const Row& r) { return r.company; }),
      text_column<Row>("web_company_name", company),
  };
  add_address_columns(columns, "web");
  columns.push_back(money_column<Row>("web_tax_percentage", 5, [](const Row& r) { return r.tax; }));
  return table<Row>(
      web_site_rows(scale), [seed](int64_t i) { return make_place(Draws(seed, site_table, i), i); },
      std::move(columns));
}

std::unique_ptr<Generator> make_call_center(double scale, uint64_t seed) {
  using Row = PlaceRow;
  const auto company = [](const Row& r) { return std::string(syllables[static_cast<size_t>(r.company)]); };
  std::vector<RowColumn<Row>> columns = {
      int32_column<Row>("cc_call_center_sk", [](const Row& r) { return r.sk; }),
      text_column<Row>("cc_call_center_id", [](const Row& r) { return business_key(r.sk); }),
      date_column<Row>("cc_rec_start_date", [](const Row&) { return first_start_day; }),
      date_column<Row>("cc_rec_end_date", [](const Row&) { return std::optional<int32_t>(); }),
      int32_column<Row>("cc_closed_date_sk", [](const Row&) { return std::optional<int32_t>(); }),
      int32_column<Row>("cc_open_date_sk", [](const Row& r) { return r.open_date_sk; }),
      text_column<Row>("cc_name", [](const Row& r) { return r.address.city + " Call Center"; }),
      text_column<Row>("cc_class", [](const Row& r) { return r.size; }),
      int32_column<Row>("cc_employees", [](const Row& r) { return r.people; }),
      int32_column<Row>("cc_sq_ft", [](const Row& r) { return r.square_feet; }),
      text_column<Row>("cc_hours", [](const Row& r) { return r.hours; }),
      text_column<Row>("cc_manager", [](const Row& r) { return r.manager; }),
      int32_column<Row>("cc_mkt_id", [](const Row& r) { return r.market; }),
      text_column<Row>("cc_mkt_class", [](const Row& r) { return r.market_class; }),
      text_column<Row>("cc_mkt_desc", [](const Row& r) { return r.market_words; }),
      text_column<Row>("cc_market_manager", [](const Row& r) { return r.market_manager; }),
      int32_column<Row>("cc_division", [](const Row& r) { return r.company; }),
      text_column<Row>("cc_division_name", company),
      int32_column<Row>("cc_company", [](const Row& r) { return r.company; }),
      text_column<Row>("cc_company_name", company),
  };
  add_address_columns(columns, "cc");
  columns.push_back(money_column<Row>("cc_tax_percentage", 5, [](const Row& r) { return r.tax; }));
  return table<Row>(
      call_center_rows(scale), [seed](int64_t i) { return make_place(Draws(seed, center_table, i), i); },
      std::move(columns));
}

namespace {

struct PageRow {
  int64_t sk;
  int32_t created_sk, accessed_sk, characters, links, images, ads;
  std::optional<int32_t> customer;
  bool automatic;
  std::string kind;
};

PageRow make_page(uint64_t seed, int64_t customers, int64_t index) {
  Draws draws(seed, page_table, index);
  PageRow row{};
  row.sk = index + 1;
  row.created_sk = static_cast<int32_t>(first_sale_sk - draws.between(1, 200));
  row.accessed_sk = static_cast<int32_t>(first_sale_sk + sale_days + draws.between(0, 100));
  row.automatic = draws.chance(0.3);
  if (row.automatic) row.customer = static_cast<int32_t>(draws.between(1, customers));
  row.kind = pick(draws, page_kinds);
  row.links = static_cast<int32_t>(draws.between(2, 25));
  row.images = static_cast<int32_t>(draws.between(1, 7));
  row.ads = static_cast<int32_t>(draws.between(0, 4));
  row.characters = static_cast<int32_t>(draws.between(100, 8'000));
  return row;
}

struct CatalogPageRow {
  int64_t sk, catalog, page;
  int32_t start_sk, end_sk;
  std::string department, words, kind;
};

CatalogPageRow make_catalog_page(uint64_t seed, int64_t index) {
  Draws draws(seed, catalog_table, index);
  CatalogPageRow row{};
  row.sk = index + 1;
  row.catalog = index / pages_a_catalog + 1;
  row.page = index % pages_a_catalog + 1;
  row.start_sk = static_cast<int32_t>(first_sale_sk + (row.catalog - 1) * 17 % sale_days);
  row.end_sk = row.start_sk + 90;
  row.department = "DEPARTMENT";
  row.words = sentence(draws, 5, 15);
  row.kind = periods[static_cast<size_t>(row.catalog) % periods.size()];
  return row;
}

}  // namespace

std::unique_ptr<Generator> make_web_page(double scale, uint64_t seed) {
  using Row = PageRow;
  std::vector<RowColumn<Row>> columns = {
      int32_column<Row>("wp_web_page_sk", [](const Row& r) { return r.sk; }),
      text_column<Row>("wp_web_page_id", [](const Row& r) { return business_key(r.sk); }),
      date_column<Row>("wp_rec_start_date", [](const Row&) { return first_start_day; }),
      date_column<Row>("wp_rec_end_date", [](const Row&) { return std::optional<int32_t>(); }),
      int32_column<Row>("wp_creation_date_sk", [](const Row& r) { return r.created_sk; }),
      int32_column<Row>("wp_access_date_sk", [](const Row& r) { return r.accessed_sk; }),
      text_column<Row>("wp_autogen_flag", [](const Row& r) { return std::string(r.automatic ? "Y" : "N"); }),
      int32_column<Row>("wp_customer_sk", [](const Row& r) { return r.customer; }),
      text_column<Row>("wp_url", [](const Row&) { return std::string("http://www.example.com"); }),
      text_column<Row>("wp_type", [](const Row& r) { return r.kind; }),
      int32_column<Row>("wp_char_count", [](const Row& r) { return r.characters; }),
      int32_column<Row>("wp_link_count", [](const Row& r) { return r.links; }),
      int32_column<Row>("wp_image_count", [](const Row& r) { return r.images; }),
      int32_column<Row>("wp_max_ad_count", [](const Row& r) { return r.ads; }),
  };
  return table<Row>(
      web_page_rows(scale),
      [seed, customers = customer_rows(scale)](int64_t index) { return make_page(seed, customers, index); },
      std::move(columns));
}

std::unique_ptr<Generator> make_catalog_page(double scale, uint64_t seed) {
  using Row = CatalogPageRow;
  std::vector<RowColumn<Row>> columns = {
      int32_column<Row>("cp_catalog_page_sk", [](const Row& r) { return r.sk; }),
      text_column<Row>("cp_catalog_page_id", [](const Row& r) { return business_key(r.sk); }),
      int32_column<Row>("cp_start_date_sk", [](const Row& r) { return r.start_sk; }),
      int32_column<Row>("cp_end_date_sk", [](const Row& r) { return r.end_sk; }),
      text_column<Row>("cp_department", [](const Row& r) { return r.department; }),
      int32_column<Row>("cp_catalog_number", [](const Row& r) { return r.catalog; }),
      int32_column<Row>("cp_catalog_page_number", [](const Row& r) { return r.page; }),
      text_column<Row>("cp_description", [](const Row& r) { return r.words; }),
      text_column<Row>("cp_type", [](const Row& r) { return r.kind; }),
  };
  return table<Row>(
      catalog_page_rows(scale), [seed](int64_t index) { return make_catalog_page(seed, index); }, std::move(columns));
}

}  // namespace quern::cpu::tpcds
