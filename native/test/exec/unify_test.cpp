#include "exec/unify.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace quern {
namespace {

std::optional<std::string> unified(const TypePtr& a, const TypePtr& b) {
  const auto type = unify_types(a, b);
  const auto mirrored = unify_types(b, a);
  EXPECT_EQ(type == nullptr, mirrored == nullptr);
  if (!type) return std::nullopt;
  EXPECT_TRUE(same_type(*type, *mirrored));
  return type_name(*type);
}

TEST(Unify, NarrowestTypeThatHoldsBoth) {
  const auto of = [](TypeKind kind) { return make_type(kind); };
  EXPECT_EQ(unified(of(TypeKind::int32), of(TypeKind::int32)), "INTEGER");
  EXPECT_EQ(unified(of(TypeKind::int8), of(TypeKind::int64)), "BIGINT");
  EXPECT_EQ(unified(of(TypeKind::uint8), of(TypeKind::int8)), "SMALLINT");
  EXPECT_EQ(unified(of(TypeKind::uint32), of(TypeKind::int32)), "BIGINT");
  EXPECT_EQ(unified(of(TypeKind::uint64), of(TypeKind::int8)), "DECIMAL(20,0)");
  EXPECT_EQ(unified(of(TypeKind::int16), of(TypeKind::float32)), "FLOAT");
  EXPECT_EQ(unified(of(TypeKind::int32), of(TypeKind::float32)), "DOUBLE");
  EXPECT_EQ(unified(of(TypeKind::int64), of(TypeKind::float64)), std::nullopt);
  EXPECT_EQ(unified(of(TypeKind::float16), of(TypeKind::bfloat16)), "FLOAT");
  EXPECT_EQ(unified(make_decimal(7, 2), make_decimal(9, 4)), "DECIMAL(9,4)");
  EXPECT_EQ(unified(make_decimal(38, 0), make_decimal(38, 38)), std::nullopt);
  EXPECT_EQ(unified(of(TypeKind::int32), make_decimal(5, 2)), "DECIMAL(12,2)");
  EXPECT_EQ(unified(of(TypeKind::date), make_timestamp(TimeUnit::us, false)), "TIMESTAMP");
  EXPECT_EQ(unified(of(TypeKind::date), make_timestamp(TimeUnit::us, true)), std::nullopt);
  EXPECT_EQ(unified(make_timestamp(TimeUnit::ms, false), make_timestamp(TimeUnit::ns, false)), "TIMESTAMP_NS");
  EXPECT_EQ(unified(of(TypeKind::string), of(TypeKind::int32)), std::nullopt);
  EXPECT_EQ(unified(of(TypeKind::null), of(TypeKind::uuid)), "UUID");
}

TEST(Unify, Nested) {
  const auto small = make_type(TypeKind::int32);
  const auto large = make_type(TypeKind::int64);
  EXPECT_EQ(unified(make_list(small), make_list(large)), "BIGINT[]");
  EXPECT_EQ(unified(make_map(small, small), make_map(large, small)), "MAP(BIGINT, INTEGER)");
  EXPECT_EQ(unified(make_structure({"a"}, {small}), make_structure({"a"}, {large})), "STRUCT(a BIGINT)");
  EXPECT_EQ(unified(make_structure({"a"}, {small}), make_structure({"b"}, {small})), std::nullopt);
  EXPECT_EQ(unified(make_list(small), small), std::nullopt);
}

TEST(Unify, TypesAsJson) {
  EXPECT_EQ(type_json(*make_list(make_decimal(10, 2))),
            R"({"kind":"list","element":{"kind":"decimal","precision":10,"scale":2}})");
  EXPECT_EQ(type_json(*make_structure({"x\"y"}, {make_timestamp(TimeUnit::ms, true)})),
            R"({"kind":"struct","fields":[{"name":"x\"y","type":{"kind":"timestamp","unit":"ms","zone":true}}]})");
  EXPECT_EQ(type_json(*make_map(make_type(TypeKind::string), make_time(TimeUnit::ns))),
            R"({"kind":"map","key":{"kind":"string"},"value":{"kind":"time","unit":"ns"}})");
}

}  // namespace
}  // namespace quern
