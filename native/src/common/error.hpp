// The one exception type of the native engine. Values stand at the end of the message; no final stop.
#pragma once
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <utility>

namespace quern {

// Twin of ErrorSource and ErrorCode in src/common/error.ts.
enum class ErrorSource : uint8_t { user, unsupported, resource, io, internal };

enum class ErrorCode : uint8_t {
  type,
  runtime,
  io,
  corrupt_file,
  permission,
  disk_full,
  oom,
  no_device,
  timeout,
  cancelled,
  unsupported,
  internal
};

// Half-open range of UTF-16 offsets into the SQL text.
struct SourceSpan {
  int32_t start = 0;
  int32_t end = 0;
};

class Error : public std::exception {
 public:
  Error(ErrorSource source, ErrorCode code, std::string message)
      : source_(source), code_(code), message_(std::move(message)) {}

  const char* what() const noexcept override { return message_.c_str(); }
  ErrorSource source() const { return source_; }
  ErrorCode code() const { return code_; }
  const std::string& message() const { return message_; }
  const std::optional<SourceSpan>& span() const { return span_; }
  const std::string& hint() const { return hint_; }

  Error& at(SourceSpan span) {
    if (!span_) span_ = span;
    return *this;
  }
  Error& with_hint(std::string hint) {
    hint_ = std::move(hint);
    return *this;
  }
  Error& with_message(std::string message) {
    message_ = std::move(message);
    return *this;
  }

 private:
  ErrorSource source_;
  ErrorCode code_;
  std::string message_;
  std::optional<SourceSpan> span_;
  std::string hint_;
};

inline Error runtime_error(std::string message) { return {ErrorSource::user, ErrorCode::runtime, std::move(message)}; }
inline Error unsupported(const std::string& feature) {
  return {ErrorSource::unsupported, ErrorCode::unsupported, "unsupported: " + feature};
}
inline Error corrupt_file(std::string message) {
  return {ErrorSource::io, ErrorCode::corrupt_file, std::move(message)};
}
inline Error io_error(std::string message) { return {ErrorSource::io, ErrorCode::io, std::move(message)}; }
inline Error internal_error(std::string message) {
  return {ErrorSource::internal, ErrorCode::internal, std::move(message)};
}

}  // namespace quern
