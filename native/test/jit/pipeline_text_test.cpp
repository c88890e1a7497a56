// Texts of kernels are golden (QUERN_UPDATE=1 writes them anew), and NVRTC compiles every one without a GPU.
#include "jit/group_text.hpp"
#include "jit/pipeline_text.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "jit/chain_plan.hpp"
#include "jit/cubin_cache.hpp"
#include "jit/list_calls.hpp"
#include "jit/nvrtc.hpp"

namespace quern {
namespace {

namespace fs = std::filesystem;
using plan::ExprKind;

const TypePtr int8 = make_type(TypeKind::int8), int32 = make_type(TypeKind::int32), int64 = make_type(TypeKind::int64),
              boolean = make_type(TypeKind::boolean), float32 = make_type(TypeKind::float32),
              real = make_type(TypeKind::float64), text = make_type(TypeKind::string), date = make_type(TypeKind::date),
              narrow = make_decimal(12, 2), wide = make_decimal(30, 4), hugeint = make_decimal(38, 0);

// Python's wheels are where the set-up put them; the library looks at QUERN_NVRTC first.
void find_wheel() {
  if (std::getenv("QUERN_NVRTC") != nullptr) return;
  FILE* pipe = popen(
      "python3 -c \"import glob, importlib.util as u; s = u.find_spec('nvidia'); "
      "print([f for p in (s.submodule_search_locations if s else []) for f in glob.glob(p + "
      "'/*/lib/libnvrtc.so*')][0])\" "
      "2>/dev/null",
      "r");
  if (pipe == nullptr) return;
  std::string path(4096, '\0');
  if (fgets(path.data(), static_cast<int>(path.size()), pipe) != nullptr) {
    path.resize(path.find_first_of(std::string("\n\0", 2)));
    if (!path.empty()) setenv("QUERN_NVRTC", path.c_str(), 1);
  }
  pclose(pipe);
}

void compile_all(const std::vector<jit::KernelText>& texts) {
  find_wheel();
  if (!jit::nvrtc_missing().empty()) return;
  for (const auto& kernel : texts) {
    SCOPED_TRACE(kernel.source);
    try {
      EXPECT_FALSE(jit::compile(kernel, 9, 0).bytes.empty());
    } catch (const Error& error) {
      ADD_FAILURE() << error.message();
    }
  }
}

std::vector<jit::KernelText> texts_of(const test::ChainPlan& chain) {
  std::vector<jit::KernelText> out;
  for (const auto& segment : jit::segments(*chain.plan(), chain.nodes())) {
    for (auto& kernel : jit::kernel_texts(*chain.plan(), segment)) out.push_back(std::move(kernel));
  }
  return out;
}

void expect_golden(const std::string& name, const std::vector<jit::KernelText>& texts) {
  std::string all;
  for (const auto& kernel : texts) all += kernel.source + "\n";
  const fs::path path = fs::path(__FILE__).parent_path() / "golden" / (name + ".txt");
  if (std::getenv("QUERN_UPDATE") != nullptr) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << all;
  }
  std::stringstream golden;
  golden << std::ifstream(path).rdbuf();
  EXPECT_EQ(all, golden.str()) << "QUERN_UPDATE=1 writes " << path;
  compile_all(texts);
}

TEST(PipelineText, FilterAndProject) {
  Memory memory(1 << 20);
  test::ChainPlan chain({int64, text, int32});
  const auto a = chain.column(0), s = chain.column(1), b = chain.column(2);
  chain.filter(
      {chain.call("gt", {a, chain.literal(memory, int64, "3")}, boolean),
       chain.of_kind(ExprKind::disjunction,
                     {chain.call("eq", {s, chain.literal(memory, text, "a text of more than twelve bytes")}, boolean),
                      chain.call("is_null", {b}, boolean)},
                     boolean)});
  chain.project({s, chain.call("add", {a, chain.literal(memory, int64, "1")}, int64),
                 chain.of_kind(ExprKind::case_when,
                               {chain.call("lt", {b, chain.literal(memory, int32, "0")}, boolean),
                                chain.call("neg", {b}, int32), b},
                               int32)});
  expect_golden("filter_and_project", texts_of(chain));
}

// Sums of list pairs stand before what rows may skip; a group-by above them is a segment of its own.
TEST(PipelineText, ListPairs) {
  const TypePtr vectors = make_list(float32), halves = make_list(make_type(TypeKind::float16));
  test::ChainPlan chain({vectors, halves, int64});
  const auto a = chain.column(0), b = chain.column(1);
  const auto similarity = chain.call("list_cosine_similarity", {a, b}, real);
  chain.filter({chain.call("gt", {chain.call("try_list_distance", {a, a}, real), similarity}, boolean)});
  chain.project({chain.column(2), similarity});
  const auto without_group = texts_of(chain);
  expect_golden("list_pairs", without_group);
  chain.group({}, {chain.aggregate("count_star", {}, int64)});
  ASSERT_EQ(jit::segments(*chain.plan(), chain.nodes()).size(), 2U);
  compile_all(texts_of(chain));
}

TEST(PipelineText, GroupBy) {
  Memory memory(1 << 20);
  test::ChainPlan chain({int32, int64, real, narrow, wide, boolean});
  const auto k = chain.column(0), v = chain.column(1);
  chain.filter({chain.call("ne", {v, chain.literal(memory, int64, "7")}, boolean)});
  auto filtered = chain.aggregate("sum", {v}, hugeint);
  filtered.filter = chain.column(5);
  chain.group({k, chain.column(5), chain.column(4)},
              {filtered, chain.aggregate("count_star", {}, int64), chain.aggregate("avg", {chain.column(3)}, real),
               chain.aggregate("min", {chain.column(2)}, real),
               chain.aggregate("sum", {chain.column(4)}, make_decimal(38, 4))});
  expect_golden("group_by", texts_of(chain));
  const auto segment = jit::segments(*chain.plan(), chain.nodes()).at(0);
  const auto texts = jit::group_texts(*chain.plan(), segment);
  EXPECT_FALSE(texts.has_parts);  // nine words a row
  compile_all({texts.merge});
}

// All kinds of aggregates compile; equal ones share their words, and so do counts and sums with means.
TEST(PipelineText, Aggregates) {
  const TypePtr uuid = make_type(TypeKind::uuid), int16 = make_type(TypeKind::int16);
  test::ChainPlan chain({int64, real, real, wide, uuid, boolean, int16});
  const auto value = chain.column(0), x = chain.column(1), y = chain.column(2);
  std::vector<plan::Aggregate> aggregates;
  for (const char* fn :
       {"var_samp", "var_pop", "stddev_samp", "stddev_pop", "sem", "first", "last", "any_value", "avg"})
    aggregates.push_back(chain.aggregate(fn, {x}, real));
  for (const char* fn : {"covar_samp", "covar_pop", "corr", "regr_avgx", "regr_avgy", "regr_sxx", "regr_syy",
                         "regr_sxy", "regr_slope", "regr_intercept", "regr_r2"})
    aggregates.push_back(chain.aggregate(fn, {y, x}, real));
  aggregates.push_back(chain.aggregate("regr_count", {y, x}, int64));
  for (const char* fn : {"min", "max", "bit_and", "bit_or", "bit_xor", "count", "first"})
    aggregates.push_back(chain.aggregate(fn, {value}, int64));
  for (const char* fn : {"bool_and", "bool_or", "any_value"})
    aggregates.push_back(chain.aggregate(fn, {chain.column(5)}, boolean));
  aggregates.push_back(chain.aggregate("last", {chain.column(6)}, int16));
  for (const char* fn : {"min", "max"}) {
    aggregates.push_back(chain.aggregate(fn, {chain.column(3)}, wide));
    aggregates.push_back(chain.aggregate(fn, {chain.column(4)}, uuid));
  }
  chain.group({value}, aggregates);
  const auto segment = jit::segments(*chain.plan(), chain.nodes()).at(0);
  const auto texts = jit::group_texts(*chain.plan(), segment);
  EXPECT_FALSE(texts.has_parts);
  compile_all({texts.blocks, texts.table, texts.merge, texts.finish});
  const auto layout =
      jit::group_layout(*chain.plan(), std::get<plan::HashGroupBy>(chain.plan()->nodes[*segment.group].op));
  // 6 of variances, 2 + 2 + 2 picks, 2 of the mean, 13 of pairs, 2 + 2 of extremes, 2 + 2 + 2 of bits, 1 of the count,
  // 2 of the pick, 2 + 2 of truths, 2 + 2 of picks, twice 3 + 3 of wide extremes, and what places pairs.
  EXPECT_LE(layout.aggregate_words, 66);
  test::ChainPlan few({int64, wide});
  few.group({few.column(0)},
            {few.aggregate("first", {few.column(0)}, int64), few.aggregate("max", {few.column(1)}, wide)});
  const auto narrow = jit::segments(*few.plan(), few.nodes()).at(0);
  for (const bool nullable : {false, true}) {
    const auto parts = jit::part_texts(*few.plan(), narrow, {nullable, nullable});
    compile_all({parts.partition, parts.again, parts.group});
  }
}

// The key of one integer keeps its sign; several keys share words; 128 bits take two.
TEST(PipelineText, Joins) {
  Memory memory(1 << 20);
  for (const auto type : {plan::JoinType::left, plan::JoinType::semi, plan::JoinType::anti}) {
    test::ChainPlan chain({int32, text, wide});
    chain.join(type, {{0, 1}, {2, 2}, {0, 1}}, {text, int32, wide},
               type == plan::JoinType::left ? std::vector<int32_t>{1, 3, 4} : std::vector<int32_t>{1, 0});
    if (type == plan::JoinType::left)
      expect_golden("left_join", texts_of(chain));
    else
      compile_all(texts_of(chain));
  }
  test::ChainPlan chain({date, text});
  chain.join(plan::JoinType::inner, {{0, 0}}, {date, text}, {1, 3});
  expect_golden("inner_join", texts_of(chain));
}

// One kernel of the texts of the single ones; without the wish, or with list pairs, they stay apart.
TEST(PipelineText, FusedJoins) {
  Memory memory(1 << 20);
  test::ChainPlan chain({int64, int32, narrow});
  chain.filter({chain.call("gt", {chain.column(0), chain.literal(memory, int64, "3")}, boolean)});
  chain.join(plan::JoinType::inner, {{0, 0}}, {int64, int32, text}, {1, 2, 4, 5});
  chain.filter({chain.call("eq", {chain.column(3), chain.literal(memory, text, "shop")}, boolean)});
  chain.project({chain.column(2), chain.column(0), chain.column(2),
                 chain.call("add", {chain.column(0), chain.literal(memory, int32, "1")}, int32)});
  chain.join(plan::JoinType::left, {{1, 0}, {3, 1}}, {int32, int32, real}, {0, 2, 3, 6});
  chain.group({chain.column(0), chain.column(1)},
              {chain.aggregate("sum", {chain.column(3)}, real), chain.aggregate("count_star", {}, int64)});
  const auto apart = jit::segments(*chain.plan(), chain.nodes());
  ASSERT_EQ(jit::fused_segments(*chain.plan(), apart).size(), apart.size());
  chain.fuse();
  const auto fused = jit::fused_segments(*chain.plan(), apart);
  ASSERT_EQ(fused.size(), 1U);
  ASSERT_EQ(fused[0].fused.size(), 5U);
  expect_golden("fused_joins", jit::kernel_texts(*chain.plan(), fused[0]));
  compile_all(texts_of(chain));
}

// Strings as keys of both joins and of the group-by, one from the second input of a left join.
TEST(PipelineText, StringKeys) {
  find_wheel();
  test::ChainPlan chain({text, int32, text});
  chain.join(plan::JoinType::inner, {{0, 0}, {2, 1}}, {text, text, int32}, {0, 2, 5});
  chain.join(plan::JoinType::left, {{1, 0}}, {text, int64}, {0, 1, 3, 4}, true);
  chain.group({chain.column(0), chain.column(2), chain.column(1), chain.column(3)},
              {chain.aggregate("count_star", {}, int64)});
  chain.fuse();
  const auto apart = jit::segments(*chain.plan(), chain.nodes());
  const auto fused = jit::fused_segments(*chain.plan(), apart);
  ASSERT_EQ(fused.size(), 1U);
  auto texts = jit::kernel_texts(*chain.plan(), fused[0]);
  texts.push_back(jit::key_text(*chain.plan(), apart[0]));
  expect_golden("string_keys", texts);
  compile_all(texts_of(chain));
  compile_all(texts);
}

TEST(PipelineText, JoinWithACondition) {
  find_wheel();
  Memory memory(1 << 20);
  test::ChainPlan chain({int64, real});
  const auto less = chain.call("lt", {chain.column_of(1, real), chain.column_of(3, real)}, boolean);
  chain.join(plan::JoinType::left, {{0, 0}}, {int64, real}, {0, 3}, false, {less});
  const auto texts = texts_of(chain);
  expect_golden("join_with_a_condition", texts);
  compile_all(texts);
}

TEST(PipelineText, EveryKindOfJoinCompiles) {
  find_wheel();
  using plan::JoinType;
  for (const JoinType type : {JoinType::inner, JoinType::left, JoinType::right, JoinType::full, JoinType::semi,
                              JoinType::anti, JoinType::mark, JoinType::single}) {
    for (const bool aware : {false, true}) {
      if (aware && type != JoinType::mark) continue;
      test::ChainPlan chain({text, int32});
      chain.join(type, {{0, 0}}, {text, int32}, {1}, false, {}, aware);
      compile_all(texts_of(chain));
    }
  }
}

TEST(PipelineText, EveryTypeOfKeyCompiles) {
  find_wheel();
  for (const TypeKind kind :
       {TypeKind::boolean, TypeKind::int8, TypeKind::int32, TypeKind::int64, TypeKind::float32, TypeKind::float64,
        TypeKind::uuid, TypeKind::interval, TypeKind::string, TypeKind::binary}) {
    const TypePtr type = make_type(kind);
    SCOPED_TRACE(type_name(*type));
    for (const bool null_safe : {false, true}) {
      test::ChainPlan chain({type, int32});
      chain.join(plan::JoinType::inner, {{0, 0}, {1, 1}}, {type, int32}, {0, 1}, null_safe);
      chain.join(plan::JoinType::semi, {{0, 0}}, {type}, {0, 1}, null_safe);
      chain.group({chain.column(0), chain.column(1)}, {});
      compile_all(texts_of(chain));
    }
  }
}

// Each function and cast that device code has, over each type: the text compiles.
TEST(PipelineText, EveryCallCompiles) {
  find_wheel();
  if (const auto missing = jit::nvrtc_missing(); !missing.empty()) GTEST_SKIP() << missing;
  const std::vector<TypePtr> types = {
      boolean, int8, int32, int64, make_type(TypeKind::uint16), make_type(TypeKind::uint64), float32, real,
      narrow,  wide, date,  text,  make_type(TypeKind::uuid)};
  test::ChainPlan chain(types);
  std::vector<plan::ExprIndex> exprs;
  const auto runs = [&](plan::ExprIndex expr) {
    test::ChainPlan one = chain;
    one.project({expr});
    try {
      texts_of(one);
      return true;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::unsupported) << error.message();
      return false;
    }
  };
  int calls = 0;
  for (size_t i = 0; i < types.size(); ++i) {
    const auto column = chain.column(static_cast<int32_t>(i));
    const auto& type = types[i];
    for (const char* fn : {"add", "sub", "mul", "div", "int_div", "mod", "and_bits", "or_bits", "xor_bits",
                           "shift_left", "shift_right"}) {
      const TypePtr result =
          type->kind == TypeKind::decimal ? make_decimal(std::min<int>(38, type->precision + 1), type->scale) : type;
      exprs.push_back(chain.call(fn, {column, column}, result));
    }
    for (const char* fn : {"neg", "abs", "not_bits", "ceil", "floor", "trunc", "round", "sqrt"})
      exprs.push_back(chain.call(fn, {column}, type));
    for (const char* fn : {"sign", "bit_count"}) exprs.push_back(chain.call(fn, {column}, int8));
    for (const char* fn : {"eq", "ne", "lt", "le", "gt", "ge", "is_distinct_from", "is_not_distinct_from"})
      exprs.push_back(chain.call(fn, {column, column}, boolean));
    for (const char* fn : {"is_null", "is_not_null", "isnan", "isinf", "isfinite"})
      exprs.push_back(chain.call(fn, {column}, boolean));
    for (const char* fn :
         {"strlen", "length", "year", "month", "day", "quarter", "week", "isoyear", "yearweek", "dow", "isodow", "doy"})
      exprs.push_back(chain.call(fn, {column}, int64));
    for (const auto& to : types) exprs.push_back(chain.of_kind(ExprKind::cast, {column}, to));
  }
  const auto s = chain.column(11), whole = chain.column(3);
  for (const char* fn : {"left", "right"}) exprs.push_back(chain.call(fn, {s, whole}, text));
  for (const char* fn : {"starts_with", "ends_with", "contains", "like"})
    exprs.push_back(chain.call(fn, {s, s}, boolean));
  exprs.push_back(chain.call("position", {s, s}, int64));
  exprs.push_back(chain.call("substring", {s, whole, whole}, text));
  exprs.push_back(chain.call("substring", {s, whole}, text));
  exprs.push_back(chain.call("split_part", {s, s, whole}, text));
  exprs.push_back(chain.of_kind(ExprKind::coalesce, {s, s}, text));
  std::vector<plan::ExprIndex> good;
  for (const auto expr : exprs) {
    if (!runs(expr)) continue;
    good.push_back(expr);
    ++calls;
  }
  EXPECT_GT(calls, 200);
  for (size_t first = 0; first < good.size(); first += 100) {
    test::ChainPlan some = chain;
    some.project({good.begin() + static_cast<std::ptrdiff_t>(first),
                  good.begin() + static_cast<std::ptrdiff_t>(std::min(good.size(), first + 100))});
    compile_all(texts_of(some));
  }
}

