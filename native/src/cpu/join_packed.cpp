#include "cpu/join_packed.hpp"

#include <algorithm>
#include <optional>

#include "cpu/join_direct.hpp"
#include "cpu/join_hash.hpp"
#include "cpu/key_bounds.hpp"
#include "cpu/whole_number.hpp"

namespace quern::cpu {

namespace {

// Words are less than this, so that they are int64 values.
constexpr uint64_t most_words = 1ULL << 62;

// One key's part of the word.
struct Digit {
  int64_t least = 0;
  uint64_t span = 1;    // of its values
  uint64_t weight = 1;  // of one step
};

// Makes one column of several.
class KeyPacker {
 public:
  explicit KeyPacker(std::vector<Digit> digits) : digits_(std::move(digits)) {}

  // NULL where a key is NULL or outside of its range.
  ColumnPtr pack(Memory& memory, const std::vector<ColumnPtr>& keys, int64_t rows) const {
    ColumnBuilder out(memory, make_type(TypeKind::int64), rows, true);
    auto* words = out.data<uint64_t>();
    auto absent_rows = memory.allocate_zeroed(static_cast<size_t>(rows));
    auto* absent = absent_rows->data();
    for (size_t key = 0; key < digits_.size(); ++key) {
      const auto column = flatten(memory, keys[key]);
      with_whole_number(*column->type, [&]<typename T>() { add<T>(*column, digits_[key], rows, words, absent); });
    }
    for (int64_t i = 0; i < rows; ++i) {
      if (absent[i] == 0) continue;
      words[i] = 0;
      out.set_null(i);
    }
    return out.finish();
  }

 private:
  template <typename T>
  static void add(const Column& column, const Digit& digit, int64_t rows, uint64_t* words, uint8_t* absent) {
    const T* values = column.values<T>();
    const auto least = static_cast<uint64_t>(digit.least);
    for (int64_t i = 0; i < rows; ++i) {
      const uint64_t offset = static_cast<uint64_t>(static_cast<int64_t>(values[i])) - least;
      absent[i] |= static_cast<uint8_t>(offset >= digit.span);
      words[i] += offset * digit.weight;
    }
    if (column.null_count == 0) return;
    for (int64_t i = 0; i < rows; ++i) absent[i] |= static_cast<uint8_t>(!column.is_valid(i));
  }

  std::vector<Digit> digits_;
};

// The ranges of all keys; nothing where their product is too large or a key has no value.
std::optional<std::vector<Digit>> digits_of(const std::vector<std::vector<ColumnPtr>>& columns,
                                            const Parallel& parallel) {
  const size_t keys = columns[0].size();
  std::vector<KeyBounds> parts(columns.size() * keys);
  parallel(static_cast<int64_t>(parts.size()), [&](int64_t part) {
    const auto at = static_cast<size_t>(part);
    const Column& column = *columns[at / keys][at % keys];
    with_whole_number(*column.type, [&]<typename T>() { parts[at] = key_bounds<T>(column); });
  });
  std::vector<Digit> digits;
  uint64_t weight = 1;
  for (size_t key = 0; key < keys; ++key) {
    KeyBounds bounds;
    for (size_t chunk = 0; chunk < columns.size(); ++chunk) bounds.add(parts[chunk * keys + key]);
    if (bounds.rows == 0 || bounds.distance() >= most_words / weight) return std::nullopt;
    digits.push_back({bounds.least, bounds.distance() + 1, weight});
    weight *= bounds.distance() + 1;
  }
  return digits;
}

class PackedFinder : public JoinFinder {
 public:
  PackedFinder(Memory& memory, const KeyPacker& packer, std::unique_ptr<JoinFinder> finder)
      : memory_(memory), packer_(packer), finder_(std::move(finder)) {}

  void find(const std::vector<ColumnPtr>& keys, int64_t rows, JoinMatches* matches) override {
    finder_->find({packer_.pack(memory_, keys, rows)}, rows, matches);
  }
  void find_single(const std::vector<ColumnPtr>& keys, int64_t rows, int64_t* ids) override {
    finder_->find_single({packer_.pack(memory_, keys, rows)}, rows, ids);
  }

 private:
  Memory& memory_;
  const KeyPacker& packer_;
  std::unique_ptr<JoinFinder> finder_;
};

class JoinPacked : public JoinIndex {
 public:
  JoinPacked(Memory& memory, KeyPacker packer)
      : memory_(memory), packer_(std::move(packer)), layout_(word_.types, false) {}

  void build(Context& context, const std::vector<std::vector<ColumnPtr>>& columns, PackedIds packing,
             bool one_is_enough, const Parallel& parallel) {
    std::vector<ColumnPtr> words(columns.size());
    parallel(static_cast<int64_t>(columns.size()), [&](int64_t number) {
      const auto& chunk = columns[static_cast<size_t>(number)];
      words[static_cast<size_t>(number)] = packer_.pack(memory_, chunk, chunk[0]->length);
    });
    index_ = make_join_direct(context, words, packing, one_is_enough, parallel);
    if (index_) return;
    std::vector<std::vector<ColumnPtr>> chunks;
    for (auto& word : words) chunks.push_back({std::move(word)});
    index_ = make_join_hash(context, word_, layout_, std::move(chunks), packing, one_is_enough, parallel);
  }

  bool is_single() const override { return index_->is_single(); }
  std::unique_ptr<JoinFinder> finder() const override {
    return std::make_unique<PackedFinder>(memory_, packer_, index_->finder());
  }
  std::vector<JoinList> lists() const override { return index_->lists(); }
  std::string name() const override { return "packed, " + index_->name(); }

 private:
  Memory& memory_;
  KeyPacker packer_;
  JoinKeyTypes word_{{make_type(TypeKind::int64)}, {false}};
  KeyLayout layout_;
  std::unique_ptr<JoinIndex> index_;
};

}  // namespace

std::unique_ptr<JoinIndex> make_join_packed(Context& context, const JoinKeyTypes& types,
                                            const std::vector<std::vector<ColumnPtr>>& columns, PackedIds packing,
                                            bool one_is_enough, const Parallel& parallel) {
  const auto is_whole_number = [](const TypePtr& type) { return with_whole_number(*type, []<typename T>() {}); };
  if (!std::all_of(types.types.begin(), types.types.end(), is_whole_number)) return nullptr;
  for (const auto& chunk : columns) {
    for (const auto& column : chunk) {
      if (column->form != Form::flat) return nullptr;
    }
  }
  auto digits = digits_of(columns, parallel);
  if (!digits) return nullptr;
  auto out = std::make_unique<JoinPacked>(context.memory(), KeyPacker(std::move(*digits)));
  out->build(context, columns, packing, one_is_enough, parallel);
  return out;
}

}  // namespace quern::cpu
