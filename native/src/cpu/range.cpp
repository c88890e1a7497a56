#include "cpu/range.hpp"

#include <algorithm>

namespace quern::cpu {

namespace {

constexpr int64_t morsel_rows = 1 << 16;

// Numbers [first, first + count) of the sequence start + i * step, which does not leave int64 inside the range.
class RangeReader : public Reader {
 public:
  RangeReader(Context& context, const plan::Range& range, int64_t first, int64_t count)
      : context_(context), range_(range), at_(first), end_(first + count) {}

  bool next(Batch& batch) override {
    const int64_t rows = std::min<int64_t>(context_.settings().batch_rows, end_ - at_);
    if (rows <= 0) return false;
    ColumnBuilder builder(context_.memory(), make_type(TypeKind::int64), rows);
    auto* data = builder.data<int64_t>();
    // In unsigned arithmetic: start + i * step fits, i * step alone may not.
    for (int64_t i = 0; i < rows; ++i) {
      data[i] = static_cast<int64_t>(static_cast<uint64_t>(range_.start) +
                                     static_cast<uint64_t>(at_ + i) * static_cast<uint64_t>(range_.step));
    }
    at_ += rows;
    batch.rows = rows;
    batch.columns = {builder.finish()};
    return true;
  }

 private:
  Context& context_;
  const plan::Range& range_;
  int64_t at_;
  int64_t end_;
};

int64_t row_count(const plan::Range& range) {
  const int128_t distance = static_cast<int128_t>(range.stop) - range.start;
  const int128_t step = range.step;
  if ((step > 0) != (distance > 0) || distance == 0) return 0;
  const int128_t rows = (distance + step - (step > 0 ? 1 : -1)) / step;
  if (rows > INT64_MAX) throw runtime_error("a range has at most 9223372036854775807 rows");
  return static_cast<int64_t>(rows);
}

class RangeSource : public Source {
 public:
  RangeSource(Context& context, const plan::Range& range) : context_(context), range_(range), rows_(row_count(range)) {}
  int64_t morsels() override { return rows_ / morsel_rows + (rows_ % morsel_rows != 0 ? 1 : 0); }
  std::unique_ptr<Reader> open(int64_t morsel) override {
    const int64_t first = morsel * morsel_rows;
    return std::make_unique<RangeReader>(context_, range_, first, std::min(morsel_rows, rows_ - first));
  }

 private:
  Context& context_;
  const plan::Range& range_;  // of the plan
  int64_t rows_;
};

}  // namespace

std::unique_ptr<Source> make_range(Context& context, const plan::Range& range) {
  return std::make_unique<RangeSource>(context, range);
}

}  // namespace quern::cpu
