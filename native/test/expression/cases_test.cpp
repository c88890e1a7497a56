// Every case of cases.tsv (answers of DuckDB) in each form its arguments can take.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "expression/case_file.hpp"
#include "plan/functions.hpp"

namespace quern::test {
namespace {

struct Fixture {
  Memory memory{1LL << 32};
  Context context{memory, Settings{}};
};

std::string show(const Text& text) { return text ? "'" + *text + "'" : "NULL"; }

std::string describe(const Group& group, const Case& one) {
  std::string out = "line " + std::to_string(one.line) + ": " + group.function + "(";
  for (size_t i = 0; i < one.args.size(); ++i) out += (i > 0 ? ", " : "") + show(one.args[i]) + " " + group.types[i];
  return out + ") -> " + group.result;
}

struct GroupRun {
  Fixture& f;
  const Group& group;
  std::vector<TypePtr> types;
  TypePtr result;
  std::vector<const Case*> good;
  std::set<int> failed;

  GroupRun(Fixture& fixture, const Group& g) : f(fixture), group(g), result(parse_type(g.result)) {
    for (const auto& type : g.types) types.push_back(parse_type(type));
    for (const auto& one : g.cases) {
      if (!one.error) good.push_back(&one);
    }
  }

  bool strict() const {
    if (group.function == "cast" || group.function == "try_cast") return true;
    const auto* function = plan::find_function(group.function, types);
    return function != nullptr && function->strict;
  }

  void expect(const Case& one, const Text& got, const Text& wanted, const char* form) {
    if (got == wanted || !failed.insert(one.line).second) return;
    ADD_FAILURE() << describe(group, one) << " [" << form << "]\n  got  " << show(got) << "\n  want " << show(wanted);
  }

  // Arguments as literals: one row a time, errors too.
  void literals() {
    for (const auto& one : group.cases) {
      try {
        PlanBuilder builder;
        std::vector<plan::ExprIndex> args;
        for (size_t i = 0; i < types.size(); ++i)
          args.push_back(builder.literal(make_column(f.context, types[i], {one.args[i]})));
        const auto root = builder.call(group.function, args, result);
        cpu::Evaluator evaluator(f.context, builder.plan(), root);
        const auto out = to_texts(*evaluator.evaluate(Batch{1, {}}));
        if (one.error) {
          if (failed.insert(one.line).second)
            ADD_FAILURE() << describe(group, one) << " [literal]\n  got  " << show(out[0]) << "\n  want an error";
        } else {
          expect(one, out[0], one.answer, "literal");
        }
      } catch (const Error& error) {
        if (!one.error && failed.insert(one.line).second) {
          ADD_FAILURE() << describe(group, one) << " [literal]\n  got  error " << error.message() << "\n  want "
                        << show(one.answer);
        }
        if (one.error) {
          EXPECT_EQ(error.source(), ErrorSource::user) << describe(group, one) << "\n  " << error.message();
        }
      }
    }
  }

  // `rows` rows, the good cases again and again, with nulls in every fifth row of a strict function when asked.
  void batch(int64_t rows, bool nulls, int dictionary, const char* form) {
    if (good.empty()) return;
    PlanBuilder builder;
    Batch input;
    input.rows = rows;
    std::vector<plan::ExprIndex> args;
    const auto null_row = [&](int64_t row) { return nulls && row % 5 == 3; };
    for (size_t i = 0; i < types.size(); ++i) {
      const Text& first = good[0]->args[i];
      bool same = types.size() > 1;
      for (const auto* one : good) same &= one->args[i] == first;
      if (same && !(nulls && i == 0)) {
        args.push_back(builder.literal(make_column(f.context, types[i], {first})));
        continue;
      }
      std::vector<Text> texts;
      for (int64_t row = 0; row < rows; ++row) {
        const bool hole = null_row(row) && static_cast<size_t>(row / 5) % types.size() == i;
        texts.push_back(hole ? Text() : good[static_cast<size_t>(row) % good.size()]->args[i]);
      }
      ColumnPtr column = rows == 0 ? make_null_column(types[i], 0) : make_column(f.context, types[i], texts);
      if (dictionary == static_cast<int>(i) && rows > 0 && physical(*types[i]) != Physical::structure)
        column = make_dictionary(f.context, column);
      args.push_back(builder.column(static_cast<int32_t>(input.columns.size()), types[i]));
      input.columns.push_back(column);
    }
    const auto root = builder.call(group.function, args, result);
    cpu::Evaluator evaluator(f.context, builder.plan(), root);
    for (int repeat = 0; repeat < 2; ++repeat) {  // again over used buffers and cached dictionaries
      const ColumnPtr out = evaluator.evaluate(input);
      ASSERT_EQ(out->length, rows);
      ASSERT_TRUE(same_type(*out->type, *result)) << group.function;
      if (rows == 0) continue;
      const auto texts = to_texts(*out);
      int64_t null_count = 0;
      for (int64_t row = 0; row < rows; ++row) {
        const Case& one = *good[static_cast<size_t>(row) % good.size()];
        null_count += !texts[row];
        const size_t column = static_cast<size_t>(row / 5) % types.size();
        const bool holed = null_row(row) && (builder.plan()->exprs[args[column]].kind == plan::ExprKind::column);
        expect(one, texts[row], holed ? Text() : one.answer, form);
      }
      EXPECT_EQ(out->null_count, null_count) << group.function << " [" << form << "]";
    }
  }
};

TEST(Cases, Literals) {
  Fixture f;
  for (const auto& group : read_groups(std::filesystem::path(__FILE__).parent_path() / "cases.tsv")) {
    try {
      GroupRun(f, group).literals();
    } catch (const std::exception& error) {
      ADD_FAILURE() << group.function << ": " << error.what();
    }
  }
}

TEST(Cases, Vectors) {
  Fixture f;
  for (const auto& group : read_groups(std::filesystem::path(__FILE__).parent_path() / "cases.tsv")) {
    try {
      GroupRun run(f, group);
      for (const int64_t rows : {0, 1, 31, 32, 33}) run.batch(rows, false, -1, "flat");
      run.batch(std::max<int64_t>(static_cast<int64_t>(run.good.size()), 64), false, -1, "flat, all");
      for (size_t i = 0; i < run.types.size(); ++i)
        run.batch(static_cast<int64_t>(run.good.size()) + 3, false, static_cast<int>(i), "dictionary");
      if (run.strict()) {
        run.batch(static_cast<int64_t>(run.good.size()) + 70, true, -1, "flat with nulls");
        run.batch(static_cast<int64_t>(run.good.size()) + 70, true, 0, "dictionary with nulls");
      }
    } catch (const std::exception& error) {
      ADD_FAILURE() << group.function << ": " << error.what();
    }
  }
}

TEST(Cases, VectorSizesAroundTheUsual) {
  Fixture f;
  std::set<std::string> seen;
  for (const auto& group : read_groups(std::filesystem::path(__FILE__).parent_path() / "cases.tsv")) {
    if (!seen.insert(group.function).second) continue;
    try {
      GroupRun run(f, group);
      for (const int64_t rows : {2047, 2048, 2049}) run.batch(rows, run.strict(), rows == 2048 ? 0 : -1, "large");
    } catch (const std::exception& error) {
      ADD_FAILURE() << group.function << ": " << error.what();
    }
  }
}

}  // namespace
}  // namespace quern::test
