// The loop of value_tests.hpp over a SIMD level; included inside a namespace without a name. `Level` gives a word of
// bits for 64 values: equal(), less() and greater() over int32_t and int64_t.

template <typename Level>
struct ValueTestLoops {
  template <typename T>
  static uint64_t compare(const ValueTest& test, int64_t at) {
    const T* values = static_cast<const T*>(test.values) + at;
    const auto operand = static_cast<T>(test.operand);
    switch (test.op) {
      case TestOp::equal:
        return Level::equal(values, operand);
      case TestOp::unequal:
        return ~Level::equal(values, operand);
      case TestOp::less:
        return Level::less(values, operand);
      case TestOp::less_or_equal:
        return ~Level::greater(values, operand);
      case TestOp::greater:
        return Level::greater(values, operand);
      case TestOp::greater_or_equal:
        return ~Level::less(values, operand);
    }
    return 0;
  }

  static uint64_t valid_word(const uint64_t* valid, int64_t at) {
    const uint64_t* word = valid + (at >> 6);
    const int shift = static_cast<int>(at & 63);
    return shift == 0 ? *word : word[0] >> shift | word[1] << (64 - shift);
  }

  static int64_t select(const ValueTest* tests, int64_t count, int64_t start, int64_t end, uint32_t* passing) {
    int64_t passed = 0;
    for (int64_t at = start; at < end; at += values_per_word) {
      uint64_t word = end - at >= values_per_word ? ~0ULL : (1ULL << (end - at)) - 1;
      for (int64_t i = 0; i < count && word != 0; ++i) {
        const ValueTest& test = tests[i];
        word &= test.wide ? compare<int64_t>(test, at) : compare<int32_t>(test, at);
        if (test.valid != nullptr) word &= valid_word(test.valid, at);
      }
      for (; word != 0; word &= word - 1) passing[passed++] = static_cast<uint32_t>(at + __builtin_ctzll(word));
    }
    return passed;
  }
};
