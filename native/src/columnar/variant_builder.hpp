// Makes rows of VARIANT columns: out of encoded values that nobody has checked, and out of values of other types.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "columnar/variant.hpp"

namespace quern {

// One row after another: parts are appended inside out, then take() gives the row. Names get the numbers of their first
// use; fields of objects stand by name; sizes and offsets are as narrow as they can be.
class VariantBuilder {
 public:
  void start();
  // Lets copy() take so many bytes more. Values do not overlap: without this, a few bytes could stand for any amount.
  void allow(size_t bytes) { allowance_ += bytes; }

  // An encoded value. Throws corrupt_file for bytes that are none, unsupported above max_variant_depth.
  void copy(const VariantMetadata& metadata, std::string_view value);
  // A value of a column of no nested type; null where it is NULL.
  void leaf(const Column& column, int64_t row);
  void null() { value_ += '\0'; }

  // An array or object under way: open, then part() after each value, then close.
  struct Open {
    size_t begin;
    std::vector<size_t> ends;
    std::vector<uint32_t> names;  // of an object
  };
  Open open();
  void part(Open& open) const { open.ends.push_back(value_.size() - open.begin); }
  // Of an object, before its value; in ascending order.
  void name(Open& open, std::string_view name);
  void close_array(const Open& open);
  void close_object(const Open& open);

  // Replaces `row`.
  void take(std::string& row);
  // Whether what take() would give is variant null.
  bool is_null() const { return value_.size() == 1 && value_[0] == 0; }

 private:
  void charge(size_t bytes);
  void nested(const VariantMetadata& metadata, std::string_view value, bool is_object);
  void primitive(VariantPrimitive type, const void* payload, size_t size);
  void decimal(int128_t value, int precision, int scale);
  void sized(VariantPrimitive type, std::string_view bytes);
  void header(const Open& open, bool is_object);

  std::string value_;
  std::string names_;
  std::vector<size_t> name_ends_;
  std::map<std::string, uint32_t, std::less<>> numbers_;  // cleared in the time of its entries, unlike hashes
  size_t allowance_ = 0;
  int depth_ = 0;
};

// Whether leaf() takes values of the type.
bool fits_variant(const DataType& type);

// Rows of text, as rows of VARIANT that hold it.
ColumnPtr texts_as_variants(Memory& memory, const ColumnPtr& column);

}  // namespace quern
