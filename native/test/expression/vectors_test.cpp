// Vector functions against plain loops: every SIMD level to the bit, every element type, NULLs, slices, constants.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "cpu/expression/cast.hpp"
#include "cpu/expression/vector_kernels.hpp"
#include "expression/case_file.hpp"
#include "ops/list_vector.hpp"

namespace quern::test {
namespace {

using cpu::VectorElement;

const int64_t sizes[] = {0, 1, 2, 31, 32, 33, 63, 64, 65, 128, 768, 1536};

std::vector<std::pair<const char*, const cpu::VectorKernels*>> levels() {
  std::vector<std::pair<const char*, const cpu::VectorKernels*>> found = {{"scalar", &cpu::scalar_vector_kernels}};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c")) {
    found.emplace_back("avx2", &cpu::avx2_vector_kernels);
  }
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) {
    found.emplace_back("avx512", &cpu::avx512_vector_kernels);
  }
#endif
  return found;
}

uint64_t bits(double v) { return ops::bit_cast<uint64_t>(ops::one_nan(v)); }

template <typename T>
T element_of(float v) {
  if constexpr (std::is_same_v<T, ops::Half>)
    return {ops::float_to_half(v)};
  else if constexpr (std::is_same_v<T, ops::BrainFloat>)
    return {ops::float_to_bfloat(v)};
  else
    return static_cast<T>(v);
}

template <typename T>
std::vector<T> random_vector(int64_t length, uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<T> out;
  for (int64_t i = 0; i < length; ++i) out.push_back(element_of<T>(normal(random)));
  return out;
}

template <typename A, typename B>
void compare_levels(VectorElement element, int second) {
  const auto at = static_cast<size_t>(element);
  for (const int64_t size : sizes) {
    for (const int64_t shift : {0, 1, 3}) {
      auto a = random_vector<A>(size + shift, 1 + static_cast<uint32_t>(size));
      auto b = random_vector<B>(size + shift, 99 + static_cast<uint32_t>(size));
      for (const bool special : {false, true}) {
        if (special && size < 2) continue;
        if (special) {
          a[static_cast<size_t>(shift + size - 1)] = element_of<A>(INFINITY);
          b[static_cast<size_t>(shift)] = element_of<B>(-0.0F);
        }
        const A* x = a.data() + shift;
        const B* y = b.data() + shift;
        const double squares = ops::fold_pairs<ops::SquaredDifference>(x, y, size);
        const double magnitudes = ops::fold_pairs<ops::AbsoluteDifference>(x, y, size);
        const double product = ops::fold_pairs<ops::Product>(x, y, size);
        const double norm_a = ops::fold_pairs<ops::Product>(x, x, size),
                     norm_b = ops::fold_pairs<ops::Product>(y, y, size);
        for (const auto& [name, kernels] : levels()) {
          SCOPED_TRACE(std::string(name) + " size " + std::to_string(size) + " shift " + std::to_string(shift) +
                       " element " + std::to_string(at));
          double sums[3] = {};
          kernels->squares[at][second](x, y, size, sums);
          EXPECT_EQ(bits(sums[0]), bits(squares));
          kernels->magnitudes[at][second](x, y, size, sums);
          EXPECT_EQ(bits(sums[0]), bits(magnitudes));
          kernels->products[at][second](x, y, size, sums);
          EXPECT_EQ(bits(sums[0]), bits(product));
          kernels->cosine[at][second](x, y, size, sums);
          EXPECT_EQ(bits(sums[0]), bits(product));
          EXPECT_EQ(bits(sums[1]), bits(norm_a));
          EXPECT_EQ(bits(sums[2]), bits(norm_b));
          if (second == 1) {
            kernels->score[at](x, y, size, sums);
            EXPECT_EQ(bits(sums[0]), bits(product));
            EXPECT_EQ(bits(sums[1]), bits(norm_a));
          }
          kernels->norm[at](x, nullptr, size, sums);
          EXPECT_EQ(bits(sums[0]), bits(norm_a));
        }
      }
    }
  }
}

