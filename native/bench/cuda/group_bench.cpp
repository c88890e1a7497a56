#include "group_bench.hpp"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <thread>

#include "cuda/group_by.hpp"
#include "jit/chain_plan.hpp"
#include "peer_group_by.hpp"
#include "timing.hpp"

namespace quern::bench {

namespace {

using nlohmann::json;

struct Fixture {
  std::string id, value, distribution;
  int64_t rows, cardinality, null_percent;
  std::vector<std::string> keys, aggregates;
};

constexpr uint64_t spread = 0x9e3779b97f4a7c15ULL;  // odd: keys are multiples of it
constexpr uint64_t narrow_keys = 1000;              // values of the first of two keys

uint64_t inverse_of(uint64_t odd) {
  uint64_t out = odd;
  for (int i = 0; i < 6; ++i) out *= 2 - odd * out;
  return out;
}

uint64_t mixed(uint64_t i) { return hash_word(hash_word(hash_seed, i), 1); }

void in_parallel(int64_t rows, const std::function<void(int64_t, int64_t)>& work) {
  const int64_t parts = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  for (int64_t part = 0; part < parts; ++part)
    threads.emplace_back([&, part] { work(rows * part / parts, rows * (part + 1) / parts); });
  for (auto& thread : threads) thread.join();
}

// Number of each row's group.
std::vector<uint32_t> group_numbers(const Fixture& fixture) {
  const auto rows = static_cast<size_t>(fixture.rows);
  std::vector<uint32_t> out(rows);
  const auto groups = static_cast<uint64_t>(fixture.cardinality);
  std::vector<double> shares;
  std::vector<uint32_t> blocks((rows + 127) / 128);
  if (fixture.distribution == "zipf1.5") {
    double sum = 0;
    for (uint64_t k = 1; k <= groups; ++k) shares.push_back(sum += std::pow(static_cast<double>(k), -1.5));
  } else if (fixture.distribution == "sorted_blocks_of_128") {
    std::iota(blocks.begin(), blocks.end(), 0U);
    std::shuffle(blocks.begin(), blocks.end(), std::mt19937_64(1));
  } else if (fixture.distribution != "uniform" && fixture.distribution != "sorted") {
    throw unsupported("distribution " + fixture.distribution);
  }
  in_parallel(fixture.rows, [&](int64_t first, int64_t end) {
    for (auto i = static_cast<uint64_t>(first); i < static_cast<uint64_t>(end); ++i) {
      uint64_t place = i;
      if (fixture.distribution == "uniform") {
        out[i] = static_cast<uint32_t>(mixed(i) % groups);
        continue;
      }
      if (!shares.empty()) {
        const double at = static_cast<double>(mixed(i) >> 11) * 0x1p-53 * shares.back();
        out[i] = static_cast<uint32_t>(std::upper_bound(shares.begin(), shares.end(), at) - shares.begin());
        continue;
      }
      if (fixture.distribution == "sorted_blocks_of_128")
        place = std::min<uint64_t>(blocks[i / 128] * 128ULL + i % 128, rows - 1);
      out[i] = static_cast<uint32_t>(static_cast<uint128_t>(place) * groups / rows);
    }
  });
  return out;
}

cuda::DeviceColumnPtr column_of(cuda::Device& device, const TypePtr& type, int64_t rows, const void* values,
                                const std::vector<uint32_t>* validity = nullptr, int64_t nulls = 0) {
  auto out = std::make_shared<cuda::DeviceColumn>();
  out->type = type;
  out->length = rows;
  const auto bytes = static_cast<size_t>(rows) * static_cast<size_t>(width(*type));
  out->data = device.memory.allocate(bytes);
  device.staging.to_device(out->data->data(), values, bytes);
  if (validity != nullptr) {
    out->validity = device.memory.allocate(validity->size() * 4);
    device.staging.to_device(out->validity->data(), validity->data(), validity->size() * 4);
    out->null_count = nulls;
  }
  return out;
}

struct Data {
  cuda::DeviceBatch batch;  // keys, then the value
  std::vector<int128_t> sums;
  std::vector<int64_t> counts, all;  // of values, of rows
  std::vector<int64_t> least, greatest;
  std::vector<double> means, deviations;
};

// What a fixture asks for beside the sum.
struct Wanted {
  bool sum = false, count = false, extremes = false, mean = false, deviation = false;
  bool real = false, wide = false;
};
Wanted wanted(const Fixture& fixture) {
  Wanted out;
  out.real = fixture.value == "float64";
  out.wide = fixture.value == "decimal128";
  for (const auto& fn : fixture.aggregates) {
    out.sum |= fn == "sum";
    out.count |= fn == "count";
    out.extremes |= fn == "min" || fn == "max";
    out.mean |= fn == "avg";
    out.deviation |= fn == "stddev_samp";
  }
  return out;
}

// In two passes: deviations from the means. Of values without NULLs.
void add_statistics(Data& data, const std::vector<uint32_t>& numbers, const std::vector<int64_t>& values) {
  const size_t groups = data.sums.size();
  data.least.assign(groups, INT64_MAX);
  data.greatest.assign(groups, INT64_MIN);
  data.means.resize(groups);
  data.deviations.resize(groups);
  for (size_t g = 0; g < groups; ++g)
    data.means[g] =
        static_cast<double>(static_cast<long double>(data.sums[g]) / static_cast<long double>(data.counts[g]));
  std::vector<long double> squares(groups);
  for (size_t i = 0; i < values.size(); ++i) {
    const size_t g = numbers[i];
    data.least[g] = std::min(data.least[g], values[i]);
    data.greatest[g] = std::max(data.greatest[g], values[i]);
    const long double distance = static_cast<long double>(values[i]) -
                                 static_cast<long double>(data.sums[g]) / static_cast<long double>(data.counts[g]);
    squares[g] += distance * distance;
  }
  for (size_t g = 0; g < groups; ++g)
    data.deviations[g] = static_cast<double>(sqrtl(squares[g] / static_cast<long double>(data.counts[g] - 1)));
}

Data make_data(cuda::Device& device, const Fixture& fixture) {
  const auto rows = static_cast<size_t>(fixture.rows);
  const bool wide = wanted(fixture).wide, real = wanted(fixture).real;
  const auto numbers = group_numbers(fixture);
  Data out;
  out.batch.rows = fixture.rows;
  std::vector<uint64_t> keys(rows);
  for (size_t k = 0; k < fixture.keys.size(); ++k) {
    in_parallel(fixture.rows, [&](int64_t first, int64_t end) {
      for (int64_t i = first; i < end; ++i) {
        const uint64_t number = numbers[static_cast<size_t>(i)];
        keys[static_cast<size_t>(i)] = spread * (fixture.keys.size() == 1 ? number
                                                 : k == 0                 ? number % narrow_keys
                                                                          : number / narrow_keys);
      }
    });
    out.batch.columns.push_back(column_of(device, make_type(TypeKind::int64), fixture.rows, keys.data()));
  }
  std::vector<int64_t> values(rows);
  std::vector<int128_t> wides(wide ? rows : 0);
  std::vector<uint32_t> validity(fixture.null_percent > 0 ? (rows + 31) / 32 : 0, ~0U);
  const auto is_null = [&](size_t i) {
    return fixture.null_percent > 0 && static_cast<int64_t>(mixed(~i) % 100) < fixture.null_percent;
  };
  in_parallel(fixture.rows, [&](int64_t first, int64_t end) {
    for (auto i = static_cast<size_t>(first); i < static_cast<size_t>(end); ++i) {
      values[i] = static_cast<int64_t>(mixed(i ^ spread)) >> 20;
      if (wide) wides[i] = static_cast<int128_t>(values[i]) * 1000000007 * 1000003;
    }
  });
  out.sums.resize(static_cast<size_t>(fixture.cardinality));
  out.counts.resize(out.sums.size());
  out.all.resize(out.sums.size());
  int64_t nulls = 0;
  for (size_t i = 0; i < rows; ++i) {
    ++out.all[numbers[i]];
    if (is_null(i)) {
      validity[i / 32] &= ~(1U << (i % 32));
      ++nulls;
      continue;
    }
    ++out.counts[numbers[i]];
    out.sums[numbers[i]] += wide ? wides[i] : values[i];
  }
  std::vector<double> reals(real ? rows : 0);
  for (size_t i = 0; i < reals.size(); ++i) reals[i] = static_cast<double>(values[i]);
  const TypePtr type = wide ? make_decimal(38, 2) : real ? make_type(TypeKind::float64) : make_type(TypeKind::int64);
  const void* data = wide   ? static_cast<const void*>(wides.data())
                     : real ? static_cast<const void*>(reals.data())
                            : values.data();
  out.batch.columns.push_back(column_of(device, type, fixture.rows, data, nulls > 0 ? &validity : nullptr, nulls));
  if (wanted(fixture).deviation) add_statistics(out, numbers, values);
  return out;
}

// Whether the groups are the host's.
class Check {
 public:
  Check(const Fixture& fixture, const Data& data) : fixture_(fixture), data_(data), seen_(data.sums.size(), false) {}
  void group(uint64_t key0, uint64_t key1, bool valid, std::optional<int128_t> sum, int64_t count) {
    const uint64_t back = inverse_of(spread);
    const uint64_t number = fixture_.keys.size() == 1 ? key0 * back : key0 * back + narrow_keys * (key1 * back);
    right_ &= number < seen_.size() && !seen_[number] && data_.all[number] > 0 && valid == (data_.counts[number] > 0) &&
              (!valid || !sum || *sum == data_.sums[number]) && (count < 0 || count == data_.counts[number]);
    if (number < seen_.size()) seen_[number] = true;
    last_ = number < seen_.size() ? number : 0;
    ++groups_;
  }
  // Of the group that was given last.
  void extremes(int64_t least, int64_t greatest) {
    right_ &= least == data_.least[last_] && greatest == data_.greatest[last_];
  }
  // `error`: relative. The sum of squares that the peer takes loses digits.
  void statistics(double mean, double deviation, double error) {
    right_ &= std::abs(mean - data_.means[last_]) <= error * data_.deviations[last_] &&
              std::abs(deviation - data_.deviations[last_]) <= error * data_.deviations[last_];
  }
  bool right() const {
    return right_ &&
           groups_ == std::count_if(data_.all.begin(), data_.all.end(), [](int64_t rows) { return rows > 0; });
  }
  int64_t groups() const { return groups_; }

