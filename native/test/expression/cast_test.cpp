// Casts that DuckDB does not have, and those whose parts must not be looked at.
#include <gtest/gtest.h>

#include "expression/case_file.hpp"

namespace quern::test {
namespace {

class Casts : public testing::Test {
 protected:
  Memory memory_{1LL << 32};
  Context context_{memory_, Settings{}};

  ColumnPtr cast(const ColumnPtr& column, const char* to, bool try_cast = false) {
    PlanBuilder plan;
    const auto root = plan.call(try_cast ? "try_cast" : "cast", {plan.column(0, column->type)}, parse_type(to));
    cpu::Evaluator evaluator(context_, plan.plan(), root);
    return evaluator.evaluate({column->length, {column}});
  }
  ColumnPtr column(const char* type, const std::vector<Text>& texts) {
    return make_column(context_, parse_type(type), texts);
  }
};

using Texts = std::vector<Text>;

TEST_F(Casts, HalvesGoThroughFloat) {
  const Texts texts = {"1.5", "-0.0", "65504", "inf", "nan", {}, "0.1", "1e-7"};
  const ColumnPtr half = column("float16", texts);
  EXPECT_EQ(to_texts(*half), (Texts{"1.5", "-0.0", "65504.0", "inf", "nan", {}, "0.099975586", "1.1920929e-07"}));
  EXPECT_EQ(to_texts(*cast(half, "float64")),
            (Texts{"1.5", "-0.0", "65504.0", "inf", "nan", {}, "0.0999755859375", "1.1920928955078125e-07"}));
  EXPECT_EQ(to_texts(*cast(half, "int32", true)), (Texts{"2", "0", "65504", {}, {}, {}, "0", "0"}));
  EXPECT_EQ(to_texts(*cast(column("int32", {"3", "70000", {}}), "float16")), (Texts{"3.0", "inf", {}}));
  EXPECT_EQ(to_texts(*cast(column("decimal(5,2)", {"1.25"}), "float16")), (Texts{"1.25"}));
  EXPECT_EQ(to_texts(*cast(column("bfloat16", {"1.5", "3.1415926", "3e38"}), "float32")),
            (Texts{"1.5", "3.140625", "3.0040553e+38"}));
  EXPECT_EQ(to_texts(*cast(half, "bfloat16"))[2], Text("65536.0"));
  EXPECT_EQ(to_texts(*cast(column("list<float32>", {"[1.5, 0.1]", {}}), "list<float16>")),
            (Texts{"[1.5, 0.099975586]", {}}));
}

TEST_F(Casts, FloatToDecimalIsRoundedInDouble) {
  EXPECT_EQ(to_texts(*cast(column("float32", {"2.5", "0.1", "-1.5"}), "decimal(38,10)")),
            (Texts{"2.5000000000", "0.1000000015", "-1.5000000000"}));
}

TEST_F(Casts, ElementsThatNoRowHoldsAreNotCast) {
  const ColumnPtr all = column("list<int32>", {"[1, 2]", "[300]", "[3]"});
  const uint32_t rows[] = {2, 0};
  const ColumnPtr some = gather(memory_, all, rows, 2);
  EXPECT_EQ(to_texts(*cast(some, "list<int8>")), (Texts{"[3]", "[1, 2]"}));
  EXPECT_THROW(cast(all, "list<int8>"), Error);
}

TEST_F(Casts, FieldsOfNullStructsAreNotCast) {
  const ColumnPtr structs = column("struct<a:int32>", {"{a: 300}", "{a: 1}"});
  auto holed = std::make_shared<Column>(*structs);
  static const uint64_t second_only = 2;
  holed->validity = &second_only;
  holed->null_count = 1;
  EXPECT_EQ(to_texts(*cast(holed, "struct<a:int8>")), (Texts{{}, "{'a': 1}"}));
  EXPECT_THROW(cast(structs, "struct<a:int8>"), Error);
}

TEST_F(Casts, StructsMeetByNameElseByPosition) {
  const ColumnPtr structs = column("struct<a:int32,b:string>", {"{a: 1, b: x}"});
  EXPECT_EQ(to_texts(*cast(structs, "struct<b:string,a:int64>")), (Texts{"{'b': x, 'a': 1}"}));
  EXPECT_EQ(to_texts(*cast(structs, "struct<p:int64,q:string>")), (Texts{"{'p': 1, 'q': x}"}));
}

TEST_F(Casts, NullTypeGivesNulls) {
  EXPECT_EQ(to_texts(*cast(make_null_column(make_type(TypeKind::null), 3), "list<int32>")), (Texts{{}, {}, {}}));
}

TEST_F(Casts, UnknownPairIsUnsupported) {
  try {
    cast(column("int32", {"1"}), "date");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "unsupported: cast from INTEGER to DATE");
    EXPECT_EQ(error.source(), ErrorSource::unsupported);
  }
}

TEST_F(Casts, MessagesEndInTheValue) {
  const auto message = [&](const char* from, const char* text, const char* to) -> std::string {
    try {
      cast(column(from, {text}), to);
    } catch (const Error& error) {
      return error.message();
    }
    return "no error";
  };
  EXPECT_EQ(message("int32", "300", "int8"), "value out of range for TINYINT: 300");
  EXPECT_EQ(message("float64", "1e10", "int32"), "value out of range for INTEGER: 10000000000.0");
  EXPECT_EQ(message("decimal(5,2)", "999.99", "decimal(3,2)"), "value out of range for DECIMAL(3,2): 999.99");
  EXPECT_EQ(message("string", "abc", "int32"), "cannot convert text to INTEGER: 'abc'");
  EXPECT_EQ(message("string", "2020-02-30", "date"), "value out of range for DATE: '2020-02-30'");
  EXPECT_EQ(message("string", "x", "timestamp(us)"), "cannot convert text to TIMESTAMP: 'x'");
  EXPECT_EQ(message("string", std::string(200, 'y').c_str(), "int32"),
            "cannot convert text to INTEGER: '" + std::string(100, 'y') + "…'");
}

}  // namespace
}  // namespace quern::test