TEST(VectorKernels, EveryLevelGivesTheBitsOfThePlainLoop) {
  compare_levels<ops::Half, ops::Half>(VectorElement::half, 0);
  compare_levels<ops::Half, double>(VectorElement::half, 1);
  compare_levels<ops::BrainFloat, ops::BrainFloat>(VectorElement::brain, 0);
  compare_levels<ops::BrainFloat, double>(VectorElement::brain, 1);
  compare_levels<float, float>(VectorElement::single, 0);
  compare_levels<float, double>(VectorElement::single, 1);
  compare_levels<double, double>(VectorElement::real, 0);
  compare_levels<double, double>(VectorElement::real, 1);
}

TEST(VectorKernels, EveryHalfIsWidenedExactly) {
  for (const auto& [name, kernels] : levels()) {
    for (uint32_t i = 0; i < 0x10000; ++i) {
      const uint16_t stored = static_cast<uint16_t>(i);
      const double one = 1;
      double half = 0, brain = 0;
      kernels->products[0][1](&stored, &one, 1, &half);
      kernels->products[1][1](&stored, &one, 1, &brain);
      ASSERT_EQ(bits(half), bits(0.0 + static_cast<double>(ops::half_to_float(stored)))) << name << " " << i;
      ASSERT_EQ(bits(brain), bits(0.0 + static_cast<double>(ops::bfloat_to_float(stored)))) << name << " " << i;
    }
  }
}

TEST(Cosine, ClampedExactAndNullForZero) {
  double out = 7;
  EXPECT_FALSE(ops::cosine_of(0, 0, 1, out));
  EXPECT_FALSE(ops::cosine_of(0, 1, 0, out));
  ASSERT_TRUE(ops::cosine_of(0.1, 0.1, 0.1, out));
  EXPECT_EQ(out, 1);
  ASSERT_TRUE(ops::cosine_of(1e-200, 1e-200, 1e-200, out));  // the product of the squares is below every double
  EXPECT_DOUBLE_EQ(out, 1);
  ASSERT_TRUE(ops::cosine_of(-1.0000000000000002, 1, 1, out));
  EXPECT_EQ(out, -1);
  ASSERT_TRUE(ops::cosine_of(NAN, 1, 1, out));
  EXPECT_TRUE(std::isnan(out));
}

// ---- whole functions ----

class Vectors : public testing::Test {
 protected:
  Memory memory_{1LL << 30};
  Context context{memory_, Settings{}};
  cpu::Scratch scratch{context.memory()};

  ColumnPtr lists(const std::string& type, const std::vector<Text>& texts) {
    return make_column(context, parse_type(type), texts);
  }

  ColumnPtr call(const std::string& fn, const std::vector<ColumnPtr>& args, const std::string& result = "float64") {
    std::vector<TypePtr> types;
    for (const auto& arg : args) types.push_back(arg->type);
    const TypePtr type = parse_type(result);
    const auto kernel = cpu::kernel_table().make({fn, types, type, false});
    return flatten(context.memory(), cpu::run_kernel(context, scratch, *kernel, type, args, args[0]->length));
  }
  std::vector<Text> texts(const std::string& fn, const std::vector<ColumnPtr>& args,
                          const std::string& result = "float64") {
    return to_texts(*call(fn, args, result));
  }
};

const Text none;

