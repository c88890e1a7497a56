// What threads that work together throw: the first error, but not one that only says that another thread failed.
#pragma once
#include <exception>

namespace quern {

class FirstError {
 public:
  // The caller locks.
  void keep(std::exception_ptr error);
  explicit operator bool() const { return error_ != nullptr; }
  [[noreturn]] void rethrow() const { std::rethrow_exception(error_); }

 private:
  std::exception_ptr error_;
};

}  // namespace quern
