// Generated rows: data that a function of (scale, seed, row number) makes, on any number of threads the same.
#pragma once
#include <string>
#include <vector>

#include "plan/pipeline.hpp"

namespace quern::cpu {

// Made once a query; `rows` is called from many threads.
class Generator {
 public:
  virtual ~Generator() = default;
  virtual int64_t row_count() const = 0;
  // All columns it can make.
  virtual std::vector<plan::Field> fields() const = 0;
  // Rows [start, start + count) of the wanted columns (indices into fields()), in that order.
  virtual Batch rows(Context& context, int64_t start, int64_t count, const std::vector<int32_t>& columns) const = 0;
};

// Throws user errors "no generator NAME".
std::unique_ptr<Generator> make_generator(const std::string& name, double scale, uint64_t seed);
std::vector<std::string> generator_names();

std::unique_ptr<Source> make_generate(Context& context, const plan::Node& node);

}  // namespace quern::cpu