TEST_F(Vectors, NullsZeroVectorsAndEmptyOnes) {
  const auto a = lists("list<float32>", {"[1,2]", none, "[1,NULL]", "[0,0]", "[]", "[3,4]"});
  const auto b = lists("list<float32>", {"[4,6]", "[1,2]", "[1,2]", "[1,1]", "[]", "[3,4]"});
  EXPECT_EQ(texts("list_distance", {a, b}), (std::vector<Text>{"5.0", none, none, "1.4142135623730951", "0.0", "0.0"}));
  EXPECT_EQ(texts("list_l1_distance", {a, b}), (std::vector<Text>{"7.0", none, none, "2.0", "0.0", "0.0"}));
  EXPECT_EQ(texts("list_inner_product", {a, b}), (std::vector<Text>{"16.0", none, none, "0.0", "0.0", "25.0"}));
  EXPECT_EQ(texts("list_negative_inner_product", {a, b}),
            (std::vector<Text>{"-16.0", none, none, "0.0", "0.0", "-25.0"}));
  EXPECT_EQ(texts("list_cosine_distance", {a, b}),
            (std::vector<Text>{"0.007722123286332261", none, none, none, none, "0.0"}));
  EXPECT_EQ(texts("list_cosine_similarity", {a, b}),
            (std::vector<Text>{"0.9922778767136677", none, none, none, none, "1.0"}));
  EXPECT_EQ(texts("list_norm", {a}), (std::vector<Text>{"2.23606797749979", none, none, "0.0", "0.0", "5.0"}));
  EXPECT_EQ(texts("list_normalize", {a}, "list<float64>"),
            (std::vector<Text>{"[0.4472135954999579, 0.8944271909999159]", none, none, none, "[]", "[0.6, 0.8]"}));
  EXPECT_EQ(texts("list_add", {a, b}, "list<float64>"),
            (std::vector<Text>{"[5.0, 8.0]", none, none, "[1.0, 1.0]", "[]", "[6.0, 8.0]"}));
  EXPECT_EQ(texts("list_sub", {a, b}, "list<float64>"),
            (std::vector<Text>{"[-3.0, -4.0]", none, none, "[-1.0, -1.0]", "[]", "[0.0, 0.0]"}));
  EXPECT_EQ(texts("list_mul", {a, b}, "list<float64>"),
            (std::vector<Text>{"[4.0, 12.0]", none, none, "[0.0, 0.0]", "[]", "[9.0, 16.0]"}));
  const auto two = make_constant(make_column(context, make_type(TypeKind::float64), {"2"}), 0, 6);
  EXPECT_EQ(texts("list_scale", {a, two}, "list<float64>"),
            (std::vector<Text>{"[2.0, 4.0]", none, none, "[0.0, 0.0]", "[]", "[6.0, 8.0]"}));
}

TEST_F(Vectors, DifferentLengthsRaiseWithBothLengthsInTheOrderOfTheCall) {
  const auto a = lists("list<float64>", {"[1,2]", "[1,2]"}), b = lists("list<float64>", {"[1,2]", "[1]"});
  const auto query = make_constant(lists("list<float64>", {"[1,2,3]"}), 0, 2);
  const auto message = [&](const std::string& fn, const std::vector<ColumnPtr>& args,
                           const std::string& result) -> std::string {
    try {
      call(fn, args, result);
    } catch (const Error& error) {
      return error.message();
    }
    return "no error";
  };
  EXPECT_EQ(message("list_distance", {a, b}, "float64"), "lists of different length in list_distance: 2 and 1");
  EXPECT_EQ(message("list_distance", {a, query}, "float64"), "lists of different length in list_distance: 2 and 3");
  EXPECT_EQ(message("list_distance", {query, a}, "float64"), "lists of different length in list_distance: 3 and 2");
  EXPECT_EQ(message("list_add", {a, b}, "list<float64>"), "lists of different length in list_add: 2 and 1");
  EXPECT_EQ(texts("try_list_distance", {a, b}), (std::vector<Text>{"0.0", none}));
  EXPECT_EQ(texts("try_list_add", {a, b}, "list<float64>"), (std::vector<Text>{"[2.0, 4.0]", none}));
  EXPECT_EQ(texts("try_list_cosine_similarity", {a, query}), (std::vector<Text>{none, none}));
}

