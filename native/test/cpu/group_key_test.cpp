#include "cpu/group_key.hpp"

#include <gtest/gtest.h>

#include "columnar/column.hpp"

namespace quern::cpu {
namespace {

// The same rows as dictionary codes.
ColumnPtr as_dictionary(const ColumnPtr& flat) {
  auto column = std::make_shared<Column>(*flat);
  auto codes = std::make_shared<std::vector<uint32_t>>(static_cast<size_t>(flat->length));
  for (size_t i = 0; i < codes->size(); ++i) (*codes)[i] = static_cast<uint32_t>(i);
  column->form = Form::dictionary;
  column->data = codes->data();
  column->owners.push_back(codes);
  column->children = {flat};
  return column;
}

template <typename T>
ColumnPtr numbers(Memory& memory, TypeKind kind, int64_t rows, bool nulls) {
  ColumnBuilder out(memory, make_type(kind), rows);
  for (int64_t i = 0; i < rows; ++i) {
    out.template data<T>()[i] = static_cast<T>(i * 0x9E3779B97F4A7C15 >> (i % 61));
    if (nulls && i % 3 == 0) {
      out.set_null(i);
      out.template data<T>()[i] = 0;
    }
  }
  return out.finish();
}

template <typename T>
void every_form_has_one_key(TypeKind kind) {
  Memory memory(1 << 28);
  const KeyLayout layout({make_type(kind)});
  for (const int64_t rows : {0, 1, 31, 32, 33, 2047, 2048, 2049}) {
    for (const bool nulls : {false, true}) {
      const auto flat = numbers<T>(memory, kind, rows, nulls);
      KeyEncoder straight(memory, layout), general(memory, layout);
      straight.encode({flat}, rows);
      general.encode({as_dictionary(flat)}, rows);
      for (int64_t i = 0; i < rows * layout.words; ++i) ASSERT_EQ(straight.keys()[i], general.keys()[i]) << rows << i;
      for (int64_t i = 0; i < rows; ++i) ASSERT_EQ(straight.hashes()[i], general.hashes()[i]) << rows << " " << i;
    }
  }
}

TEST(GroupKey, FormsOfSingleIntegersAgree) {
  every_form_has_one_key<int32_t>(TypeKind::int32);
  every_form_has_one_key<uint32_t>(TypeKind::uint32);
  every_form_has_one_key<int64_t>(TypeKind::int64);
  every_form_has_one_key<uint64_t>(TypeKind::uint64);
  every_form_has_one_key<int32_t>(TypeKind::date);
}

}  // namespace
}  // namespace quern::cpu
