// The function table itself: every row can be bound, looked up and made.
#include <gtest/gtest.h>

#include <algorithm>

#include "cpu/expression/kernel.hpp"
#include "expression/case_file.hpp"
#include "plan/functions.hpp"

namespace quern::test {
namespace {

// A type for each kind.
TypePtr sample(const std::string& kind) {
  if (kind == "any" || kind == "lambda") return make_type(TypeKind::int32);
  if (kind == "decimal") return make_decimal(9, 2);
  if (kind == "timestamp") return make_timestamp(TimeUnit::us, false);
  if (kind == "null") return make_type(TypeKind::null);
  if (kind == "list") return make_list(make_type(TypeKind::int32));
  if (kind == "map") return make_map(make_type(TypeKind::int32), make_type(TypeKind::string));
  if (kind == "struct") return make_structure({"a"}, {make_type(TypeKind::int32)});
  return parse_type(kind);
}

TypePtr sample(const std::string& pattern, const TypePtr& variable) {
  if (pattern == "T") return variable;
  if (pattern.starts_with("list<")) return make_list(sample(pattern.substr(5, pattern.size() - 6), variable));
  return sample(pattern);
}

TypePtr result_of(const plan::Function& row, const std::vector<TypePtr>& arguments, const TypePtr& variable) {
  if (row.result == "element" || row.result == "T") return variable;
  if (row.result == "decimal_sum" || row.result == "decimal_any") return make_decimal(20, 2);
  if (row.result == "decimal_product") return make_decimal(20, 4);
  if (row.result == "decimal_sum38") return make_decimal(38, 2);
  if (row.result == "map_value") return arguments[0]->children[1];
  if (row.result == "map_values") return make_list(arguments[0]->children[1]);
  if (row.result == "map_keys") return make_list(arguments[0]->children[0]);
  if (row.result == "map_entries") return make_list(map_entry_type(*arguments[0]));
  if (row.name.starts_with("struct_") && row.result == "given") return sample("struct");
  if (row.name.starts_with("map_from_")) return sample("map");
  if (row.name == "regexp_extract_all_groups") return make_list(sample("struct"));
  if (row.name == "list_leaves") return make_list(make_type(TypeKind::int32));
  if (row.name == "list_zip") return make_list(sample("struct"));
  if (row.name == "list_histogram") return make_map(variable, make_type(TypeKind::uint64));
  if (row.name == "make_timestamp_ns") return make_timestamp(TimeUnit::ns, false);
  if (row.name == "variant_extract") return make_tagged(TypeTag::variant);
  if (row.result == "given") return make_type(TypeKind::int32);
  return sample(row.result, variable);
}

TEST(FunctionTable, EveryRowIsFoundAndMade) {
  for (const auto& row : plan::function_table()) {
    const std::vector<std::string> none{"any"};
    for (const auto& kind : row.over.empty() ? none : row.over) {
      const TypePtr variable = sample(kind);
      std::vector<TypePtr> arguments;
      for (const auto& pattern : row.arguments) arguments.push_back(sample(pattern, variable));
      // Its elements are lists themselves.
      if (row.name == "list_leaves") arguments[0] = make_list(make_list(make_type(TypeKind::int32)));
      if (row.name == "variant_extract") arguments[0] = make_tagged(TypeTag::variant);
      if (row.name == "instant_to_local") arguments[1] = make_timestamp(TimeUnit::us, true);
      const TypePtr result = result_of(row, arguments, variable);
      const auto* found =
          row.aggregate ? plan::find_aggregate(row.name, arguments) : plan::find_function(row.name, arguments);
      ASSERT_EQ(found, &row) << row.name << " over " << kind;
      EXPECT_TRUE(plan::result_fits(row, arguments, result)) << row.name << " over " << kind;
      // Calls with a lambda are no kernels: their body is an expression of its own.
      if (row.aggregate || std::find(row.arguments.begin(), row.arguments.end(), "lambda") != row.arguments.end())
        continue;
      try {
        EXPECT_NE(cpu::kernel_table().make({row.name, arguments, result, false}), nullptr);
      } catch (const Error& error) {
        ADD_FAILURE() << row.name << " over " << kind << ": " << error.message();
      }
    }
  }
}

TEST(FunctionTable, LookupIsExact) {
  const TypePtr int32 = make_type(TypeKind::int32), int64 = make_type(TypeKind::int64),
                text = make_type(TypeKind::string);
  EXPECT_NE(plan::find_function("add", {int32, int32}), nullptr);
  EXPECT_EQ(plan::find_function("add", {int32, int64}), nullptr);
  EXPECT_EQ(plan::find_function("add", {int32}), nullptr);
  EXPECT_EQ(plan::find_function("no such function", {int32}), nullptr);
  EXPECT_EQ(plan::find_function("sum", {int32}), nullptr);
  EXPECT_NE(plan::find_aggregate("sum", {int32}), nullptr);
  EXPECT_NE(plan::find_function("concat", {text, text, text}), nullptr);
  EXPECT_EQ(plan::find_function("concat", {}), nullptr);
  EXPECT_EQ(plan::find_function("add", {make_decimal(5, 2), make_decimal(5, 1)}), nullptr);
  const auto* add = plan::find_function("add", {int32, int32});
  EXPECT_FALSE(plan::result_fits(*add, {int32, int32}, int64));
  const auto* extract = plan::find_function("list_extract", {make_list(text), int64});
  ASSERT_NE(extract, nullptr);
  EXPECT_TRUE(plan::result_fits(*extract, {make_list(text), int64}, text));
  EXPECT_FALSE(plan::result_fits(*extract, {make_list(text), int64}, int64));
}

TEST(FunctionTable, JsonHoldsEveryRowAndTheHashDependsOnIt) {
  const std::string json = plan::function_table_json();
  size_t rows = 0;
  for (size_t at = 0; (at = json.find("{\"name\":", at)) != std::string::npos; ++at) ++rows;
  EXPECT_EQ(rows, plan::function_table().size());
  EXPECT_EQ(plan::function_table_hash().size(), 16u);
  EXPECT_EQ(plan::function_table_hash(), plan::function_table_hash());
}

}  // namespace
}  // namespace quern::test
