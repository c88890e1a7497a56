#include "cpu/expression/scratch.hpp"

#include "columnar/dispatch.hpp"

namespace quern::cpu {

void zero_null_rows(void* data, int32_t width, const uint64_t* validity, int64_t rows) {
  with_width(width, [&]<typename T>() {
    T* values = static_cast<T*>(data);
    for (int64_t start = 0; start < rows; start += 64) {
      uint64_t null_bits = ~validity[start >> 6];
      if (rows - start < 64) null_bits &= (1ULL << (rows - start)) - 1;
      for (; null_bits != 0; null_bits &= null_bits - 1) values[start + __builtin_ctzll(null_bits)] = T{};
    }
  });
}

Result::Result(Scratch& scratch, TypePtr type, int64_t rows)
    : scratch_(scratch), type_(std::move(type)), rows_(rows), width_(width(*type_)) {
  if (width_ > 0) {
    auto buffer = scratch.take(static_cast<size_t>(rows * width_));
    data_ = buffer->data();
    owners_.push_back(std::move(buffer));
  }
}

void Result::share_validity(const uint64_t* words, int64_t null_count, const std::vector<Owner>& owners) {
  words_ = words;
  null_count_ = null_count;
  keep(owners);
}

uint64_t* Result::validity() {
  if (own_words_ == nullptr) {
    const auto bytes = static_cast<size_t>(validity_words(rows_)) * 8;
    auto buffer = scratch_.take(bytes);
    own_words_ = buffer->as<uint64_t>();
    if (words_ != nullptr)
      std::memcpy(own_words_, words_, bytes);
    else
      std::memset(own_words_, 0xff, bytes);
    words_ = own_words_;
    owners_.push_back(std::move(buffer));
  }
  return own_words_;
}

ColumnPtr Result::finish() {
  auto column = std::make_shared<Column>();
  column->type = std::move(type_);
  column->length = rows_;
  if (own_words_ != nullptr) null_count_ = rows_ - count_set_bits(own_words_, rows_);
  if (null_count_ > 0) {
    column->validity = words_;
    column->null_count = null_count_;
    if (width_ > 0) zero_null_rows(data_, width_, words_, rows_);
  }
  column->data = data_;
  column->children = std::move(children_);
  column->owners = std::move(owners_);
  return column;
}

}  // namespace quern::cpu
