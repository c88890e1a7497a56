// Names of people and of their countries of birth, frequent names first.
#pragma once
#include <array>

namespace quern::cpu::tpcds {

inline constexpr std::array<const char*, 32> female_names = {
    "Mary",     "Patricia", "Linda",   "Barbara", "Elizabeth", "Jennifer", "Maria",  "Susan",
    "Margaret", "Dorothy",  "Lisa",    "Nancy",   "Karen",     "Betty",    "Helen",  "Sandra",
    "Donna",    "Carol",    "Ruth",    "Sharon",  "Michelle",  "Laura",    "Sarah",  "Kimberly",
    "Deborah",  "Jessica",  "Shirley", "Cynthia", "Angela",    "Melissa",  "Brenda", "Amy"};
inline constexpr std::array<const char*, 32> male_names = {
    "James",   "John",   "Robert",      "Michael", "William", "David",   "Richard", "Charles",
    "Joseph",  "Thomas", "Christopher", "Daniel",  "Paul",    "Mark",    "Donald",  "George",
    "Kenneth", "Steven", "Edward",      "Brian",   "Ronald",  "Anthony", "Kevin",   "Jason",
    "Matthew", "Gary",   "Timothy",     "Jose",    "Larry",   "Jeffrey", "Frank",   "Scott"};
inline constexpr std::array<const char*, 64> last_names = {
    "Smith",    "Johnson", "Williams", "Jones",    "Brown",     "Davis",     "Miller",     "Wilson",
    "Moore",    "Taylor",  "Anderson", "Thomas",   "Jackson",   "White",     "Harris",     "Martin",
    "Thompson", "Garcia",  "Martinez", "Robinson", "Clark",     "Rodriguez", "Lewis",      "Lee",
    "Walker",   "Hall",    "Allen",    "Young",    "Hernandez", "King",      "Wright",     "Lopez",
    "Hill",     "Scott",   "Green",    "Adams",    "Baker",     "Gonzalez",  "Nelson",     "Carter",
    "Mitchell", "Perez",   "Roberts",  "Turner",   "Phillips",  "Campbell",  "Parker",     "Evans",
    "Edwards",  "Collins", "Stewart",  "Sanchez",  "Morris",    "Rogers",    "Reed",       "Cook",
    "Morgan",   "Bell",    "Murphy",   "Bailey",   "Rivera",    "Cooper",    "Richardson", "Cox"};
inline constexpr std::array<const char*, 48> countries = {
    "ARGENTINA", "AUSTRALIA", "AUSTRIA",       "BELGIUM",     "BOLIVIA", "BRAZIL",         "CANADA",        "CHILE",
    "CHINA",     "COLOMBIA",  "CÔTE D'IVOIRE", "CUBA",        "CYPRUS",  "DENMARK",        "ECUADOR",       "EGYPT",
    "ESTONIA",   "FINLAND",   "FRANCE",        "GERMANY",     "GHANA",   "GREECE",         "HUNGARY",       "ICELAND",
    "INDIA",     "INDONESIA", "IRELAND",       "ITALY",       "JAMAICA", "JAPAN",          "KENYA",         "LATVIA",
    "MEXICO",    "MOROCCO",   "NEPAL",         "NEW ZEALAND", "NORWAY",  "PERU",           "POLAND",        "PORTUGAL",
    "RÉUNION",   "ROMANIA",   "SENEGAL",       "SPAIN",       "SWEDEN",  "UNITED KINGDOM", "UNITED STATES", "VIET NAM"};

}  // namespace quern::cpu::tpcds
