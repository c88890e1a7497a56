// How the table of a join finds the rows with a key. An index is made once and shared; finders keep scratch, one a
// thread.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "cpu/join_matches.hpp"

namespace quern::cpu {

class JoinFinder {
 public:
  virtual ~JoinFinder() = default;
  // The rows of each of `rows` keys, one column a key.
  virtual void find(const std::vector<ColumnPtr>& keys, int64_t rows, JoinMatches* matches) = 0;
  // Of an index that is single(): the row id (cpu/chunked_rows.hpp) of each key, -1 = none.
  virtual void find_single(const std::vector<ColumnPtr>& keys, int64_t rows, int64_t* ids) = 0;
};

class JoinIndex {
 public:
  virtual ~JoinIndex() = default;
  // Whether every key has one row, or one row of each is all that is asked for.
  virtual bool is_single() const = 0;
  virtual std::unique_ptr<JoinFinder> finder() const = 0;
  // Where ids of keys with several rows lie; a match tells its list by number.
  virtual std::vector<JoinList> lists() const = 0;
  // For EXPLAIN ANALYZE.
  virtual std::string name() const = 0;
};

}  // namespace quern::cpu
