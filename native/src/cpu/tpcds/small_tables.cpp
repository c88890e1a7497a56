// income_band, reason and ship_mode: short lists that facts name.
#include <array>

#include "cpu/tpcds/row_table.hpp"
#include "cpu/tpcds/scale.hpp"
#include "cpu/tpcds/tables.hpp"

namespace quern::cpu::tpcds {

namespace {

struct NumberedRow {
  int64_t sk;
  size_t place;  // sk - 1
};

// A table whose rows follow from their number alone.
std::unique_ptr<Generator> numbered(int64_t rows, std::vector<RowColumn<NumberedRow>> columns) {
  const auto fill = [](int64_t start, std::vector<NumberedRow>& made) {
    for (size_t i = 0; i < made.size(); ++i) {
      const auto place = static_cast<size_t>(start) + i;
      made[i] = {static_cast<int64_t>(place) + 1, place};
    }
  };
  return std::make_unique<RowTable<NumberedRow>>(rows, fill, std::move(columns));
}

constexpr std::array<const char*, 35> reasons = {"Wrong size",
                                                 "Wrong colour",
                                                 "Arrived late",
                                                 "Arrived broken",
                                                 "Parts are missing",
                                                 "Does not work",
                                                 "Not as described",
                                                 "Ordered twice",
                                                 "Found it cheaper",
                                                 "Gift not wanted",
                                                 "Changed my mind",
                                                 "Does not fit",
                                                 "Poor quality",
                                                 "Wrong item sent",
                                                 "Box was open",
                                                 "No longer needed",
                                                 "Too expensive",
                                                 "Stopped working",
                                                 "Too heavy",
                                                 "Too loud",
                                                 "Smells bad",
                                                 "Colour has faded",
                                                 "Fabric is itchy",
                                                 "Instructions missing",
                                                 "Not compatible",
                                                 "Address was wrong",
                                                 "Refused at the door",
                                                 "Ordered by a child",
                                                 "Service was poor",
                                                 "Warranty too short",
                                                 "Allergic to it",
                                                 "Bought another one",
                                                 "Looks used",
                                                 "Sent to wrong person",
                                                 "Unknown"};

constexpr std::array<const char*, 5> kinds = {"EXPRESS", "NEXT DAY", "OVERNIGHT", "REGULAR", "TWO DAY"};
constexpr std::array<const char*, 4> codes = {"AIR", "SURFACE", "SEA", "BIKE"};
constexpr std::array<const char*, 20> carriers = {"NORTH POST", "SWIFT",  "BLUE VAN",  "PARCEL CO", "OVERLAND",
                                                  "HARBOUR",    "EAGLE",  "COURIER 5", "FASTLINE",  "GREEN ROAD",
                                                  "MERCURY",    "PONY",   "ROCKET",    "SKYWAY",    "TRAMP",
                                                  "UNION",      "VALLEY", "WESTERN",   "YELLOW",    "ZEPHYR"};

}  // namespace

std::unique_ptr<Generator> make_income_band(double /*scale*/, uint64_t /*seed*/) {
  using Row = NumberedRow;
  return numbered(
      income_band_rows,
      {int32_column<Row>("ib_income_band_sk", [](const Row& r) { return r.sk; }),
       int32_column<Row>("ib_lower_bound", [](const Row& r) { return r.place == 0 ? 0 : r.place * 10'000 + 1; }),
       int32_column<Row>("ib_upper_bound", [](const Row& r) { return r.sk * 10'000; })});
}

// More reasons than there are words for begin again from the first, with their round.
std::unique_ptr<Generator> make_reason(double scale, uint64_t /*seed*/) {
  using Row = NumberedRow;
  const auto description = [](const Row& r) {
    const std::string word = reasons[r.place % reasons.size()];
    return r.place < reasons.size() ? word : word + " " + std::to_string(r.place / reasons.size() + 1);
  };
  return numbered(reason_rows(scale), {int32_column<Row>("r_reason_sk", [](const Row& r) { return r.sk; }),
                                       text_column<Row>("r_reason_id", [](const Row& r) { return business_key(r.sk); }),
                                       text_column<Row>("r_reason_desc", description)});
}

std::unique_ptr<Generator> make_ship_mode(double /*scale*/, uint64_t /*seed*/) {
  using Row = NumberedRow;
  const auto text = [](const char* value) { return std::string(value); };
  return numbered(
      ship_mode_rows,
      {int32_column<Row>("sm_ship_mode_sk", [](const Row& r) { return r.sk; }),
       text_column<Row>("sm_ship_mode_id", [](const Row& r) { return business_key(r.sk); }),
       text_column<Row>("sm_type", [text](const Row& r) { return text(kinds[r.place % kinds.size()]); }),
       text_column<Row>("sm_code", [text](const Row& r) { return text(codes[r.place % codes.size()]); }),
       text_column<Row>("sm_carrier", [text](const Row& r) { return text(carriers[r.place % carriers.size()]); }),
       text_column<Row>("sm_contract", [](const Row& r) { return business_key(r.sk * 7'919).substr(6); })});
}

}  // namespace quern::cpu::tpcds
