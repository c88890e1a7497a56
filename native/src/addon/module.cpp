// The N-API surface; src/engine/addon.ts has its types.
#include <napi.h>

#include "addon/environment.hpp"
#include "addon/js_error.hpp"
#include "addon/query_object.hpp"
#include "exec/device_library.hpp"
#include "exec/placement.hpp"
#include "plan/functions.hpp"

namespace quern::addon {

namespace {

int64_t number(const Napi::Object& object, const char* name, int64_t least) {
  const auto value = object.Get(name);
  if (!value.IsNumber()) throw internal_error(std::string("open: no number: ") + name);
  const int64_t out = value.As<Napi::Number>().Int64Value();
  if (out < least) throw internal_error(std::string("open: too small: ") + name + " " + std::to_string(out));
  return out;
}

std::string text(const Napi::Value& value, const char* name) {
  if (!value.IsString()) throw internal_error(std::string("no text: ") + name);
  return value.As<Napi::String>().Utf8Value();
}

std::vector<std::string> texts(const Napi::Value& value, const char* name) {
  if (!value.IsArray()) throw internal_error(std::string("no array: ") + name);
  const auto array = value.As<Napi::Array>();
  std::vector<std::string> out;
  for (uint32_t i = 0; i < array.Length(); ++i) out.push_back(text(array.Get(i), name));
  return out;
}

bool flag(const Napi::Object& object, const char* name) {
  const auto value = object.Get(name);
  if (!value.IsBoolean()) throw internal_error(std::string("no boolean: ") + name);
  return value.As<Napi::Boolean>().Value();
}

DescribeRequest describe_request(const Napi::Object& object) {
  DescribeRequest out;
  out.format = text(object.Get("format"), "format") == "arrow" ? plan::FileFormat::arrow : plan::FileFormat::parquet;
  out.paths = texts(object.Get("paths"), "paths");
  out.options.binary_as_string = flag(object, "binaryAsString");
  out.options.bfloat16 = texts(object.Get("bfloat16"), "bfloat16");
  out.union_by_name = flag(object, "unionByName");
  out.skip_bad_files = flag(object, "skipBadFiles");
  return out;
}

Napi::Object object_argument(const Napi::CallbackInfo& info, size_t index) {
  if (info.Length() <= index || !info[index].IsObject())
    throw internal_error("argument " + std::to_string(index) + " is no object");
  return info[index].As<Napi::Object>();
}

Napi::Value open(const Napi::CallbackInfo& info, const std::shared_ptr<Environment>& environment) {
  const auto env = info.Env();
  const auto options = object_argument(info, 0);
  Settings settings;
  settings.threads = static_cast<int32_t>(std::min<int64_t>(number(options, "threads", 1), 4096));
  settings.batch_rows = static_cast<int32_t>(std::min<int64_t>(number(options, "batchRows", 1), 1 << 20));
  settings.list_offset_limit = number(options, "listOffsetLimit", 0);
  settings.temp_dir = text(options.Get("tempDir"), "tempDir");
  const auto engine = std::make_shared<Engine>(number(options, "memoryLimit", 1), settings);
  environment->add(engine);

  auto out = Napi::Object::New(env);
  out.Set("execute", Napi::Function::New(env, [environment, engine](const Napi::CallbackInfo& call) {
            return guarded(call.Env(),
                           [&] { return make_query_object(call.Env(), environment, engine, text(call[0], "plan")); });
          }));
  out.Set("describe", Napi::Function::New(env, [environment, engine](const Napi::CallbackInfo& call) {
            return guarded(call.Env(), [&] {
              auto request = describe_request(object_argument(call, 0));
              return environment->run(call.Env(), engine, [request = std::move(request)](Engine& target) {
                return target.describe(request);
              });
            });
          }));
  out.Set("inspect", Napi::Function::New(env, [environment, engine](const Napi::CallbackInfo& call) {
            return guarded(call.Env(), [&] {
              const std::string path = text(call[0], "path");
              const bool scan_levels = call[1].IsBoolean() && call[1].As<Napi::Boolean>().Value();
              return environment->run(call.Env(), engine, [path, scan_levels](Engine& target) {
                return target.inspect(path, scan_levels);
              });
            });
          }));
  out.Set("close", Napi::Function::New(env, [environment, engine](const Napi::CallbackInfo& call) {
            return guarded(call.Env(), [&] { return environment->close(call.Env(), engine); });
          }));
  return out;
}

Napi::Object initialise(Napi::Env env, Napi::Object exports) {
  const auto environment = Environment::make(env);
  exports.Set("open", Napi::Function::New(env, [environment](const Napi::CallbackInfo& info) {
                return guarded(info.Env(), [&] { return open(info, environment); });
              }));
  exports.Set("discardUnfinishedFiles", Napi::Function::New(env, [](const Napi::CallbackInfo& info) {
                return guarded(info.Env(), [&] {
                  Engine::discard_unfinished_files();
                  return info.Env().Undefined();
                });
              }));
  exports.Set("capabilities", Napi::Function::New(env, [](const Napi::CallbackInfo& info) {
                return Napi::String::New(info.Env(), capabilities_json());
              }));
  exports.Set("placement", Napi::Function::New(env, [](const Napi::CallbackInfo& info) {
                return guarded(info.Env(),
                               [&] { return Napi::String::New(info.Env(), placement_json(text(info[0], "plan"))); });
              }));
  exports.Set("deviceStatus", Napi::Function::New(env, [](const Napi::CallbackInfo& info) {
                return guarded(info.Env(), [&] { return Napi::String::New(info.Env(), device_status_json(0)); });
              }));
  exports.Set("functions", Napi::Function::New(env, [](const Napi::CallbackInfo& info) {
                return Napi::String::New(info.Env(), plan::function_table_json());
              }));
  exports.Set("functionsHash", Napi::String::New(env, plan::function_table_hash()));
  exports.Set("planFormat", Napi::Number::New(env, plan::format));
  return exports;
}

}  // namespace

NODE_API_MODULE(quern, initialise)

}  // namespace quern::addon
