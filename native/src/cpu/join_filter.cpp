#include "cpu/join_filter.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "cpu/whole_number.hpp"

namespace quern::cpu {

namespace {

// Keys up to which each is compared with bounds, and up to which each is asked of the file's bloom filters.
constexpr int64_t most_sorted = 1024;
constexpr size_t few_values = 64;
// Values a key that may have a bit of their own, and bits that a filter may have in any case.
constexpr uint64_t bits_per_key = 64;
constexpr uint64_t bits_always = 1 << 16;
// Bits a key in the bloom filter, rounded up to a power of two words, and words of the smallest one.
constexpr uint64_t bloom_bits_per_key = 16;
constexpr uint64_t bloom_words = 64;

// Four bits of one word by the middle of the hash; the word is chosen by its bottom bits.
uint64_t bloom_bits(uint64_t hash) {
  return 1ULL << (hash >> 58) | 1ULL << (hash >> 52 & 63) | 1ULL << (hash >> 46 & 63) | 1ULL << (hash >> 40 & 63);
}

// Calls each(value) for the rows that have one.
template <typename T, typename Each>
void visit_values(const Column& key, Each&& each) {
  const T* values = key.values<T>();
  for (int64_t i = 0; i < key.length; ++i) {
    if (key.is_valid(i)) each(static_cast<int64_t>(values[i]));
  }
}

int64_t whole_number(const Column& column) {
  int64_t value = 0;
  with_whole_number(*column.type, [&]<typename T>() { value = static_cast<int64_t>(column.values<T>()[0]); });
  return value;
}

}  // namespace

JoinFilter::JoinFilter(Context& context, const TypePtr& type, const std::vector<ColumnPtr>& keys, bool tests_rows)
    : type_(type), layout_({type}, false), reserved_(context.memory()) {
  for (const auto& key : keys) rows_ += key->length - key->null_count;
  if (is_empty()) return;
  learn_bounds(keys);
  list_values(context.memory(), keys);
  if (!tests_rows) return;
  const uint64_t span = static_cast<uint64_t>(greatest_) - static_cast<uint64_t>(least_);
  if (ordered_ && span < std::max(bits_always, static_cast<uint64_t>(rows_) * bits_per_key)) {
    reserved_.resize(static_cast<int64_t>(span / 8 + 8));
    bits_.assign(static_cast<size_t>(span / 64 + 1), 0);
    set_bits(keys);
  } else {
    fill_bloom(context, keys);
  }
}

void JoinFilter::learn_bounds(const std::vector<ColumnPtr>& keys) {
  ordered_ = with_whole_number(*type_, [&]<typename T>() {
    int64_t least = std::numeric_limits<int64_t>::max(), greatest = std::numeric_limits<int64_t>::min();
    for (const auto& key : keys) {
      visit_values<T>(*key, [&](int64_t value) {
        least = std::min(least, value);
        greatest = std::max(greatest, value);
      });
    }
    least_ = least;
    greatest_ = greatest;
  });
}

void JoinFilter::list_values(Memory& memory, const std::vector<ColumnPtr>& keys) {
  if (!ordered_ || rows_ > most_sorted) return;
  with_whole_number(*type_, [&]<typename T>() {
    for (const auto& key : keys) visit_values<T>(*key, [&](int64_t value) { sorted_.push_back(value); });
    std::sort(sorted_.begin(), sorted_.end());
    sorted_.erase(std::unique(sorted_.begin(), sorted_.end()), sorted_.end());
    if (sorted_.size() > few_values) return;
    for (const int64_t value : sorted_) {
      ColumnBuilder builder(memory, type_, 1);
      builder.data<T>()[0] = static_cast<T>(value);
      values_.push_back(make_constant(builder.finish(), 0, 1));
    }
  });
}

void JoinFilter::set_bits(const std::vector<ColumnPtr>& keys) {
  with_whole_number(*type_, [&]<typename T>() {
    for (const auto& key : keys) {
      visit_values<T>(*key, [&](int64_t value) {
        const uint64_t bit = static_cast<uint64_t>(value) - static_cast<uint64_t>(least_);
        bits_[bit / 64] |= 1ULL << (bit % 64);
      });
    }
  });
}

void JoinFilter::fill_bloom(Context& context, const std::vector<ColumnPtr>& keys) {
  const uint64_t words = std::bit_ceil(std::max(bloom_words, static_cast<uint64_t>(rows_) * bloom_bits_per_key / 64));
  reserved_.resize(static_cast<int64_t>(words * 8));
  bloom_.assign(static_cast<size_t>(words), 0);
  KeyEncoder encoder(context.memory(), layout_);
  for (const auto& key : keys) {
    context.check_cancelled();
    encoder.encode({key}, key->length);
    for (int64_t i = 0; i < key->length; ++i) {
      const uint64_t hash = encoder.hashes()[i];
      if (key->is_valid(i)) bloom_[hash & (words - 1)] |= bloom_bits(hash);
    }
  }
}

bool JoinFilter::any_between(int64_t least, int64_t greatest) const {
  if (greatest < least_ || least > greatest_) return false;
  if (!sorted_.empty()) {
    const auto at = std::lower_bound(sorted_.begin(), sorted_.end(), least);
    return at != sorted_.end() && *at <= greatest;
  }
  if (bits_.empty()) return true;
  const auto place = [&](int64_t value) { return static_cast<uint64_t>(value) - static_cast<uint64_t>(least_); };
  uint64_t bit = place(std::max(least, least_));
  const uint64_t last = place(std::min(greatest, greatest_));
  for (; bit <= last; bit = (bit / 64 + 1) * 64) {
    uint64_t word = bits_[bit / 64] >> (bit % 64) << (bit % 64);
    if (bit / 64 == last / 64) word &= ~0ULL >> (63 - last % 64);
    if (word != 0) return true;
  }
  return false;
}

bool JoinFilter::may_match(const parquet::Bounds& bounds, int64_t rows) const {
  if (is_empty()) return false;
  if (bounds.null_count && *bounds.null_count == rows) return false;
  if (!ordered_ || !bounds.min || !bounds.max) return true;
  return any_between(whole_number(*bounds.min), whole_number(*bounds.max));
}

int64_t JoinFilter::select(Memory& memory, const ColumnPtr& column, KeyEncoder& encoder, uint32_t* rows,
                           int64_t count) const {
  if (is_empty()) return 0;
  int64_t kept = 0;
  const auto keep = [&](int64_t i, bool passes) {
    rows[kept] = rows[i];
    kept += passes;
  };
  if (!bits_.empty()) {
    const auto flat = flatten(memory, column);
    const auto span = static_cast<uint64_t>(greatest_) - static_cast<uint64_t>(least_);
    with_whole_number(*type_, [&]<typename T>() {
      const T* values = flat->values<T>();
      for (int64_t i = 0; i < count; ++i) {
        const uint64_t bit =
            static_cast<uint64_t>(static_cast<int64_t>(values[rows[i]])) - static_cast<uint64_t>(least_);
        keep(i, bit <= span && (bits_[bit / 64] >> (bit % 64) & 1) != 0 && flat->is_valid(rows[i]));
      }
    });
    return kept;
  }
  encoder.encode({column}, column->length);
  const bool nulls = column->null_count > 0;
  const bool none = nulls && column->form == Form::constant;
  for (int64_t i = 0; i < count && !none; ++i) {
    const uint64_t hash = encoder.hashes()[rows[i]];
    const uint64_t bits = bloom_bits(hash);
    keep(i, (bloom_[hash & (bloom_.size() - 1)] & bits) == bits && (!nulls || column->is_valid(rows[i])));
  }
  return kept;
}

}  // namespace quern::cpu
