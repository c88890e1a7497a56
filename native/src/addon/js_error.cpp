#include "addon/js_error.hpp"

#include "exec/query.hpp"

namespace quern::addon {

namespace {

const char* word(ErrorSource source) {
  switch (source) {
    case ErrorSource::user:
      return "user";
    case ErrorSource::unsupported:
      return "unsupported";
    case ErrorSource::resource:
      return "resource";
    case ErrorSource::io:
      return "io";
    case ErrorSource::internal:
      return "internal";
  }
  return "internal";
}

const char* word(ErrorCode code) {
  switch (code) {
    case ErrorCode::type:
      return "type";
    case ErrorCode::runtime:
      return "runtime";
    case ErrorCode::io:
      return "io";
    case ErrorCode::corrupt_file:
      return "corrupt-file";
    case ErrorCode::permission:
      return "permission";
    case ErrorCode::disk_full:
      return "disk-full";
    case ErrorCode::oom:
      return "oom";
    case ErrorCode::no_device:
      return "no-device";
    case ErrorCode::timeout:
      return "timeout";
    case ErrorCode::cancelled:
      return "cancelled";
    case ErrorCode::unsupported:
      return "unsupported";
    case ErrorCode::internal:
      return "internal";
  }
  return "internal";
}

}  // namespace

Napi::Error to_js(Napi::Env env, const Error& error) {
  auto out = Napi::Error::New(env, error.message());
  out.Set("source", Napi::String::New(env, word(error.source())));
  out.Set("code", Napi::String::New(env, word(error.code())));
  if (error.span()) {
    out.Set("spanStart", Napi::Number::New(env, error.span()->start));
    out.Set("spanEnd", Napi::Number::New(env, error.span()->end));
  }
  if (!error.hint().empty()) out.Set("hint", Napi::String::New(env, error.hint()));
  return out;
}

Napi::Value guarded(Napi::Env env, const std::function<Napi::Value()>& body) {
  try {
    return body();
  } catch (const Napi::Error&) {
    throw;
  } catch (...) {
    throw to_js(env, current_error());
  }
}

}  // namespace quern::addon
