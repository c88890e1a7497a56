// Native errors as JavaScript errors, in one place.
#pragma once
#include <napi.h>

#include "common/error.hpp"

namespace quern::addon {

// An Error with `source`, `code`, and where known `spanStart`, `spanEnd`, `hint`; src/engine turns it into a
// QuernError.
Napi::Error to_js(Napi::Env env, const Error& error);

// Calls `body` and throws what it throws as a JavaScript error.
Napi::Value guarded(Napi::Env env, const std::function<Napi::Value()>& body);

}  // namespace quern::addon
