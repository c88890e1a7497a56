#include "cpu/join_sorted.hpp"

#include <algorithm>
#include <memory>

namespace quern::cpu {

namespace {

struct Sorted {
  int64_t value;
  uint32_t id;  // packed: ascending in input order
  bool operator<(const Sorted& other) const { return value != other.value ? value < other.value : id < other.id; }
};

// Tasks sort a piece each, then pieces are merged pair by pair.
void sort_in_parallel(Sorted* begin, int64_t count, int64_t pieces, const Parallel& parallel) {
  const auto at = [&](int64_t piece) { return begin + count * std::min(piece, pieces) / pieces; };
  parallel(pieces, [&](int64_t piece) { std::sort(at(piece), at(piece + 1)); });
  for (int64_t width = 1; width < pieces; width *= 2) {
    parallel((pieces + 2 * width - 1) / (2 * width), [&](int64_t pair) {
      const int64_t first = pair * 2 * width;
      std::inplace_merge(at(first), at(first + width), at(first + 2 * width));
    });
  }
}

template <typename T>
int64_t first_at_least(const T* values, int64_t count, T operand) {
  return std::lower_bound(values, values + count, operand) - values;
}
template <typename T>
int64_t first_above(const T* values, int64_t count, T operand) {
  return std::upper_bound(values, values + count, operand) - values;
}

template <typename T>
JoinSorted::Run run_of(const T* values, int64_t count, TestOp op, T operand) {
  switch (op) {
    case TestOp::less:
      return {0, first_at_least(values, count, operand)};
    case TestOp::less_or_equal:
      return {0, first_above(values, count, operand)};
    case TestOp::greater:
      return {first_above(values, count, operand), count};
    case TestOp::greater_or_equal:
      return {first_at_least(values, count, operand), count};
    default:
      return {0, count};
  }
}

// Least and greatest of each 64 values.
template <typename T>
void summarise(const T* least, const T* greatest, int64_t count, T* out_least, T* out_greatest) {
  for (int64_t start = 0; start < count; start += 64) {
    const int64_t end = std::min(count, start + 64);
    *out_least++ = *std::min_element(least + start, least + end);
    *out_greatest++ = *std::max_element(greatest + start, greatest + end);
  }
}

}  // namespace

int32_t JoinSorted::test_to_sort_by(const ResidualParts& parts) {
  for (size_t test = 0; test < parts.tests.size(); ++test) {
    if (parts.tests[test].op != TestOp::equal && parts.tests[test].op != TestOp::unequal)
      return static_cast<int32_t>(test);
  }
  return -1;
}

JoinSorted::JoinSorted(Context& context, const JoinResidual& residual, const ChunkedRows& rows, PackedIds packing,
                       const Parallel& parallel)
    : by_(static_cast<size_t>(test_to_sort_by(residual.parts()))) {
  const auto& tests = residual.parts().tests;
  auto buffer = context.memory().allocate(static_cast<size_t>(rows.rows()) * sizeof(Sorted));
  auto* sorted = buffer->as<Sorted>();
  for (size_t chunk = 0; chunk < rows.chunks().size(); ++chunk) {
    context.check_cancelled();
    for (int64_t row = 0; row < rows.chunks()[chunk].rows; ++row) {
      bool valid = true;
      for (size_t test = 0; test < tests.size(); ++test) valid = valid && residual.is_valid(test, chunk, row);
      if (!valid) continue;
      const int64_t value =
          tests[by_].wide ? residual.values<int64_t>(by_, chunk)[row] : residual.values<int32_t>(by_, chunk)[row];
      sorted[rows_++] = {value, packing.pack(chunk, row)};
    }
  }
  sort_in_parallel(sorted, rows_, context.settings().threads, parallel);
  ids_ = context.memory().allocate(static_cast<size_t>(rows_) * sizeof(uint32_t));
  for (int64_t i = 0; i < rows_; ++i) ids_->as<uint32_t>()[i] = sorted[i].id;
  buffer.reset();
  for (int64_t blocks = rows_; blocks > 1 << level_bits; blocks = (blocks + 63) >> level_bits) ++top_level_;
  columns_.resize(tests.size());
  parallel(static_cast<int64_t>(tests.size()), [&](int64_t test) {
    if (tests[static_cast<size_t>(test)].wide)
      fill<int64_t>(context, residual, packing, static_cast<size_t>(test));
    else
      fill<int32_t>(context, residual, packing, static_cast<size_t>(test));
  });
}

template <typename T>
void JoinSorted::fill(Context& context, const JoinResidual& residual, PackedIds packing, size_t test) {
  Memory& memory = context.memory();
  Column& column = columns_[test];
  column.wide = sizeof(T) == 8;
  const auto allocate = [&](int64_t count) {
    return memory.allocate(static_cast<size_t>(count + values_per_word) * sizeof(T));
  };
  column.values = allocate(rows_);
  T* values = column.values->as<T>();
  for (int64_t i = 0; i < rows_; ++i) {
    const int64_t id = packing.unpack(ids()[i]);
    values[i] = residual.values<T>(test, static_cast<size_t>(id >> 32))[static_cast<uint32_t>(id)];
  }
  const T *least = values, *greatest = values;
  int64_t count = rows_;
  for (int level = 0; level < top_level_; ++level) {
    const int64_t blocks = (count + 63) >> level_bits;
    column.levels.push_back({allocate(blocks), allocate(blocks)});
    summarise(least, greatest, count, column.levels.back().least->as<T>(), column.levels.back().greatest->as<T>());
    least = column.levels.back().least->as<T>();
    greatest = column.levels.back().greatest->as<T>();
    count = blocks;
  }
}

JoinSorted::Run JoinSorted::find(const std::vector<ValueTest>& tests) const {
  const ValueTest& test = tests[by_];
  if (test.wide) return run_of(columns_[by_].values->as<int64_t>(), rows_, test.op, test.operand);
  return run_of(columns_[by_].values->as<int32_t>(), rows_, test.op, static_cast<int32_t>(test.operand));
}

int64_t JoinSorted::value_tests(const Search& search, ValueTest* out) const {
  int64_t count = 0;
  for (size_t test = 0; test < columns_.size(); ++test) {
    if (test == by_) continue;
    out[count] = search.tests[test];
    out[count++].values = columns_[test].values->data();
  }
  return count;
}

int64_t JoinSorted::block_tests(const Search& search, int level, ValueTest* out) const {
  int64_t count = 0;
  const auto add = [&](const ValueTest& test, TestOp op, const BufferPtr& values) {
    out[count] = test;
    out[count].op = op;
    out[count++].values = values->data();
  };
  for (size_t test = 0; test < columns_.size(); ++test) {
    if (test == by_) continue;
    const Level& blocks = columns_[test].levels[static_cast<size_t>(level - 1)];
    const ValueTest& of = search.tests[test];
    if (of.op == TestOp::less || of.op == TestOp::less_or_equal) {
      add(of, of.op, blocks.least);
    } else if (of.op == TestOp::greater || of.op == TestOp::greater_or_equal) {
      add(of, of.op, blocks.greatest);
    } else if (of.op == TestOp::equal) {
      add(of, TestOp::less_or_equal, blocks.least);
      add(of, TestOp::greater_or_equal, blocks.greatest);
    }
  }
  return count;
}

int64_t JoinSorted::select_at(Search& search, int level, int64_t from, int64_t to, uint32_t* passing) const {
  // Twice as many as tests of a residual are, which are few: more are left to blocks below.
  constexpr int64_t most_tests = 16;
  std::array<ValueTest, most_tests> tests;
  std::vector<ValueTest> many;
  ValueTest* into = tests.data();
  if (2 * static_cast<int64_t>(columns_.size()) > most_tests) {
    many.resize(2 * columns_.size());
    into = many.data();
  }
  const int64_t count = level == 0 ? value_tests(search, into) : block_tests(search, level, into);
  search.tested += to - from;
  return search.select(into, count, from, to, passing);
}

}  // namespace quern::cpu
