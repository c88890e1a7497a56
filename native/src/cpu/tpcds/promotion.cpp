// promotion: campaigns for single items, of up to two months within the years of sales, for a few purposes. About 1.5 %
// of descriptive columns is NULL.
#include <array>

#include "cpu/tpcds/item_words.hpp"
#include "cpu/tpcds/random.hpp"
#include "cpu/tpcds/row_table.hpp"
#include "cpu/tpcds/scale.hpp"
#include "cpu/tpcds/tables.hpp"

namespace quern::cpu::tpcds {

namespace {

constexpr uint64_t table_number = 8;
constexpr double missing = 0.015;
constexpr int32_t first_start_sk = 2'450'816;  // 1998-01-02
constexpr int32_t last_start_sk = 2'452'582;   // 2002-11-03
constexpr std::array<const char*, 5> purposes = {"Unknown", "Clearance", "New item", "Season", "Loyalty"};

enum Channel : size_t { dmail, email, catalog, tv, radio, press, event, demo, channels };

struct PromotionRow {
  int64_t sk;
  std::optional<int32_t> start_sk, end_sk, item;
  std::optional<int64_t> cost;  // cents
  std::optional<int32_t> target;
  std::optional<std::string> name, details, purpose, active;
  std::array<std::optional<std::string>, channels> by;
};

PromotionRow make_row(uint64_t seed, int64_t items, int64_t index) {
  Draws draws(seed, table_number, index);
  PromotionRow row{};
  row.sk = index + 1;
  const auto present = [&] { return !draws.chance(missing); };
  const auto start = static_cast<int32_t>(draws.between(first_start_sk, last_start_sk));
  const auto length = static_cast<int32_t>(draws.between(1, 60));
  if (present()) row.start_sk = start;
  if (present()) row.end_sk = start + length;
  if (present()) row.item = static_cast<int32_t>(draws.between(1, items));
  if (present()) row.cost = 100'000;
  if (present()) row.target = 1;
  if (present()) row.name = syllables[static_cast<size_t>(row.sk % 10)];
  // One campaign in two goes by mail; the other ways are the exception in the description's data.
  for (size_t channel = 0; channel < channels; ++channel) {
    if (present()) row.by[channel] = channel == dmail && draws.chance(0.5) ? "Y" : "N";
  }
  if (present()) row.details = sentence(draws, 4, 10);
  if (present()) row.purpose = pick(draws, purposes);
  if (present()) row.active = "N";
  return row;
}

}  // namespace

std::unique_ptr<Generator> make_promotion(double scale, uint64_t seed) {
  using Row = PromotionRow;
  const auto by = [](const char* name, Channel channel) {
    return text_column<Row>(name, [channel](const Row& r) { return r.by[channel]; });
  };
  std::vector<RowColumn<Row>> columns = {
      int32_column<Row>("p_promo_sk", [](const Row& r) { return r.sk; }),
      text_column<Row>("p_promo_id", [](const Row& r) { return business_key(r.sk); }),
      int32_column<Row>("p_start_date_sk", [](const Row& r) { return r.start_sk; }),
      int32_column<Row>("p_end_date_sk", [](const Row& r) { return r.end_sk; }),
      int32_column<Row>("p_item_sk", [](const Row& r) { return r.item; }),
      money_column<Row>("p_cost", 15, [](const Row& r) { return r.cost; }),
      int32_column<Row>("p_response_target", [](const Row& r) { return r.target; }),
      text_column<Row>("p_promo_name", [](const Row& r) { return r.name; }),
      by("p_channel_dmail", dmail),
      by("p_channel_email", email),
      by("p_channel_catalog", catalog),
      by("p_channel_tv", tv),
      by("p_channel_radio", radio),
      by("p_channel_press", press),
      by("p_channel_event", event),
      by("p_channel_demo", demo),
      text_column<Row>("p_channel_details", [](const Row& r) { return r.details; }),
      text_column<Row>("p_purpose", [](const Row& r) { return r.purpose; }),
      text_column<Row>("p_discount_active", [](const Row& r) { return r.active; }),
  };
  const auto fill = [seed, items = item_rows(scale)](int64_t start, std::vector<Row>& rows) {
    for (size_t i = 0; i < rows.size(); ++i) rows[i] = make_row(seed, items, start + static_cast<int64_t>(i));
  };
  return std::make_unique<RowTable<Row>>(promotion_rows(scale), fill, std::move(columns));
}

}  // namespace quern::cpu::tpcds