TEST_F(Vectors, EveryPairOfElementTypesAndEveryFormAgrees) {
  const std::vector<std::string> types = {"int8",    "int16",   "int32",        "int64",        "uint8",
                                          "uint16",  "uint32",  "uint64",       "float16",      "bfloat16",
                                          "float32", "float64", "decimal(9,2)", "decimal(30,2)"};
  const std::vector<Text> left = {"[1,2,3]", "[4,5]", none, "[7,8,9,10]"},
                          right = {"[3,2,1]", "[0,9]", "[1]", "[10,9,8,7]"};
  for (const auto& first : types) {
    for (const auto& second : types) {
      const auto a = lists("list<" + first + ">", left), b = lists("list<" + second + ">", right);
      SCOPED_TRACE(first + " " + second);
      EXPECT_EQ(texts("list_inner_product", {a, b}), (std::vector<Text>{"10.0", "45.0", none, "284.0"}));
      const auto query = make_constant(b, 0, 4);
      EXPECT_EQ(texts("try_list_inner_product", {a, query}), (std::vector<Text>{"10.0", none, none, none}));
      EXPECT_EQ(texts("try_list_inner_product", {query, a}), (std::vector<Text>{"10.0", none, none, none}));
      EXPECT_EQ(texts("try_list_distance", {query, a}), (std::vector<Text>{"2.8284271247461903", none, none, none}));
      EXPECT_EQ(texts("try_list_cosine_similarity", {a, query}), texts("try_list_cosine_similarity", {query, a}));
    }
  }
}

TEST_F(Vectors, SlicesAndOtherOrdersOfTheChildAreTheSame) {
  std::vector<Text> left, right;
  for (int i = 0; i < 70; ++i) {
    std::string a = "[", b = "[";
    for (int k = 0; k < 40; ++k) {
      a += (k > 0 ? "," : "") + std::to_string((i * 7 + k * 3) % 11);
      b += (k > 0 ? "," : "") + std::to_string((i * 5 + k) % 13);
    }
    left.push_back(i % 9 == 4 ? none : Text(a + "]"));
    right.push_back(b + "]");
  }
  const auto a = lists("list<float32>", left), b = lists("list<float32>", right);
  const auto whole = texts("list_cosine_distance", {a, b});
  Memory& memory = memory_;
  EXPECT_EQ(texts("list_cosine_distance", {slice(memory, a, 33, 20), slice(memory, b, 33, 20)}),
            (std::vector<Text>(whole.begin() + 33, whole.begin() + 53)));
  std::vector<int64_t> back;
  for (int64_t i = 69; i >= 0; --i) back.push_back(i);
  auto reversed =
      texts("list_cosine_distance", {gather(memory, a, back.data(), 70), gather(memory, b, back.data(), 70)});
  std::reverse(reversed.begin(), reversed.end());
  EXPECT_EQ(reversed, whole);
}

TEST_F(Vectors, ANewConstantReplacesTheFoldedOne) {
  const auto a = lists("list<float32>", {"[1,0]", "[0,1]"});
  const auto kernel =
      cpu::kernel_table().make({"list_inner_product", {a->type, a->type}, make_type(TypeKind::float64), false});
  for (const auto& [query, answer] :
       std::vector<std::pair<const char*, std::vector<Text>>>{{"[2,3]", {"2.0", "3.0"}}, {"[5,7]", {"5.0", "7.0"}}}) {
    const auto constant = make_constant(lists("list<float32>", {query}), 0, 2);
    const auto out = cpu::run_kernel(context, scratch, *kernel, make_type(TypeKind::float64), {a, constant}, 2);
    EXPECT_EQ(to_texts(*flatten(context.memory(), out)), answer);
  }
}

TEST_F(Vectors, HasNullLooksAtTheEntryAlone) {
  const auto a = lists("list<int32>", {"[1,NULL]", "[1]", "[]", none, "[NULL]"});
  EXPECT_EQ(texts("list_has_null", {a}, "bool"), (std::vector<Text>{"true", "false", "false", none, "true"}));
  EXPECT_EQ(texts("list_has_null", {slice(context.memory(), a, 1, 2)}, "bool"), (std::vector<Text>{"false", "false"}));
}

}  // namespace
}  // namespace quern::test
