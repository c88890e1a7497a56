// AND, OR, CASE, COALESCE, IN: three-valued results, and rows that must not be reached.
#include <gtest/gtest.h>

#include <cstdlib>

#include "expression/case_file.hpp"

namespace quern::test {
namespace {

using plan::ExprKind;

class Guards : public testing::Test {
 protected:
  Memory memory_{1LL << 32};
  Context context_{memory_, Settings{}};
  PlanBuilder plan_;
  TypePtr int32_ = make_type(TypeKind::int32), bool_ = make_type(TypeKind::boolean),
          string_ = make_type(TypeKind::string);

  ColumnPtr ints(const std::vector<Text>& texts) { return make_column(context_, int32_, texts); }
  ColumnPtr bools(const std::vector<Text>& texts) { return make_column(context_, bool_, texts); }
  plan::ExprIndex literal(const TypePtr& type, const Text& text) {
    return plan_.literal(make_column(context_, type, {text}));
  }
  plan::ExprIndex int_literal(const char* text) { return literal(int32_, text); }

  std::vector<Text> run(plan::ExprIndex root, const Batch& input) {
    cpu::Evaluator evaluator(context_, plan_.plan(), root);
    auto first = to_texts(*evaluator.evaluate(input));
    EXPECT_EQ(first, to_texts(*evaluator.evaluate(input)));  // again with used buffers
    return first;
  }
  std::vector<uint32_t> select(const std::vector<plan::ExprIndex>& conjuncts, const Batch& input) {
    cpu::Predicate predicate(context_, plan_.plan(), conjuncts);
    std::vector<uint32_t> rows(static_cast<size_t>(input.rows));
    rows.resize(static_cast<size_t>(predicate.select(input, rows.data())));
    return rows;
  }
  // CAST(column AS INTEGER) of text, which fails for text that is no number.
  plan::ExprIndex number_of(int32_t column) { return plan_.call("cast", {plan_.column(column, string_)}, int32_); }
};

const std::vector<Text> nine_a = {"true", "true", "true", "false", "false", "false", {}, {}, {}};
const std::vector<Text> nine_b = {"true", "false", {}, "true", "false", {}, "true", "false", {}};

TEST_F(Guards, AndOrTruthTables) {
  const Batch input{9, {bools(nine_a), bools(nine_b)}};
  const auto a = plan_.column(0, bool_), b = plan_.column(1, bool_);
  EXPECT_EQ(run(plan_.node(ExprKind::conjunction, {a, b}, bool_), input),
            (std::vector<Text>{"true", "false", {}, "false", "false", "false", {}, "false", {}}));
  EXPECT_EQ(run(plan_.node(ExprKind::disjunction, {a, b}, bool_), input),
            (std::vector<Text>{"true", "true", "true", "true", "false", {}, "true", {}, {}}));
}

TEST_F(Guards, TruthTablesWithAGuardedOperand) {
  // The cast can fail, so it is evaluated for undecided rows only.
  std::vector<Text> text_b = nine_b;
  text_b[3] = text_b[4] = text_b[5] = "not a boolean";
  const Batch input{9, {bools(nine_a), make_texts(memory_, text_b)}};
  const auto a = plan_.column(0, bool_), b = plan_.call("cast", {plan_.column(1, string_)}, bool_);
  EXPECT_EQ(run(plan_.node(ExprKind::conjunction, {a, b}, bool_), input),
            (std::vector<Text>{"true", "false", {}, "false", "false", "false", {}, "false", {}}));
  EXPECT_THROW(run(plan_.node(ExprKind::disjunction, {a, b}, bool_), input), Error);
  EXPECT_THROW(run(plan_.node(ExprKind::conjunction, {b, a}, bool_), input), Error);
}

TEST_F(Guards, ErrorCarriesTheSpanAndTheValue) {
  const Batch input{3, {make_texts(memory_, {"1", {}, "x"})}};
  try {
    run(number_of(0), input);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "cannot convert text to INTEGER: 'x'");
    ASSERT_TRUE(error.span().has_value());
    EXPECT_EQ(error.span()->start, 3);
    EXPECT_EQ(error.span()->end, 7);
  }
}

TEST_F(Guards, NullRowsDoNotRaise) {
  const auto sum = plan_.call("add", {plan_.column(0, int32_), plan_.column(1, int32_)}, int32_);
  const Batch input{3, {ints({"2147483647", {}, "1"}), ints({{}, "2147483647", "2"})}};
  EXPECT_EQ(run(sum, input), (std::vector<Text>{{}, {}, "3"}));
  const Batch failing{2, {ints({"1", "2147483647"}), ints({"1", "1"})}};
  EXPECT_THROW(run(sum, failing), Error);
}

TEST_F(Guards, CaseEvaluatesBranchesForTheirRows) {
  const Batch input{
      6, {make_texts(memory_, {"1", "x", "3", {}, "y", "6"}), bools({"true", "false", "true", "true", {}, "true"})}};
  const auto root = plan_.node(ExprKind::case_when, {plan_.column(1, bool_), number_of(0), int_literal("-1")}, int32_);
  EXPECT_EQ(run(root, input), (std::vector<Text>{"1", "-1", "3", {}, "-1", "6"}));
}

TEST_F(Guards, CaseBlendsCheapBranches) {
  const auto column = plan_.column(0, int32_);
  const auto condition = plan_.call("gt", {column, int_literal("2")}, bool_);
  const Batch input{5, {ints({"1", "2", "3", {}, "5"})}};
  EXPECT_EQ(run(plan_.node(ExprKind::case_when, {condition, column, int_literal("0")}, int32_), input),
            (std::vector<Text>{"0", "0", "3", "0", "5"}));
  EXPECT_EQ(run(plan_.node(ExprKind::case_when, {condition, int_literal("7"), column}, int32_), input),
            (std::vector<Text>{"1", "2", "7", {}, "7"}));
  EXPECT_EQ(run(plan_.node(ExprKind::case_when, {condition, literal(int32_, {}), int_literal("9")}, int32_), input),
            (std::vector<Text>{"9", "9", {}, "9", {}}));
}

TEST_F(Guards, CaseOfStringsAndLists) {
  const auto list = make_list(int32_);
  const auto condition = plan_.column(0, bool_);
  const Batch input{
      4,
      {bools({"true", "false", {}, "true"}), make_texts(memory_, {"a", "a long text that is not inline", "c", {}}),
       make_column(context_, list, {"[1, 2]", "[3]", {}, "[]"})}};
  EXPECT_EQ(
      run(plan_.node(ExprKind::case_when, {condition, plan_.column(1, string_), literal(string_, "else")}, string_),
          input),
      (std::vector<Text>{"a", "else", "else", {}}));
  EXPECT_EQ(
      run(plan_.node(ExprKind::case_when, {condition, plan_.column(2, list), literal(list, "[9, 9]")}, list), input),
      (std::vector<Text>{"[1, 2]", "[9, 9]", "[9, 9]", "[]"}));
}

TEST_F(Guards, SeveralConditionsTakeTheFirst) {
  const auto column = plan_.column(0, int32_);
  const auto less = [&](const char* limit) { return plan_.call("lt", {column, int_literal(limit)}, bool_); };
  const auto root = plan_.node(
      ExprKind::case_when,
      {less("1"), int_literal("10"), less("3"), int_literal("20"), less("2"), int_literal("30"), column}, int32_);
  EXPECT_EQ(run(root, {5, {ints({"0", "1", "2", "3", {}})}}), (std::vector<Text>{"10", "20", "20", "3", {}}));
}

TEST_F(Guards, CoalesceStopsAtTheFirstValue) {
  const Batch input{
      5,
      {ints({"1", {}, {}, "4", {}}), make_texts(memory_, {"x", "2", {}, "y", "5"}), ints({"7", "8", "9", "10", "11"})}};
  const auto root =
      plan_.node(ExprKind::coalesce, {plan_.column(0, int32_), number_of(1), plan_.column(2, int32_)}, int32_);
  EXPECT_EQ(run(root, input), (std::vector<Text>{"1", "2", "9", "4", "5"}));
  const auto nulls = plan_.node(ExprKind::coalesce, {plan_.column(0, int32_), literal(int32_, {})}, int32_);
  EXPECT_EQ(run(nulls, input), (std::vector<Text>{"1", {}, {}, "4", {}}));
}

TEST_F(Guards, InListIsThreeValued) {
  const Batch input{4,
                    {ints({"1", "5", {}, "3"}), make_texts(memory_, {"a", "a long text that is not inline", {}, "z"})}};
  const auto in = [&](plan::ExprIndex value, const TypePtr& type, const std::vector<Text>& list) {
    std::vector<plan::ExprIndex> args{value};
    for (const auto& text : list) args.push_back(literal(type, text));
    return plan_.node(ExprKind::in_list, args, bool_);
  };
  EXPECT_EQ(run(in(plan_.column(0, int32_), int32_, {"1", "2", "3"}), input),
            (std::vector<Text>{"true", "false", {}, "true"}));
  EXPECT_EQ(run(in(plan_.column(0, int32_), int32_, {"1", {}}), input), (std::vector<Text>{"true", {}, {}, {}}));
  std::vector<Text> many;
  for (int i = 3; i < 400; i += 2) many.push_back(std::to_string(i));
  EXPECT_EQ(run(in(plan_.column(0, int32_), int32_, many), input), (std::vector<Text>{"false", "true", {}, "true"}));
  EXPECT_EQ(run(in(plan_.column(1, string_), string_, {"b", "a long text that is not inline"}), input),
            (std::vector<Text>{"false", "true", {}, "false"}));
  for (auto& text : many) text = "number " + *text + " of the list";
  many.push_back("a");
  EXPECT_EQ(run(in(plan_.column(1, string_), string_, many), input), (std::vector<Text>{"true", "false", {}, "false"}));
}

TEST_F(Guards, PredicateSeesRowsThatEarlierConjunctsKept) {
  const Batch input{
      6, {bools({"true", "false", {}, "true", "true", "true"}), make_texts(memory_, {"5", "x", "y", "1", {}, "7"})}};
  const auto conjunct = plan_.call("gt", {number_of(1), int_literal("2")}, bool_);
  EXPECT_EQ(select({plan_.column(0, bool_), conjunct}, input), (std::vector<uint32_t>{0, 5}));
  EXPECT_EQ(select({plan_.node(ExprKind::conjunction, {plan_.column(0, bool_), conjunct}, bool_)}, input),
            (std::vector<uint32_t>{0, 5}));
  EXPECT_THROW(select({conjunct, plan_.column(0, bool_)}, input), Error);
  EXPECT_EQ(select({}, input), (std::vector<uint32_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(select({literal(bool_, {})}, input), (std::vector<uint32_t>{}));
}

TEST_F(Guards, PredicateOfEverySizeAndDensity) {
  for (const int64_t rows : {0, 1, 31, 32, 33, 63, 64, 65, 2047, 2048, 2049}) {
    std::vector<Text> a, b;
    for (int64_t i = 0; i < rows; ++i) {
      a.push_back(i % 11 == 0 ? Text() : Text(std::to_string(i * 7919 % 100)));
      b.push_back(i % 13 == 0 ? Text() : Text(std::to_string(i * 104729 % 100)));
    }
    const Batch input{
        rows, {rows == 0 ? make_null_column(int32_, 0) : ints(a), rows == 0 ? make_null_column(int32_, 0) : ints(b)}};
    for (const int limit : {0, 3, 50, 97, 100}) {
      const auto bound = int_literal(std::to_string(limit).c_str());
      const auto first = plan_.call("lt", {plan_.column(0, int32_), bound}, bool_);
      const auto second = plan_.call("ge", {plan_.column(1, int32_), bound}, bool_);
      std::vector<uint32_t> expected;
      for (int64_t i = 0; i < rows; ++i) {
        if (a[i] && b[i] && std::atoi(a[i]->c_str()) < limit && std::atoi(b[i]->c_str()) >= limit)
          expected.push_back(static_cast<uint32_t>(i));
      }
      EXPECT_EQ(select({first, second}, input), expected) << rows << " rows, limit " << limit;
    }
  }
}

TEST_F(Guards, FailingDictionaryEntryThatNoRowUses) {
  // Three entries, one of which is no number; rows use the other two.
  const ColumnPtr all = make_dictionary(context_, make_texts(memory_, {"1", "2", "x", "1", "2", "1"}));
  const ColumnPtr rows = slice(memory_, all, 3, 3);
  EXPECT_EQ(run(number_of(0), {3, {rows}}), (std::vector<Text>{"1", "2", "1"}));
  EXPECT_THROW(run(number_of(0), {6, {all}}), Error);
}

TEST_F(Guards, DictionaryResultsAreComputedOnceAnEntry) {
  const ColumnPtr column = make_dictionary(context_, make_texts(memory_, {"a", "b", {}, "a", "b", "a", "b", "a"}));
  const auto upper = plan_.call("upper", {plan_.column(0, string_)}, string_);
  cpu::Evaluator evaluator(context_, plan_.plan(), upper);
  const ColumnPtr first = evaluator.evaluate({8, {column}});
  ASSERT_EQ(first->form, Form::dictionary);
  EXPECT_EQ(first->children[0]->length, 2);
  EXPECT_EQ(to_texts(*first), (std::vector<Text>{"A", "B", {}, "A", "B", "A", "B", "A"}));
  const ColumnPtr second = evaluator.evaluate({8, {column}});
  EXPECT_EQ(second->children[0], first->children[0]);
}

TEST_F(Guards, EmptyInputEvaluatesNothing) {
  const auto failing = plan_.call("cast", {literal(string_, "x")}, int32_);
  EXPECT_EQ(run(failing, {0, {}}).size(), 0u);
  EXPECT_THROW(run(failing, {1, {}}), Error);
}

}  // namespace
}  // namespace quern::test
