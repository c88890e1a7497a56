// item: products, some in two or three revisions that share a business key and follow each other in time.
#include "cpu/tpcds/item_words.hpp"
#include "cpu/tpcds/random.hpp"
#include "cpu/tpcds/row_table.hpp"
#include "cpu/tpcds/scale.hpp"
#include "cpu/tpcds/tables.hpp"

namespace quern::cpu::tpcds {

namespace {

constexpr uint64_t table_number = 2;
constexpr double missing = 0.0025;  // share of NULL in descriptive columns

struct ItemRow {
  int64_t sk;
  int64_t key;  // business key number
  int32_t start_day;
  std::optional<int32_t> end_day;
  std::optional<std::string> description, size, formulation, color, units, container, product_name;
  std::optional<int32_t> price, cost;  // cents
  std::optional<int32_t> brand_id, class_id, category_id, manufacturer_id, manager_id;
  std::optional<std::string> brand, class_name, category, manufacturer;
};

// Six rows carry three business keys: one revision, two, three. Revisions begin on these days.
constexpr std::array<int32_t, 6> key_of_six = {0, 1, 1, 2, 2, 2};
constexpr std::array<int32_t, 6> revision_of_six = {0, 0, 1, 0, 1, 2};
constexpr std::array<int32_t, 6> revisions_of_six = {1, 2, 2, 3, 3, 3};
constexpr int32_t first_start = 10'161;  // 1997-10-27
constexpr int32_t half_way = 1'096;      // days between the revisions of a pair
constexpr int32_t third = 731;           // days between three revisions

ItemRow make_row(uint64_t seed, int64_t index) {
  Draws draws(seed, table_number, index);
  ItemRow row{};
  const auto six = static_cast<size_t>(index % 6);
  row.sk = index + 1;
  row.key = index / 6 * 3 + key_of_six[six] + 1;
  const int32_t length = revisions_of_six[six] == 2 ? half_way : third;
  row.start_day = first_start + revision_of_six[six] * length;
  if (revision_of_six[six] + 1 < revisions_of_six[six]) row.end_day = row.start_day + length - 1;

  const auto present = [&] { return !draws.chance(missing); };
  const auto category = draws.between(0, static_cast<int64_t>(categories.size()) - 1);
  const auto item_class = draws.between(0, 5);
  const auto brand = draws.between(1, 10);
  const auto manufacturer = draws.between(1, 1000);
  // Prices lean to the low end: the square of a uniform draw.
  const double unit = draws.unit();
  const auto price = static_cast<int32_t>(9 + unit * unit * 9'990);
  const auto cost = static_cast<int32_t>(price * (0.3 + 0.5 * draws.unit()));
  if (present()) row.description = sentence(draws, 4, 20);
  if (present()) row.price = price;
  if (present()) row.cost = cost;
  if (present()) row.brand_id = static_cast<int32_t>((category + 1) * 1'000'000 + (item_class + 1) * 1'000 + brand);
  if (present()) row.brand = spelled(category + 1) + spelled(item_class + 1) + " #" + std::to_string(brand);
  if (present()) row.class_id = static_cast<int32_t>(item_class + 1);
  if (present()) row.class_name = categories[static_cast<size_t>(category)].classes[static_cast<size_t>(item_class)];
  if (present()) row.category_id = static_cast<int32_t>(category + 1);
  if (present()) row.category = categories[static_cast<size_t>(category)].name;
  if (present()) row.manufacturer_id = static_cast<int32_t>(manufacturer);
  if (present()) row.manufacturer = spelled(manufacturer);
  if (present()) row.size = sizes[static_cast<size_t>(draws.between(0, 6))];
  if (present())
    row.formulation =
        std::to_string(draws.next() % 1'000'000'000'000ULL) + colors[static_cast<size_t>(draws.between(0, 23))];
  if (present()) row.color = colors[static_cast<size_t>(draws.between(0, 23))];
  if (present()) row.units = units[static_cast<size_t>(draws.between(0, 9))];
  if (present()) row.container = "Unknown";
  if (present()) row.manager_id = static_cast<int32_t>(draws.between(1, 100));
  if (present()) row.product_name = spelled(row.sk);
  return row;
}

}  // namespace

std::unique_ptr<Generator> make_item(double scale, uint64_t seed) {
  using Row = ItemRow;
  std::vector<RowColumn<Row>> columns = {
      int32_column<Row>("i_item_sk", [](const Row& r) { return r.sk; }),
      text_column<Row>("i_item_id", [](const Row& r) { return business_key(r.key); }),
      date_column<Row>("i_rec_start_date", [](const Row& r) { return r.start_day; }),
      date_column<Row>("i_rec_end_date", [](const Row& r) { return r.end_day; }),
      text_column<Row>("i_item_desc", [](const Row& r) { return r.description; }),
      money_column<Row>("i_current_price", 7, [](const Row& r) { return r.price; }),
      money_column<Row>("i_wholesale_cost", 7, [](const Row& r) { return r.cost; }),
      int32_column<Row>("i_brand_id", [](const Row& r) { return r.brand_id; }),
      text_column<Row>("i_brand", [](const Row& r) { return r.brand; }),
      int32_column<Row>("i_class_id", [](const Row& r) { return r.class_id; }),
      text_column<Row>("i_class", [](const Row& r) { return r.class_name; }),
      int32_column<Row>("i_category_id", [](const Row& r) { return r.category_id; }),
      text_column<Row>("i_category", [](const Row& r) { return r.category; }),
      int32_column<Row>("i_manufact_id", [](const Row& r) { return r.manufacturer_id; }),
      text_column<Row>("i_manufact", [](const Row& r) { return r.manufacturer; }),
      text_column<Row>("i_size", [](const Row& r) { return r.size; }),
      text_column<Row>("i_formulation", [](const Row& r) { return r.formulation; }),
      text_column<Row>("i_color", [](const Row& r) { return r.color; }),
      text_column<Row>("i_units", [](const Row& r) { return r.units; }),
      text_column<Row>("i_container", [](const Row& r) { return r.container; }),
      int32_column<Row>("i_manager_id", [](const Row& r) { return r.manager_id; }),
      text_column<Row>("i_product_name", [](const Row& r) { return r.product_name; }),
  };
  const auto fill = [seed](int64_t start, std::vector<Row>& rows) {
    for (size_t i = 0; i < rows.size(); ++i) rows[i] = make_row(seed, start + static_cast<int64_t>(i));
  };
  return std::make_unique<RowTable<Row>>(item_rows(scale), fill, std::move(columns));
}

// ---- item_vec ----

namespace {

constexpr int64_t dimensions = 64;
constexpr int64_t short_dimensions = 48;
constexpr uint64_t vector_table = 5;
constexpr uint64_t centre_table = 6;
constexpr int64_t centres = 60;  // one a class

// Where a class lies; its items lie about it.
float centre(uint64_t seed, int64_t number, int64_t dimension) {
  return static_cast<float>(Draws(seed, centre_table, number * dimensions + dimension).normal());
}

class ItemVectors : public Generator {
 public:
  ItemVectors(int64_t first, int64_t rows, int64_t length, uint64_t seed)
      : first_(first), rows_(rows), length_(length), seed_(seed) {
    for (int64_t c = 0; c < centres; ++c) {
      for (int64_t d = 0; d < dimensions; ++d) centres_.push_back(centre(seed, c, d));
    }
  }

  int64_t row_count() const override { return rows_; }
  std::vector<plan::Field> fields() const override {
    return {{"item_sk", make_type(TypeKind::int32)}, {"vec", make_list(make_type(TypeKind::float32))}};
  }
  Batch rows(Context& context, int64_t start, int64_t count, const std::vector<int32_t>& columns) const override {
    Batch batch;
    batch.rows = count;
    for (const int32_t index : columns) {
      batch.columns.push_back(index == 0 ? keys(context.memory(), start, count)
                                         : vectors(context.memory(), start, count));
    }
    return batch;
  }

 private:
  ColumnPtr keys(Memory& memory, int64_t start, int64_t count) const {
    ColumnBuilder out(memory, make_type(TypeKind::int32), count);
    for (int64_t i = 0; i < count; ++i) out.data<int32_t>()[i] = static_cast<int32_t>(first_ + start + i + 1);
    return out.finish();
  }

  ColumnPtr vectors(Memory& memory, int64_t start, int64_t count) const {
    ColumnBuilder out(memory, make_list(make_type(TypeKind::float32)), count, true);
    ColumnBuilder elements(memory, make_type(TypeKind::float32), count * length_, true);
    int64_t next = 0;
    for (int64_t i = 0; i < count; ++i) {
      Draws draws(seed_, vector_table, first_ + start + i);
      const double kind = draws.unit();
      if (kind < 0.01) {  // about 1 % have no vector
        out.set_null(i);
        continue;
      }
      out.data<ListEntry>()[i] = {next, length_};
      float* values = elements.data<float>() + next;
      next += length_;
      if (kind < 0.0115) continue;  // a few are all zero
      const auto near = draws.between(0, centres - 1);
      for (int64_t d = 0; d < length_; ++d) {
        values[d] = centres_[static_cast<size_t>(near * dimensions + d)] + 0.5F * static_cast<float>(draws.normal());
      }
    }
    out.add_child(elements.finish(next));
    return out.finish();
  }

  int64_t first_;
  int64_t rows_;
  int64_t length_;
  uint64_t seed_;
  std::vector<float> centres_;
};

}  // namespace

std::unique_ptr<Generator> make_item_vec(double scale, uint64_t seed) {
  return std::make_unique<ItemVectors>(0, item_rows(scale), dimensions, seed);
}

std::unique_ptr<Generator> make_item_vec_short(double scale, uint64_t seed) {
  return std::make_unique<ItemVectors>(item_rows(scale), 1, short_dimensions, seed);
}

}  // namespace quern::cpu::tpcds
