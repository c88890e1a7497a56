// JSON, VARIANT, GEOMETRY and times with zone in plans: they are types of their own, and variants are grouped, not
// compared.
#include <gtest/gtest.h>

#include "plan/functions.hpp"
#include "plan/plan.hpp"

namespace quern::plan {
namespace {

class TaggedTypes : public testing::Test {
 protected:
  // Columns of type 0 come out of a literal row; `exprs` follow the literal, `nodes` the values node.
  std::string message(const std::string& type, const std::string& exprs, const std::string& nodes) {
    const std::string json =
        R"({"format":)" + std::to_string(format) + R"(,"functions":")" + function_table_hash() + R"(","types":[)" +
        type + R"(,{"kind":"bool"},{"kind":"int64"},{"kind":"list","children":[0]}],)" +
        R"("exprs":[{"kind":"literal","value":null,"type":0},{"kind":"column","index":0,"type":0})" + exprs +
        R"(],"nodes":[{"kind":"values","inputs":[],"output":[{"name":"v","type":0}],"device":"cpu",)" +
        R"("instances":1,"rows":[[0]]})" + nodes + "]}";
    try {
      last_ = plan::decode(json.data(), json.size(), memory_);
    } catch (const Error& error) {
      return error.message();
    }
    return "no error";
  }

  std::string project(const std::string& type, const std::string& call, int result) {
    return message(type, "," + call,
                   R"(,{"kind":"project","inputs":[0],"output":[{"name":"r","type":)" + std::to_string(result) +
                       R"(}],"device":"cpu","instances":1,"exprs":[2]})");
  }

  Memory memory_{1 << 24};
  std::shared_ptr<const Plan> last_;
  const std::string json_ = R"({"kind":"string","tag":"json"})", variant_ = R"({"kind":"string","tag":"variant"})",
                    geometry_ = R"({"kind":"binary","tag":"geometry"})",
                    time_ = R"({"kind":"time","unit":"us","zone":true})";
};

TEST_F(TaggedTypes, AreDecoded) {
  const auto type_of = [&](const std::string& type) {
    EXPECT_EQ(message(type, "", ""), "no error");
    return type_name(*last_->exprs[0].type);
  };
  EXPECT_EQ(type_of(json_), "JSON");
  EXPECT_EQ(type_of(variant_), "VARIANT");
  EXPECT_EQ(type_of(geometry_), "GEOMETRY");
  EXPECT_EQ(type_of(time_), "TIME WITH TIME ZONE");
  EXPECT_EQ(type_of(R"({"kind":"time","unit":"us"})"), "TIME");
  EXPECT_EQ(message(R"({"kind":"string","tag":"geometry"})", "", ""), "plan type 0: unknown type tag geometry");
  EXPECT_EQ(message(R"({"kind":"binary","tag":"json"})", "", ""), "plan type 0: unknown type tag json");
  EXPECT_EQ(message(R"({"kind":"string","tag":"xml"})", "", ""), "plan type 0: unknown type tag xml");
}

TEST_F(TaggedTypes, AreNotWhatTheyAreHeldAs) {
  EXPECT_FALSE(same_type(*make_tagged(TypeTag::json), *make_type(TypeKind::string)));
  EXPECT_FALSE(same_type(*make_tagged(TypeTag::json), *make_tagged(TypeTag::variant)));
  EXPECT_FALSE(same_type(*make_list(make_tagged(TypeTag::geometry)), *make_list(make_type(TypeKind::binary))));
  EXPECT_FALSE(same_type(*make_time(TimeUnit::us, true), *make_time(TimeUnit::us)));
  EXPECT_TRUE(same_type(*make_tagged(TypeTag::json), *make_tagged(TypeTag::json)));
  EXPECT_TRUE(holds_variant(*make_map(make_type(TypeKind::string), make_list(make_tagged(TypeTag::variant)))));
  EXPECT_FALSE(holds_variant(*make_tagged(TypeTag::json)));
}

TEST_F(TaggedTypes, VariantsAreHandedOnButNotCompared) {
  const auto call = [](const std::string& fn, const std::string& args, int type) {
    return R"({"kind":"call","fn":")" + fn + R"(","args":[)" + args + R"(],"type":)" + std::to_string(type) + "}";
  };
  EXPECT_EQ(project(variant_, call("is_null", "1", 1), 1), "no error");
  EXPECT_EQ(project(variant_, call("list_value", "1,1", 3), 3), "no error");
  EXPECT_EQ(project(variant_, call("eq", "1,1", 1), 1), "unsupported: comparison of VARIANT");
  EXPECT_EQ(project(variant_, call("greatest", "1,1", 0), 0), "unsupported: greatest of VARIANT");
  EXPECT_EQ(project(variant_, R"({"kind":"in","args":[1,0],"type":1})", 1), "unsupported: comparison of VARIANT");
  EXPECT_EQ(project(json_, call("eq", "1,1", 1), 1), "no error");
  EXPECT_EQ(project(geometry_, call("greatest", "1,1", 0), 0), "no error");
}

TEST_F(TaggedTypes, VariantsAreGroupedButNotSorted) {
  const std::string key = R"({"expr":1,"descending":false,"nullsFirst":false})";
  const auto node = [](const std::string& kind, const std::string& output, const std::string& rest) {
    return R"(,{"kind":")" + kind + R"(","inputs":[0],"output":)" + output + R"(,"device":"cpu","instances":1,)" +
           rest + "}";
  };
  const std::string v = R"([{"name":"v","type":0}])", n = R"([{"name":"n","type":2}])";
  const auto aggregate = [&](const std::string& fn, bool distinct, const std::string& order, int type) {
    return R"("keys":[],"aggregates":[{"fn":")" + fn + R"(","args":[1],"distinct":)" + (distinct ? "true" : "false") +
           R"(,"filter":null,"order":[)" + order + R"(],"type":)" + std::to_string(type) + "}]";
  };
  EXPECT_EQ(message(variant_, "", node("sort", v, R"("keys":[)" + key + "]")), "unsupported: ORDER BY of VARIANT");
  EXPECT_EQ(message(variant_, "", node("top_k", v, R"("keys":[)" + key + R"(],"limit":1,"offset":0)")),
            "unsupported: ORDER BY of VARIANT");
  EXPECT_EQ(message(variant_, "", node("hash_group_by", v, R"("keys":[1],"aggregates":[])")), "no error");
  EXPECT_EQ(message(variant_, "", node("hash_group_by", n, aggregate("count", false, "", 2))), "no error");
  EXPECT_EQ(message(variant_, "", node("hash_group_by", n, aggregate("count", true, "", 2))), "no error");
  EXPECT_EQ(message(variant_, "", node("hash_group_by", v, aggregate("max", false, "", 0))),
            "unsupported: max of VARIANT");
  EXPECT_EQ(message(variant_, "", node("hash_group_by", v, aggregate("first", false, "", 0))), "no error");
  EXPECT_EQ(message(variant_, "", node("hash_group_by", v, aggregate("first", false, key, 0))),
            "unsupported: ORDER BY of VARIANT");
  EXPECT_EQ(message(json_, "", node("hash_group_by", v, aggregate("max", false, "", 0))), "no error");
}

}  // namespace
}  // namespace quern::plan
