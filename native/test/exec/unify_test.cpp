// One type for a column that files store differently, where it has a tag or a zone.
#include "exec/unify.hpp"

#include <gtest/gtest.h>

namespace quern {
namespace {

std::string unified(const TypePtr& a, const TypePtr& b) {
  const TypePtr type = unify_types(a, b), other = unify_types(b, a);
  EXPECT_EQ(type == nullptr, other == nullptr);
  if (!type) return "none";
  EXPECT_TRUE(same_type(*type, *other));
  return type_name(*type);
}

TEST(Unify, TagsAndZones) {
  const TypePtr text = make_type(TypeKind::string), json = make_tagged(TypeTag::json);
  const TypePtr variant = make_tagged(TypeTag::variant), geometry = make_tagged(TypeTag::geometry);
  EXPECT_EQ(unified(json, json), "JSON");
  EXPECT_EQ(unified(json, text), "VARCHAR");
  EXPECT_EQ(unified(make_list(json), make_list(text)), "VARCHAR[]");
  EXPECT_EQ(unified(variant, text), "none");
  EXPECT_EQ(unified(variant, json), "none");
  EXPECT_EQ(unified(geometry, make_type(TypeKind::binary)), "none");
  EXPECT_EQ(unified(make_time(TimeUnit::us, true), make_time(TimeUnit::us)), "none");
  EXPECT_EQ(unified(make_time(TimeUnit::us), make_time(TimeUnit::ns)), "TIME_NS");
}

TEST(Unify, TypesAsJson) {
  EXPECT_EQ(type_json(*make_tagged(TypeTag::json)), R"({"kind":"string","tag":"json"})");
  EXPECT_EQ(type_json(*make_tagged(TypeTag::variant)), R"({"kind":"string","tag":"variant"})");
  EXPECT_EQ(type_json(*make_tagged(TypeTag::geometry)), R"({"kind":"binary","tag":"geometry"})");
  EXPECT_EQ(type_json(*make_time(TimeUnit::us, true)), R"({"kind":"time","unit":"us","zone":true})");
  EXPECT_EQ(type_json(*make_time(TimeUnit::us)), R"({"kind":"time","unit":"us"})");
  EXPECT_EQ(type_json(*make_type(TypeKind::string)), R"({"kind":"string"})");
}

}  // namespace
}  // namespace quern
