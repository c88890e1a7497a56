// basket(ticket BIGINT, items INTEGER[]): the items of every ticket of store_sales, in the order of its lines.
#include "cpu/tpcds/sales_line.hpp"
#include "cpu/tpcds/tables.hpp"

namespace quern::cpu::tpcds {

namespace {

class Baskets : public Generator {
 public:
  explicit Baskets(const SalesSizes& sizes) : sizes_(sizes) {}

  int64_t row_count() const override { return sizes_.blocks * block_tickets; }
  std::vector<plan::Field> fields() const override {
    return {{"ticket", make_type(TypeKind::int64)}, {"items", make_list(make_type(TypeKind::int32))}};
  }
  Batch rows(Context& context, int64_t start, int64_t count, const std::vector<int32_t>& columns) const override {
    Batch batch;
    batch.rows = count;
    for (const int32_t index : columns) {
      batch.columns.push_back(index == 0 ? tickets(context.memory(), start, count)
                                         : items(context.memory(), start, count));
    }
    return batch;
  }

 private:
  ColumnPtr tickets(Memory& memory, int64_t start, int64_t count) const {
    ColumnBuilder out(memory, make_type(TypeKind::int64), count);
    for (int64_t i = 0; i < count; ++i) out.data<int64_t>()[i] = start + i + 1;
    return out.finish();
  }

  ColumnPtr items(Memory& memory, int64_t start, int64_t count) const {
    constexpr int64_t most_lines = 16;  // of a ticket
    ColumnBuilder out(memory, make_list(make_type(TypeKind::int32)), count);
    ColumnBuilder elements(memory, make_type(TypeKind::int32), count * most_lines);
    BlockStarts starts{};
    int64_t block = -1;
    int64_t next = 0;
    for (int64_t i = 0; i < count; ++i) {
      if ((start + i) / block_tickets != block) {
        block = (start + i) / block_tickets;
        starts = ticket_starts(sizes_, block);
      }
      const auto in_block = static_cast<size_t>((start + i) % block_tickets);
      const int64_t lines = starts[in_block + 1] - starts[in_block];
      out.data<ListEntry>()[i] = {next, lines};
      for (int64_t line = 0; line < lines; ++line)
        elements.data<int32_t>()[next++] = sold_item(sizes_, start + i + 1, line);
    }
    out.add_child(elements.finish(next));
    return out.finish();
  }

  SalesSizes sizes_;
};

}  // namespace

std::unique_ptr<Generator> make_basket(double scale, uint64_t seed) {
  return std::make_unique<Baskets>(sales_sizes(scale, seed));
}

}  // namespace quern::cpu::tpcds