// Each function of lists over each type, where all lanes are together and, of some types, where they are not.
TEST(PipelineText, EveryListCallCompiles) {
  Memory memory(1 << 20);
  const auto in_parts = [](const std::vector<plan::ExprIndex>& all, const auto& visit) {
    for (size_t first = 0; first < all.size(); first += 12) {
      const auto last = std::min(all.size(), first + 12);
      visit(std::vector<plan::ExprIndex>(all.begin() + static_cast<std::ptrdiff_t>(first),
                                         all.begin() + static_cast<std::ptrdiff_t>(last)));
    }
  };
  // FLOAT, halves, BIGINT, wide decimals; a GPU runs the others as well (test/cuda/list_test.cpp).
  for (const size_t list : {0, 2, 4, 8}) {
    test::ChainPlan chain(test::list_call_columns());
    in_parts(test::list_calls(chain, memory, list), [&](const auto& some) {
      test::ChainPlan part = chain;
      part.project(some);
      compile_all(texts_of(part));
    });
    if (list == 2) continue;
    std::vector<plan::ExprIndex> filters;
    for (const auto call : test::list_calls(chain, memory, list)) {
      if (chain.type(call)->kind == TypeKind::list) continue;
      const auto known = chain.call("is_not_null", {call}, boolean);
      filters.push_back(
          chain.of_kind(ExprKind::disjunction, {known, chain.call("eq", {call, call}, boolean)}, boolean));
    }
    in_parts(filters, [&](const auto& some) {
      test::ChainPlan part = chain;
      part.project(some);
      compile_all(texts_of(part));
    });
  }
}

