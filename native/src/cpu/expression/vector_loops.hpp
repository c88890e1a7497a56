// The loops of vector_kernels.hpp over the registers of one SIMD level. Included by one file a level, inside its
// anonymous namespace. `Simd` gives: Register, width (doubles a register), zero(), load<Element>(pointer), add,
// subtract, fma, absolute, and total(Register) = the halving tree inside a register. 32 doubles are 32 / width
// registers; element i of a block is in lane i % width of register i / width.

constexpr int block_elements = 32;

template <typename Simd>
struct VectorLoops {
  using Register = typename Simd::Register;
  static constexpr int registers = block_elements / Simd::width;

  struct Lanes {
    Register at[registers];
    Lanes() {
      for (int i = 0; i < registers; ++i) at[i] = Simd::zero();
    }
    double total() const {
      Register sums[registers];
      for (int i = 0; i < registers; ++i) sums[i] = at[i];
      for (int count = registers / 2; count > 0; count /= 2) {
        for (int i = 0; i < count; ++i) sums[i] = Simd::add(sums[i], sums[i + count]);
      }
      return Simd::total(sums[0]);
    }
  };

  template <VectorElement E>
  static constexpr int64_t bytes = E == VectorElement::real     ? 8
                                   : E == VectorElement::single ? 4
                                                                : 2;

  struct Squares {
    static constexpr int sums = 1;
    static void add(Lanes* lanes, int i, Register a, Register b) {
      const Register difference = Simd::subtract(a, b);
      lanes[0].at[i] = Simd::fma(difference, difference, lanes[0].at[i]);
    }
  };
  struct Magnitudes {
    static constexpr int sums = 1;
    static void add(Lanes* lanes, int i, Register a, Register b) {
      lanes[0].at[i] = Simd::add(lanes[0].at[i], Simd::absolute(Simd::subtract(a, b)));
    }
  };
  struct Products {
    static constexpr int sums = 1;
    static void add(Lanes* lanes, int i, Register a, Register b) { lanes[0].at[i] = Simd::fma(a, b, lanes[0].at[i]); }
  };
  struct Score {
    static constexpr int sums = 2;
    static void add(Lanes* lanes, int i, Register a, Register b) {
      lanes[0].at[i] = Simd::fma(a, b, lanes[0].at[i]);
      lanes[1].at[i] = Simd::fma(a, a, lanes[1].at[i]);
    }
  };
  struct Cosine {
    static constexpr int sums = 3;
    static void add(Lanes* lanes, int i, Register a, Register b) {
      lanes[0].at[i] = Simd::fma(a, b, lanes[0].at[i]);
      lanes[1].at[i] = Simd::fma(a, a, lanes[1].at[i]);
      lanes[2].at[i] = Simd::fma(b, b, lanes[2].at[i]);
    }
  };
  struct Norm {
    static constexpr int sums = 1;
    static void add(Lanes* lanes, int i, Register a, Register) { lanes[0].at[i] = Simd::fma(a, a, lanes[0].at[i]); }
  };

  template <typename Step, VectorElement A, VectorElement B, bool Pair>
  static void block(Lanes* lanes, const char* a, const char* b) {
    for (int i = 0; i < registers; ++i) {
      const Register x = Simd::template load<A>(a + i * Simd::width * bytes<A>);
      Register y = x;
      if constexpr (Pair) y = Simd::template load<B>(b + i * Simd::width * bytes<B>);
      Step::add(lanes, i, x, y);
    }
  }

  // The last, shorter block is filled up with zeros, which add +0 to sums that are never -0.
  template <typename Step, VectorElement A, VectorElement B, bool Pair = true>
  static void run(const void* first, const void* second, int64_t length, double* sums) {
    Lanes lanes[Step::sums];
    const char* a = static_cast<const char*>(first);
    const char* b = static_cast<const char*>(second);
    int64_t left = length;
    for (; left >= block_elements; left -= block_elements) {
      block<Step, A, B, Pair>(lanes, a, b);
      a += block_elements * bytes<A>;
      if constexpr (Pair) b += block_elements * bytes<B>;
    }
    if (left > 0) {
      alignas(64) char tail_a[block_elements * bytes<A>] = {};
      alignas(64) char tail_b[block_elements * bytes<B>] = {};
      __builtin_memcpy(tail_a, a, static_cast<unsigned long>(left * bytes<A>));
      if constexpr (Pair) __builtin_memcpy(tail_b, b, static_cast<unsigned long>(left * bytes<B>));
      block<Step, A, B, Pair>(lanes, tail_a, tail_b);
    }
    for (int i = 0; i < Step::sums; ++i) sums[i] = lanes[i].total();
  }

#define QUERN_PAIRS(Step, E) \
  {&run<Step, VectorElement::E, VectorElement::E>, &run<Step, VectorElement::E, VectorElement::real>}
#define QUERN_ALL_PAIRS(Step) \
  {QUERN_PAIRS(Step, half), QUERN_PAIRS(Step, brain), QUERN_PAIRS(Step, single), QUERN_PAIRS(Step, real)}
#define QUERN_WITH_REAL(Step, pair)                              \
  {&run<Step, VectorElement::half, VectorElement::real, pair>,   \
   &run<Step, VectorElement::brain, VectorElement::real, pair>,  \
   &run<Step, VectorElement::single, VectorElement::real, pair>, \
   &run<Step, VectorElement::real, VectorElement::real, pair>}
  static constexpr VectorKernels kernels() {
    return {QUERN_ALL_PAIRS(Squares), QUERN_ALL_PAIRS(Magnitudes),  QUERN_ALL_PAIRS(Products),
            QUERN_ALL_PAIRS(Cosine),  QUERN_WITH_REAL(Score, true), QUERN_WITH_REAL(Norm, false)};
  }
#undef QUERN_WITH_REAL
#undef QUERN_ALL_PAIRS
#undef QUERN_PAIRS
};
