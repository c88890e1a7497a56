#include "exec/first_error.hpp"

#include <utility>

#include "common/error.hpp"

namespace quern {

namespace {

bool is_cancelled(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Error& known) {
    return known.code() == ErrorCode::cancelled;
  } catch (...) {
    return false;
  }
}

}  // namespace

void FirstError::keep(std::exception_ptr error) {
  if (!error_ || (is_cancelled(error_) && !is_cancelled(error))) error_ = std::move(error);
}

}  // namespace quern
