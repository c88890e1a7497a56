// Words of addresses. States weigh as many counties as they have; the names of streets, cities and counties are common
// ones, the frequent first.
#pragma once
#include <array>
#include <cstdint>

namespace quern::cpu::tpcds {

struct State {
  const char* code;
  int32_t counties;
  int32_t zip_start;  // its postal codes begin here
  int32_t offset;     // hours from GMT
};

inline constexpr std::array<State, 51> states = {{
    {"TX", 254, 75000, -6}, {"GA", 159, 30000, -5}, {"VA", 134, 22000, -5}, {"KY", 120, 40000, -6},
    {"MO", 115, 63000, -6}, {"KS", 105, 66000, -6}, {"IL", 102, 60000, -6}, {"NC", 100, 27000, -5},
    {"IA", 99, 50000, -6},  {"TN", 95, 37000, -5},  {"NE", 93, 68000, -7},  {"IN", 92, 46000, -5},
    {"OH", 88, 43000, -5},  {"MN", 87, 55000, -6},  {"MI", 83, 48000, -5},  {"MS", 82, 38600, -6},
    {"OK", 77, 73000, -6},  {"AR", 75, 71600, -6},  {"WI", 72, 53000, -6},  {"FL", 67, 32000, -5},
    {"AL", 67, 35000, -6},  {"PA", 67, 15000, -5},  {"SD", 66, 57000, -7},  {"LA", 64, 70000, -6},
    {"CO", 63, 80000, -7},  {"NY", 62, 10000, -5},  {"CA", 58, 90000, -8},  {"MT", 56, 59000, -7},
    {"WV", 55, 24700, -5},  {"ND", 53, 58000, -6},  {"SC", 46, 29000, -5},  {"ID", 44, 83200, -7},
    {"WA", 39, 98000, -8},  {"OR", 36, 97000, -8},  {"NM", 33, 87000, -7},  {"UT", 29, 84000, -7},
    {"AK", 27, 99500, -9},  {"MD", 24, 20600, -5},  {"WY", 23, 82000, -7},  {"NJ", 21, 7000, -5},
    {"NV", 17, 89000, -8},  {"ME", 16, 3900, -5},   {"AZ", 15, 85000, -7},  {"VT", 14, 5000, -5},
    {"MA", 14, 1000, -5},   {"NH", 10, 3000, -5},   {"CT", 8, 6000, -5},    {"HI", 5, 96700, -10},
    {"RI", 5, 2800, -5},    {"DE", 3, 19700, -5},   {"DC", 1, 20000, -5},
}};

inline constexpr std::array<const char*, 40> county_names = {
    "Washington", "Jefferson", "Franklin", "Jackson", "Lincoln",  "Madison",  "Montgomery", "Clay",
    "Marion",     "Monroe",    "Union",    "Wayne",   "Grant",    "Greene",   "Warren",     "Carroll",
    "Clark",      "Adams",     "Douglas",  "Johnson", "Lake",     "Lawrence", "Marshall",   "Polk",
    "Crawford",   "Lee",       "Calhoun",  "Morgan",  "Hamilton", "Fulton",   "Butler",     "Logan",
    "Perry",      "Henry",     "Scott",    "Hancock", "Benton",   "Pike",     "Mercer",     "Cass"};
inline constexpr std::array<const char*, 40> city_names = {
    "Midway",   "Fairview",  "Oak Grove",       "Five Points", "Pleasant Hill", "Centerville", "Riverside",
    "Liberty",  "Salem",     "Mount Zion",      "Bethel",      "Greenwood",     "Oakland",     "Union",
    "Concord",  "Hopewell",  "Georgetown",      "Shady Grove", "Cedar Grove",   "Spring Hill", "New Hope",
    "Lakeview", "Glendale",  "Highland",        "Franklin",    "Clinton",       "Marion",      "Springdale",
    "Oakdale",  "Lebanon",   "Sulphur Springs", "Jamestown",   "Woodville",     "Ashland",     "Plainview",
    "Newport",  "Arlington", "Kingston",        "Wilson",      "Hamilton"};
inline constexpr std::array<const char*, 32> street_names = {
    "Main",  "Oak",        "Park",     "Maple",  "Cedar",   "Lake",    "Hill",     "Walnut",
    "First", "Second",     "Third",    "Fourth", "Fifth",   "Sixth",   "Elm",      "Pine",
    "View",  "Washington", "Church",   "Willow", "River",   "Mill",    "Railroad", "Spring",
    "Ridge", "Sunset",     "Highland", "Forest", "Johnson", "Jackson", "College",  "Green"};
inline constexpr std::array<const char*, 12> street_kinds = {"Street", "Avenue", "Road", "Lane", "Court", "Boulevard",
                                                             "Circle", "Drive",  "Way",  "Pkwy", "Ct.",   "Dr."};

}  // namespace quern::cpu::tpcds
