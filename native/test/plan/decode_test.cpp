#include <gtest/gtest.h>

#include "plan/functions.hpp"
#include "plan/literal.hpp"
#include "plan/plan.hpp"
#include "plan/validate.hpp"

namespace quern::plan {
namespace {

std::string document(const std::string& types, const std::string& exprs, const std::string& nodes) {
  return R"({"format":)" + std::to_string(format) + R"(,"functions":")" + function_table_hash() + R"(","types":[)" +
         types + R"(],"exprs":[)" + exprs + R"(],"nodes":[)" + nodes + "]}";
}

class Decode : public testing::Test {
 protected:
  std::shared_ptr<const Plan> decode(const std::string& json) {
    return plan::decode(json.data(), json.size(), memory_);
  }
  std::string message(const std::string& json) {
    try {
      decode(json);
    } catch (const Error& error) {
      return error.message();
    }
    return "no error";
  }
  std::string node_message(const std::string& exprs, const std::string& nodes) {
    return message(document(types_, exprs, range_ + (nodes.empty() ? "" : "," + nodes)));
  }

  Memory memory_{1 << 30};
  const std::string types_ = R"({"kind":"int64"},{"kind":"bool"},{"kind":"string"},{"kind":"list","children":[0]})";
  const std::string range_ =
      R"({"kind":"range","inputs":[],"output":[{"name":"n","type":0}],"device":"cpu","instances":1,"start":"0","stop":"10","step":"1"})";
  static std::string node(const std::string& kind, const std::string& output, const std::string& rest,
                          const std::string& inputs = "[0]") {
    return R"({"kind":")" + kind + R"(","inputs":)" + inputs + R"(,"output":)" + output +
           R"(,"device":"cpu","instances":1)" + rest + "}";
  }
  const std::string n_ = R"([{"name":"n","type":0}])";
};

TEST_F(Decode, WholePlan) {
  const std::string exprs = R"({"kind":"column","index":0,"type":0},{"kind":"literal","value":"5","type":0},)"
                            R"({"kind":"call","fn":"gt","args":[0,1],"type":1,"span":[3,9]})";
  const auto plan = decode(document(types_, exprs, range_ + "," + node("filter", n_, R"(,"predicate":[2])")));
  ASSERT_EQ(plan->nodes.size(), 2U);
  EXPECT_EQ(node_kind(plan->nodes[1]), "filter");
  EXPECT_EQ(std::get<Filter>(plan->nodes[1].op).predicate, std::vector<ExprIndex>{2});
  EXPECT_EQ(plan->exprs[2].span->start, 3);
  EXPECT_EQ(plan->exprs[1].literal->values<int64_t>()[0], 5);
  EXPECT_EQ(std::get<Range>(plan->nodes[0].op).stop, 10);
}

TEST_F(Decode, OtherVersionsAreRefusedWithAHint) {
  try {
    decode(R"({"format":0,"functions":"","types":[],"exprs":[],"nodes":[]})");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "the addon was built for another version of the plan");
    EXPECT_EQ(error.hint(), "run `npm run build`");
  }
}

TEST_F(Decode, MessagesNameTheRow) {
  EXPECT_EQ(message(document("", "", "")), "plan has no nodes");
  EXPECT_EQ(message(document(R"({"kind":"list","children":[0]})", "", "")),
            "plan type 0: index out of range: children 0 of 0");
  EXPECT_EQ(message(document(R"({"kind":"decimal","precision":39,"scale":0})", "", "")),
            "plan type 0: no decimal of this precision and scale");
  EXPECT_EQ(node_message(R"({"kind":"cast","args":[0],"type":0,"try":false})", ""),
            "plan expr 0: index out of range: args 0 of 0");
  EXPECT_EQ(node_message(R"({"kind":"literal","value":"x","type":0})", ""), "plan expr 0: literal is no BIGINT: x");
  EXPECT_EQ(node_message(R"({"kind":"literal","value":5,"type":0})", ""),
            "plan expr 0: a literal is null, a boolean, text or an array");
  EXPECT_EQ(node_message("", node("filter", n_, "")), "plan node 1: no member predicate");
  EXPECT_EQ(node_message("", node("filter", n_, R"(,"predicate":[])", "[1]")),
            "plan node 1: index out of range: inputs 1 of 1");
  EXPECT_EQ(node_message("", node("limit", n_, R"(,"limit":-1,"offset":0)")), "plan node 1: negative number: limit");
  EXPECT_EQ(node_message("", node("teleport", n_, "")), "plan node 1: unknown kind teleport");
  EXPECT_NE(message("{\"format\": nonsense").find("plan is no JSON"), std::string::npos);
}

TEST_F(Decode, TypesAreDerivedAgain) {
  const std::string column = R"({"kind":"column","index":0,"type":0})";
  EXPECT_EQ(node_message(column, node("project", R"([{"name":"m","type":2}])", R"(,"exprs":[0])")),
            "plan node 1 (project): declared column 0 is VARCHAR, not BIGINT");
  EXPECT_EQ(node_message(column, node("project", "[]", R"(,"exprs":[0])")),
            "plan node 1 (project): gives 1 columns, declared 0");
  EXPECT_EQ(node_message(R"({"kind":"column","index":1,"type":0})", node("project", n_, R"(,"exprs":[0])")),
            "plan node 1 (project): expr 0: column 1 of 1");
  EXPECT_EQ(node_message(R"({"kind":"column","index":0,"type":2})", node("project", n_, R"(,"exprs":[0])")),
            "plan node 1 (project): expr 0: column 0 is VARCHAR, not BIGINT");
  EXPECT_EQ(node_message(column, node("filter", n_, R"(,"predicate":[0])")),
            "plan node 1 (filter): a conjunct is not boolean");
  EXPECT_EQ(node_message(column + R"(,{"kind":"call","fn":"add","args":[0],"type":0})", ""),
            "plan expr 1: no function add(BIGINT)");
  EXPECT_EQ(node_message(column + R"(,{"kind":"call","fn":"add","args":[0,0],"type":2})", ""),
            "plan expr 1: add(BIGINT, BIGINT) does not give VARCHAR");
  EXPECT_EQ(node_message(column, node("unnest", n_, R"(,"keep":[],"lists":[0],"ordinality":false,"outer":false)")),
            "plan node 1 (unnest): no list: BIGINT");
  EXPECT_EQ(node_message("", node("union_all", n_, "", "[]")), "plan node 1 (union_all): has no inputs");
  const std::string rest =
      R"(,"file_bytes":0,"per_thread":false,"bloom_ratio":0,"partition_by":[],"existing":"refuse","file_name":"{i}")";
  EXPECT_EQ(
      node_message("", node("write_parquet", n_,
                            std::string(R"(,"path":"x","compression":"zip","group_rows":1,"group_bytes":1)") + rest)),
      "plan node 1 (write_parquet): unknown compression zip");
  EXPECT_EQ(
      node_message("", node("write_parquet", n_,
                            std::string(R"(,"path":"x","compression":"zstd","group_rows":0,"group_bytes":1)") + rest)),
      "plan node 1 (write_parquet): row groups without rows");
  EXPECT_EQ(node_message(R"({"kind":"and","args":[],"type":1})", ""), "plan expr 0: and, or: boolean with operands");
}

TEST_F(Decode, EdgesKeepToOneDevice) {
  std::string gpu = node("limit", n_, R"(,"limit":1,"offset":0)");
  gpu.replace(gpu.find("\"cpu\""), 5, "\"gpu\"");
  EXPECT_EQ(node_message("", gpu), "plan node 1 (limit): an edge crosses devices without an exchange");
}

TEST_F(Decode, DeepExpressionsAreRefused) {
  std::string exprs = R"({"kind":"literal","value":true,"type":1})";
  for (int i = 0; i < 6000; ++i)
    exprs += R"(,{"kind":"call","fn":"not","args":[)" + std::to_string(i) + R"(],"type":1})";
  EXPECT_EQ(node_message(exprs, ""), "unsupported: expressions nested deeper than 5000");
}

TEST_F(Decode, DamagedDocumentsNeverCrash) {
  const std::string exprs =
      R"({"kind":"column","index":0,"type":0},{"kind":"literal","value":["5",null],"type":3},{"kind":"call","fn":"gt","args":[0,0],"type":1})";
  const std::string good = document(types_, exprs, range_ + "," + node("filter", n_, R"(,"predicate":[2])"));
  EXPECT_EQ(message(good), "no error");
  uint32_t seed = 1;
  for (int i = 0; i < 20000; ++i) {
    std::string bad = good;
    for (int change = 0; change < 2; ++change) {
      seed = seed * 1664525 + 1013904223;
      const size_t at = (seed >> 8) % bad.size();
      seed = seed * 1664525 + 1013904223;
      const char* alphabet = "0123456789[]{},:\"truefalsn-.";
      bad[at] = alphabet[(seed >> 8) % 28];
    }
    EXPECT_FALSE(message(bad).empty());
  }
}

struct LiteralCase {
  TypePtr type;
  const char* json;
};

LiteralText text(const std::string& value) {
  LiteralText out;
  out.kind = LiteralText::Kind::text;
  out.text = value;
  return out;
}

TEST(Literal, PrintsWhatItRead) {
  Memory memory(1 << 30);
  const std::vector<std::pair<TypePtr, std::string>> cases = {
      {make_type(TypeKind::int8), "-128"},
      {make_type(TypeKind::uint64), "18446744073709551615"},
      {make_decimal(38, 10), "-99999999999999999999999999999999999999"},
      {make_decimal(5, 2), "12345"},
      {make_type(TypeKind::float64), "0.1"},
      {make_type(TypeKind::float64), "-0.0"},
      {make_type(TypeKind::float32), "nan"},
      {make_type(TypeKind::float32), "-inf"},
      {make_type(TypeKind::float16), "1.5"},
      {make_type(TypeKind::bfloat16), "inf"},
      {make_type(TypeKind::date), "-1"},
      {make_timestamp(TimeUnit::ns, false), "9223372036854775807"},
      {make_type(TypeKind::interval), "-3,4,-5000000"},
      {make_type(TypeKind::string), "tab\t \"quoted\" and longer than twelve"},
      {make_type(TypeKind::binary), "00ff10"},
      {make_type(TypeKind::uuid), "00112233445566778899aabbccddeeff"}};
  for (const auto& [type, value] : cases) {
    const auto column = literal_column(memory, type, text(value));
    EXPECT_EQ(column->length, 1);
    EXPECT_EQ(column->form, Form::constant);
    const auto json = literal_json(*column, 0);
    std::string unquoted = json.substr(1, json.size() - 2);
    if (type->kind != TypeKind::string) {
      EXPECT_EQ(unquoted, value) << type_name(*type);
    } else {
      EXPECT_EQ(json, "\"tab\\u0009 \\\"quoted\\\" and longer than twelve\"");
    }
  }
}

TEST(Literal, Nested) {
  Memory memory(1 << 30);
  LiteralText list;
  list.kind = LiteralText::Kind::array;
  LiteralText entry;
  entry.kind = LiteralText::Kind::array;
  entry.items = {text("a"), LiteralText()};
  list.items = {entry, LiteralText(), entry};
  const auto structure =
      make_structure({"k", "v"}, {make_type(TypeKind::string), make_list(make_type(TypeKind::int32))});
  EXPECT_EQ(literal_json(*literal_column(memory, make_list(structure), list), 0), R"([["a",null],null,["a",null]])");
  LiteralText map;
  map.kind = LiteralText::Kind::array;
  LiteralText pair;
  pair.kind = LiteralText::Kind::array;
  pair.items = {text("key"), text("7")};
  map.items = {pair};
  EXPECT_EQ(
      literal_json(*literal_column(memory, make_map(make_type(TypeKind::string), make_type(TypeKind::int64)), map), 0),
      R"([["key","7"]])");
  EXPECT_EQ(literal_json(*literal_column(memory, structure, LiteralText()), 0), "null");
  LiteralText shorter = entry;
  shorter.items.pop_back();
  EXPECT_THROW(literal_column(memory, structure, shorter), Error);
}

TEST(Literal, RefusesOtherText) {
  Memory memory(1 << 30);
  for (const auto& [type, value] :
       std::vector<std::pair<TypePtr, std::string>>{{make_type(TypeKind::int8), "128"},
                                                    {make_type(TypeKind::int64), "1.0"},
                                                    {make_type(TypeKind::int64), ""},
                                                    {make_decimal(38, 0), "-"},
                                                    {make_decimal(38, 0), "170141183460469231731687303715884105728"},
                                                    {make_type(TypeKind::float64), "one"},
                                                    {make_type(TypeKind::binary), "abc"},
                                                    {make_type(TypeKind::uuid), "00"},
                                                    {make_type(TypeKind::interval), "1,2"},
                                                    {make_list(make_type(TypeKind::int64)), "1"}}) {
    EXPECT_THROW(literal_column(memory, type, text(value)), Error) << value;
  }
}

}  // namespace
}  // namespace quern::plan