// Values of lists that loops of a warp find stand before what rows may skip.
TEST(PipelineText, Lists) {
  Memory memory(1 << 20);
  const TypePtr integers = make_list(int32), halves = make_list(make_type(TypeKind::float16)),
                reals = make_list(float32);
  test::ChainPlan chain({integers, halves, int64});
  const auto l = chain.column(0), h = chain.column(1), k = chain.column(2);
  const auto slice = chain.call("list_slice", {l, k, chain.literal(memory, int64, "-1")}, integers);
  chain.filter({chain.call("gt", {chain.call("list_sum", {slice}, int64), k}, boolean)});
  chain.project({chain.call("list_extract", {l, k}, int32), chain.call("list_concat", {l, slice}, integers),
                 chain.of_kind(ExprKind::cast, {h}, reals)});
  expect_golden("lists", texts_of(chain));
}

TEST(PipelineText, WhatIsMissingIsNamed) {
  Memory memory(1 << 20);
  test::ChainPlan chain({text, int64});
  const auto s = chain.column(0), v = chain.column(1);
  chain.project({chain.call("upper", {s}, text), v});
  EXPECT_EQ(jit::cpu_reason(*chain.plan(), chain.nodes().back()), "unsupported: function upper(VARCHAR) on the GPU");
  chain.group({chain.column(0)}, {});
  EXPECT_EQ(jit::cpu_reason(*chain.plan(), chain.nodes().back()), "");
  chain.group({chain.of_kind(ExprKind::coalesce, {chain.column(0)}, text)}, {});
  EXPECT_EQ(jit::cpu_reason(*chain.plan(), chain.nodes().back()), "");
  chain.group({chain.call("upper", {chain.column(0)}, text)}, {});
  EXPECT_EQ(jit::cpu_reason(*chain.plan(), chain.nodes().back()), "unsupported: function upper(VARCHAR) on the GPU");
  chain.group({}, {chain.aggregate("median", {s}, real)});
  EXPECT_EQ(jit::cpu_reason(*chain.plan(), chain.nodes().back()),
            "unsupported: aggregate median(VARCHAR) on the GPU (it takes all values of a group, in their order)");
  auto distinct = chain.aggregate("sum", {v}, real);
  distinct.distinct = true;
  chain.group({}, {distinct});
  EXPECT_EQ(jit::cpu_reason(*chain.plan(), chain.nodes().back()),
            "unsupported: sum(DISTINCT) on the GPU (it keeps the values of a group)");
  chain.group({}, {chain.aggregate("first", {s}, text)});
  EXPECT_EQ(jit::cpu_reason(*chain.plan(), chain.nodes().back()),
            "unsupported: aggregate first(VARCHAR) on the GPU (values without a fixed width)");
  EXPECT_EQ(jit::cpu_reason(*chain.plan(), 0), "unsupported: operator values on the GPU");
  const std::string with_null = "unsupported: constant lists with NULL on the GPU";
  test::ChainPlan lists({int64});
  const auto constant = lists.list_literal(memory, make_list(int64), {"1", "NULL"});
  lists.project({lists.call("list_count", {constant}, int64)});
  EXPECT_EQ(jit::cpu_reason(*lists.plan(), lists.nodes().back()), with_null);
  test::ChainPlan rows({int64});
  rows.unnest({}, {rows.list_literal(memory, make_list(int64), {"1", "NULL"})}, false, false);
  EXPECT_EQ(jit::cpu_reason(*rows.plan(), rows.nodes().back()), with_null);
}

TEST(CubinFile, IsReadAsWrittenAndADamagedOneIsNot) {
  const fs::path folder = fs::temp_directory_path() / ("quern_cubin_" + std::to_string(getpid()));
  setenv("XDG_CACHE_HOME", folder.c_str(), 1);
  const jit::CubinFile file("a key");
  EXPECT_EQ(file.read(), std::nullopt);
  file.write("machine code");
  EXPECT_EQ(file.read(), "machine code");
  EXPECT_EQ(jit::CubinFile("another key").read(), std::nullopt);
  std::fstream(file.path(), std::ios::in | std::ios::out | std::ios::binary).seekp(40).put('X');
  EXPECT_EQ(file.read(), std::nullopt);
  fs::remove_all(folder);
  unsetenv("XDG_CACHE_HOME");
}

}  // namespace
}  // namespace quern