 private:
  const Fixture& fixture_;
  const Data& data_;
  std::vector<bool> seen_;
  bool right_ = true;
  size_t last_ = 0;
  int64_t groups_ = 0;
};

std::string missing(const Fixture& fixture) {
  for (const auto& key : fixture.keys)
    if (key != "int64") return "keys " + key;
  if (fixture.keys.size() > 2) return "three keys";
  if (fixture.value != "int64" && fixture.value != "decimal128" && fixture.value != "float64")
    return "values " + fixture.value;
  static const std::set<std::string> known = {"sum", "count", "min", "max", "avg", "stddev_samp"};
  for (const auto& fn : fixture.aggregates)
    if (!known.contains(fn)) return "aggregate " + fn;
  return "";
}

template <typename T>
std::vector<T> to_host(cuda::Device& device, const cuda::DeviceBufferPtr& buffer, int64_t count) {
  std::vector<T> out(static_cast<size_t>(count));
  if (count > 0) device.staging.to_host(out.data(), buffer->data(), out.size() * sizeof(T));
  return out;
}

bool is_set(const std::vector<uint32_t>& bits, size_t i) { return bits.empty() || (bits[i / 32] >> (i % 32) & 1) != 0; }

struct Side {
  Times times;
  bool right;
  int64_t groups;
  std::string tier;
};

Side ours(cuda::Device& device, const Fixture& fixture, const Data& data, int samples) {
  const Wanted want = wanted(fixture);
  std::vector<TypePtr> types;
  for (const auto& column : data.batch.columns) types.push_back(column->type);
  test::ChainPlan chain(types);
  std::vector<plan::ExprIndex> keys;
  for (size_t i = 0; i < fixture.keys.size(); ++i) keys.push_back(chain.column(static_cast<int32_t>(i)));
  const auto value = chain.column(static_cast<int32_t>(keys.size()));
  const TypePtr int64 = make_type(TypeKind::int64), real = make_type(TypeKind::float64);
  std::vector<plan::Aggregate> aggregates;
  std::map<std::string, size_t> places;  // columns of the result
  for (const auto& fn : fixture.aggregates) {
    places[fn] = keys.size() + aggregates.size();
    if (fn == "sum")
      aggregates.push_back(chain.aggregate(fn, {value}, want.real ? real : make_decimal(38, want.wide ? 2 : 0)));
    else if (fn == "stddev_samp")
      aggregates.push_back(
          chain.aggregate(fn, {want.real ? value : chain.of_kind(plan::ExprKind::cast, {value}, real)}, real));
    else
      aggregates.push_back(chain.aggregate(fn, {value}, fn == "avg" ? real : fn == "count" ? int64 : types.back()));
  }
  chain.group(keys, aggregates);
  const auto segment = jit::segments(*chain.plan(), chain.nodes()).at(0);
  std::unique_ptr<cuda::GroupBy> group;
  cuda::DeviceBatch out;
  Side side;
  side.times = time_of(
      device,
      [&] {
        group->update(data.batch);
        out = group->finish();
      },
      3, samples,
      [&] {
        out = {};
        group = std::make_unique<cuda::GroupBy>(device, *chain.plan(), segment);
      });
  side.tier = group->tier();
  const size_t n = keys.size();
  const auto key0 = to_host<uint64_t>(device, out.columns[0]->data, out.rows),
             key1 = n > 1 ? to_host<uint64_t>(device, out.columns[1]->data, out.rows) : std::vector<uint64_t>();
  const auto column = [&](const std::string& fn) { return out.columns[places.at(fn)]->data; };
  const auto sums = want.sum ? to_host<int128_t>(device, column("sum"), out.rows) : std::vector<int128_t>();
  const auto counts = want.count ? to_host<int64_t>(device, column("count"), out.rows) : std::vector<int64_t>();
  const auto least = want.extremes ? to_host<int64_t>(device, column("min"), out.rows) : std::vector<int64_t>(),
             greatest = want.extremes ? to_host<int64_t>(device, column("max"), out.rows) : std::vector<int64_t>();
  const auto means = want.mean ? to_host<double>(device, column("avg"), out.rows) : std::vector<double>(),
             deviations =
                 want.deviation ? to_host<double>(device, column("stddev_samp"), out.rows) : std::vector<double>();
  const auto valid = out.columns[n]->validity
                         ? to_host<uint32_t>(device, out.columns[n]->validity, (out.rows + 31) / 32)
                         : std::vector<uint32_t>();
  Check check(fixture, data);
  for (size_t i = 0; i < static_cast<size_t>(out.rows); ++i) {
    const std::optional<int128_t> sum = want.sum ? std::optional(sums[i]) : std::nullopt;
    check.group(key0[i], n > 1 ? key1[i] : 0, is_set(valid, i), sum, want.count ? counts[i] : -1);
    if (want.extremes) check.extremes(least[i], greatest[i]);
    if (want.deviation) check.statistics(means[i], deviations[i], 1e-12);
  }
  side.right = check.right();
  side.groups = check.groups();
  return side;
}

Side peer(cuda::Device& device, const Fixture& fixture, const Data& data, int samples) {
  const size_t n = fixture.keys.size();
  PeerInput input{};
  input.rows = fixture.rows;
  input.key_count = static_cast<int>(n);
  for (size_t i = 0; i < n; ++i) input.keys[i] = data.batch.columns[i]->data->as<int64_t>();
  input.values = data.batch.columns[n]->data->data();
  input.validity = data.batch.columns[n]->valid_words();
  const Wanted want = wanted(fixture);
  input.wide = want.wide;
  input.real = want.real;
  // Whether a group has a value is asked of its count.
  input.count = want.count || want.mean || want.deviation || input.validity != nullptr;
  input.extremes = want.extremes;
  input.squares = want.deviation;
  PeerResult out;
  Side side;
  const auto work = [&] { out = peer_group_by(device, input); };
  side.times = time_of(device, work, 1, 1);
  if (side.times.median < 100) side.times = time_of(device, work, 2, samples);
  side.tier = out.shared ? "shared" : "global";
  const auto key0 = to_host<uint64_t>(device, out.keys[0], out.groups),
             key1 = n > 1 ? to_host<uint64_t>(device, out.keys[1], out.groups) : std::vector<uint64_t>();
  const auto counts = input.count ? to_host<int64_t>(device, out.counts, out.groups) : std::vector<int64_t>();
  std::vector<std::optional<int128_t>> sums;
  if (input.real) {
    sums.resize(static_cast<size_t>(out.groups));
  } else if (input.wide) {
    for (const int128_t sum : to_host<int128_t>(device, out.sums, out.groups)) sums.push_back(sum);
  } else {
    for (const int64_t sum : to_host<int64_t>(device, out.sums, out.groups)) sums.push_back(sum);
  }
  const auto least = input.extremes ? to_host<int64_t>(device, out.least, out.groups) : std::vector<int64_t>(),
             greatest = input.extremes ? to_host<int64_t>(device, out.greatest, out.groups) : std::vector<int64_t>();
  const auto means = input.squares ? to_host<double>(device, out.means, out.groups) : std::vector<double>(),
             deviations = input.squares ? to_host<double>(device, out.deviations, out.groups) : std::vector<double>();
  Check check(fixture, data);
  for (size_t i = 0; i < sums.size(); ++i) {
    check.group(key0[i], n > 1 ? key1[i] : 0, counts.empty() || counts[i] > 0, sums[i],
                counts.empty() ? -1 : counts[i]);
    if (input.extremes) check.extremes(least[i], greatest[i]);
    if (input.squares) check.statistics(means[i], deviations[i], 1e-6);
  }
  side.right = check.right();
  side.groups = check.groups();
  return side;
}

}  // namespace

bool group_fixtures(cuda::Device& device, const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error(ErrorSource::io, ErrorCode::io, "no file " + path);
  bool right = true;
  double logs = 0, least = 1e9;
  int count = 0;
  const json fixtures = json::parse(file);
  for (const auto& row : fixtures.at("fixtures")) {
    Fixture fixture{row.at("id"),          row.at("value"),        row.at("distribution"), row.at("rows"),
                    row.at("cardinality"), row.at("null_percent"), row.at("keys"),         row.at("aggregates")};
    if (const auto what = missing(fixture); !what.empty()) {
      std::printf("{\"bench\": \"group_by fixture\", \"id\": \"%s\", \"not_here\": \"%s\"}\n", fixture.id.c_str(),
                  what.c_str());
      continue;
    }
    const Data data = make_data(device, fixture);
    const int samples = fixture.rows > 100000000 ? 5 : 15;
    const Side own = ours(device, fixture, data, samples), other = peer(device, fixture, data, samples);
    const double ratio = other.times.median / own.times.median;
    std::printf(
        "{\"bench\": \"group_by fixture\", \"id\": \"%s\", \"rows\": %ld, \"groups\": %ld, \"ms\": %.4f, \"p10\": "
        "%.4f, "
        "\"p90\": %.4f, \"tier\": \"%s\", \"right\": %s, \"peer_algorithm_ms\": %.4f, \"peer_path\": \"%s\", "
        "\"peer_right\": %s, \"ratio\": %.2f}\n",
        fixture.id.c_str(), fixture.rows, own.groups, own.times.median, own.times.fast, own.times.slow,
        own.tier.c_str(), own.right ? "true" : "false", other.times.median, other.tier.c_str(),
        other.right ? "true" : "false", ratio);
    std::fflush(stdout);
    right &= own.right && other.right;
    logs += std::log(ratio);
    least = std::min(least, ratio);
    ++count;
  }
  std::printf("{\"bench\": \"group_by fixtures\", \"count\": %d, \"geometric_mean\": %.2f, \"least\": %.2f}\n", count,
              std::exp(logs / std::max(count, 1)), least);
  return right;
}

}  // namespace quern::bench
