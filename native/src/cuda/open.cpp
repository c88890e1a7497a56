// The entry of quern_cuda.so. Nothing is thrown across it.
#include <cstdio>

#include "cuda/device.hpp"
#include "cuda/run.hpp"
#include "plan/functions.hpp"

namespace quern::cuda {

namespace {

class DeviceBackend final : public Backend {
 public:
  DeviceBackend(DeviceInfo info, int64_t memory_limit) : device_(std::move(info), memory_limit) {}
  const DeviceInfo& info() const override { return device_.info; }
  std::unique_ptr<Run> start(Context& context, std::shared_ptr<const plan::Plan> plan,
                             std::vector<plan::NodeIndex> chain) override {
    return make_run(device_, context, std::move(plan), std::move(chain));
  }

 private:
  Device device_;
};

QuernCudaStatus refuse(QuernCudaReply* reply, QuernCudaStatus status, const std::string& message) {
  std::snprintf(reply->message, sizeof(reply->message), "%s", message.c_str());
  return status;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) QuernCudaStatus quern_cuda_open(const QuernCudaRequest* request,
                                                                                  QuernCudaReply* reply) {
  *reply = {};
  try {
    if (request->version != interface_version || plan::function_table_hash() != request->functions)
      return refuse(reply, quern_cuda_stale, "quern_cuda.so is of another build than the addon");
    reply->devices = device_count();
    if (request->ordinal < 0 || request->ordinal >= reply->devices) {
      return refuse(
          reply, quern_cuda_no_device,
          "there is no device " + std::to_string(request->ordinal) + ", devices: " + std::to_string(reply->devices));
    }
    check(cudaSetDevice(request->ordinal), "cudaSetDevice");
    reply->backend = new DeviceBackend(describe_device(request->ordinal), request->memory_limit);
    return quern_cuda_ok;
  } catch (const std::exception& error) {
    return refuse(reply, quern_cuda_no_device, error.what());
  }
}

}  // namespace quern::cuda
