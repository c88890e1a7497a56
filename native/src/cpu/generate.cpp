#include "cpu/generate.hpp"

#include <algorithm>

#include "cpu/tpcds/tables.hpp"

namespace quern::cpu {

namespace {

constexpr int64_t morsel_rows = 1 << 15;

using MakeGenerator = std::unique_ptr<Generator> (*)(double scale, uint64_t seed);

struct Row {
  const char* name;
  MakeGenerator make;
};

// One row a generator.
const std::vector<Row>& table() {
  static const std::vector<Row> rows = {
      {"tpcds.date_dim", tpcds::make_date_dim},
      {"tpcds.item", tpcds::make_item},
      {"tpcds.store", tpcds::make_store},
      {"tpcds.store_sales", tpcds::make_store_sales},
      {"tpcds.customer", tpcds::make_customer},
      {"tpcds.customer_address", tpcds::make_customer_address},
      {"tpcds.customer_demographics", tpcds::make_customer_demographics},
      {"tpcds.household_demographics", tpcds::make_household_demographics},
      {"tpcds.time_dim", tpcds::make_time_dim},
      {"tpcds.promotion", tpcds::make_promotion},
      {"tpcds.store_returns", tpcds::make_store_returns},
      {"tpcds.web_sales", tpcds::make_web_sales},
      {"tpcds.web_returns", tpcds::make_web_returns},
      {"tpcds.catalog_sales", tpcds::make_catalog_sales},
      {"tpcds.catalog_returns", tpcds::make_catalog_returns},
      {"tpcds.inventory", tpcds::make_inventory},
      {"tpcds.warehouse", tpcds::make_warehouse},
      {"tpcds.income_band", tpcds::make_income_band},
      {"tpcds.reason", tpcds::make_reason},
      {"tpcds.ship_mode", tpcds::make_ship_mode},
      {"tpcds.web_site", tpcds::make_web_site},
      {"tpcds.web_page", tpcds::make_web_page},
      {"tpcds.call_center", tpcds::make_call_center},
      {"tpcds.catalog_page", tpcds::make_catalog_page},
      {"tpcds.basket", tpcds::make_basket},
      {"tpcds.item_vec", tpcds::make_item_vec},
      {"tpcds.item_vec_short", tpcds::make_item_vec_short},
  };
  return rows;
}

class GenerateReader : public Reader {
 public:
  GenerateReader(Context& context, const Generator& generator, const std::vector<int32_t>& columns, int64_t start,
                 int64_t end)
      : context_(context), generator_(generator), columns_(columns), at_(start), end_(end) {}

  bool next(Batch& batch) override {
    const int64_t rows = std::min<int64_t>(context_.settings().batch_rows, end_ - at_);
    if (rows <= 0) return false;
    batch = generator_.rows(context_, at_, rows, columns_);
    at_ += rows;
    return true;
  }

 private:
  Context& context_;
  const Generator& generator_;
  const std::vector<int32_t>& columns_;
  int64_t at_;
  int64_t end_;
};

void check_columns(const Generator& generator, const plan::Generate& generate, const plan::Node& node) {
  const auto fields = generator.fields();
  if (generate.columns.size() != node.output.size()) throw internal_error("generate: as many columns as outputs");
  for (size_t i = 0; i < generate.columns.size(); ++i) {
    if (generate.columns[i] >= static_cast<int32_t>(fields.size()))
      throw internal_error("generate: no column " + std::to_string(generate.columns[i]));
    const auto& type = fields[generate.columns[i]].type;
    if (!same_type(*type, *node.output[i].type)) {
      throw internal_error("generate: column " + fields[generate.columns[i]].name + " is " + type_name(*type) +
                           ", not " + type_name(*node.output[i].type));
    }
  }
}

class GenerateSource : public Source {
 public:
  GenerateSource(Context& context, const plan::Generate& generate, std::unique_ptr<Generator> generator)
      : context_(context), generate_(generate), generator_(std::move(generator)), rows_(generator_->row_count()) {}

  int64_t morsels() override { return (rows_ + morsel_rows - 1) / morsel_rows; }

  std::unique_ptr<Reader> open(int64_t morsel) override {
    const int64_t start = morsel * morsel_rows;
    return std::make_unique<GenerateReader>(context_, *generator_, generate_.columns, start,
                                            std::min(rows_, start + morsel_rows));
  }

 private:
  Context& context_;
  const plan::Generate& generate_;  // of the plan
  std::unique_ptr<Generator> generator_;
  int64_t rows_;
};

}  // namespace

std::unique_ptr<Generator> make_generator(const std::string& name, double scale, uint64_t seed) {
  for (const auto& row : table()) {
    if (name == row.name) return row.make(scale, seed);
  }
  throw runtime_error("no generator " + name);
}

std::vector<std::string> generator_names() {
  std::vector<std::string> names;
  for (const auto& row : table()) names.emplace_back(row.name);
  return names;
}

std::unique_ptr<Source> make_generate(Context& context, const plan::Node& node) {
  const auto& generate = std::get<plan::Generate>(node.op);
  auto generator = make_generator(generate.generator, generate.scale, generate.seed);
  check_columns(*generator, generate, node);
  return std::make_unique<GenerateSource>(context, generate, std::move(generator));
}

}  // namespace quern::cpu
