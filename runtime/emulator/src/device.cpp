#include "device.h"

#include <cuda_runtime_api.h>
#include <pallasgen/emulator/emulator.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "host_call.h"
#include "registers.h"
#include "streams.h"

// The emulated device, an sm_90 with Options::sms multiprocessors, and the runtime's functions that query it. All calls
// act on it at once, whichever host thread makes them.
namespace pallasgen::emulator {
namespace {

struct FunctionAttributes {
  size_t dynamic_shared_memory = kDefaultDynamicSharedMemory;
  bool large_clusters = false;
};

std::map<const void*, FunctionAttributes>& functions() {
  static std::map<const void*, FunctionAttributes> map;
  return map;
}

thread_local cudaError_t last_error = cudaSuccess;

constexpr int kMajor = 9, kMinor = 0;

}  // namespace

size_t max_dynamic_shared_memory(const void* kernel) { return functions()[kernel].dynamic_shared_memory; }
bool allows_large_clusters(const void* kernel) { return functions()[kernel].large_clusters; }

int ctas_per_sm(int threads, size_t dynamic_shared_memory) {
  constexpr int kMost = 32, kThreads = 2048;
  constexpr size_t kSharedMemory = kMaxDynamicSharedMemory + 1024, kReserved = 1024;  // reserved per CTA
  if (threads <= 0) return 0;
  constexpr int kRegisters = 65536, kWarp = 32;
  const int by_registers = kRegisters / (registers_per_thread(threads) * ((threads + kWarp - 1) / kWarp) * kWarp);
  const int by_memory = static_cast<int>(kSharedMemory / (dynamic_shared_memory + kReserved));
  return std::min({kMost, kThreads / threads, by_memory, by_registers});
}

cudaError_t set_last_error(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

}  // namespace pallasgen::emulator

using namespace pallasgen::emulator;

extern "C" {

cudaError_t cudaGetDevice(int* device) {
  if (device == nullptr) return set_last_error(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) { return device == 0 ? cudaSuccess : set_last_error(cudaErrorInvalidDevice); }

cudaError_t cudaDeviceReset() {
  const HostCall call;
  host_waits_for_streams();
  functions().clear();
  last_error = cudaSuccess;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) {
  if (count == nullptr) return set_last_error(cudaErrorInvalidValue);
  *count = 1;
  return cudaSuccess;
}

static cudaError_t device_attribute(int* value, cudaDeviceAttr attribute, int device) {
  if (value == nullptr) return set_last_error(cudaErrorInvalidValue);
  if (device != 0) return set_last_error(cudaErrorInvalidDevice);
  switch (attribute) {
    case cudaDevAttrComputeCapabilityMajor:
      *value = kMajor;
      break;
    case cudaDevAttrComputeCapabilityMinor:
      *value = kMinor;
      break;
    case cudaDevAttrMultiProcessorCount:
      *value = options().sms;
      break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = static_cast<int>(kMaxDynamicSharedMemory);
      break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      *value = static_cast<int>(kDefaultDynamicSharedMemory);
      break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      *value = static_cast<int>(kMaxDynamicSharedMemory) + 1024;
      break;
    case cudaDevAttrWarpSize:
      *value = 32;
      break;
    case cudaDevAttrMaxThreadsPerBlock:
      *value = 1024;
      break;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      *value = 2048;
      break;
    case cudaDevAttrMaxRegistersPerBlock:
      *value = 65536;
      break;
    case cudaDevAttrClockRate:
      *value = 1980000;
      break;
    case cudaDevAttrL2CacheSize:
      *value = 50 << 20;
      break;
    case cudaDevAttrCooperativeLaunch:
      *value = 1;
      break;
    case cudaDevAttrClusterLaunch:
      *value = 1;
      break;
    default:
      return set_last_error(cudaErrorNotSupported);
  }
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return host_call([&] { return device_attribute(value, attribute, device); });
}

static cudaError_t set_attribute(const void* function, cudaFuncAttribute attribute, int value) {
  if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
    if (value < 0 || static_cast<size_t>(value) > kMaxDynamicSharedMemory) return set_last_error(cudaErrorInvalidValue);
    functions()[function].dynamic_shared_memory = static_cast<size_t>(value);
    return cudaSuccess;
  }
  if (attribute == cudaFuncAttributeNonPortableClusterSizeAllowed) {
    functions()[function].large_clusters = value != 0;
    return cudaSuccess;
  }
  return attribute == cudaFuncAttributePreferredSharedMemoryCarveout ? cudaSuccess
                                                                     : set_last_error(cudaErrorNotSupported);
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return host_call([&] { return set_attribute(function, attribute, value); });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int threads, size_t shared_bytes) {
  if (blocks == nullptr) return set_last_error(cudaErrorInvalidValue);
  *blocks = ctas_per_sm(threads, shared_bytes);
  return cudaSuccess;
}

cudaError_t cudaGetLastError() {
  const cudaError_t error = last_error;
  last_error = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError() { return last_error; }

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "cudaSuccess";
    case cudaErrorInvalidValue:
      return "cudaErrorInvalidValue";
    case cudaErrorMemoryAllocation:
      return "cudaErrorMemoryAllocation";
    case cudaErrorInvalidConfiguration:
      return "cudaErrorInvalidConfiguration";
    case cudaErrorInvalidDevice:
      return "cudaErrorInvalidDevice";
    case cudaErrorSymbolNotFound:
      return "cudaErrorSymbolNotFound";
    case cudaErrorNotSupported:
      return "cudaErrorNotSupported";
    case cudaErrorInvalidDevicePointer:
      return "cudaErrorInvalidDevicePointer";
    case cudaErrorInvalidResourceHandle:
      return "cudaErrorInvalidResourceHandle";
    case cudaErrorCooperativeLaunchTooLarge:
      return "cudaErrorCooperativeLaunchTooLarge";
    case cudaErrorNotReady:
      return "cudaErrorNotReady";
    case cudaErrorInvalidMemcpyDirection:
      return "cudaErrorInvalidMemcpyDirection";
    case cudaErrorInvalidPitchValue:
      return "cudaErrorInvalidPitchValue";
    default:
      return "unrecognized error code";
  }
}

const char* cudaGetErrorString(cudaError_t error) {
  if (error == reported_error()) return last_report();
  switch (error) {
    case cudaSuccess:
      return "no error";
    case cudaErrorInvalidValue:
      return "invalid argument";
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorInvalidConfiguration:
      return "invalid configuration argument";
    case cudaErrorInvalidDevice:
      return "invalid device ordinal";
    case cudaErrorSymbolNotFound:
      return "named symbol not found";
    case cudaErrorNotSupported:
      return "operation not supported";
    case cudaErrorInvalidDevicePointer:
      return "invalid device pointer";
    case cudaErrorInvalidResourceHandle:
      return "invalid resource handle";
    case cudaErrorCooperativeLaunchTooLarge:
      return "too many blocks in cooperative launch";
    case cudaErrorNotReady:
      return "device not ready";
    case cudaErrorInvalidMemcpyDirection:
      return "invalid copy direction for memcpy";
    case cudaErrorInvalidPitchValue:
      return "invalid pitch argument";
    default:
      return "unrecognized error code";
  }
}

cudaError_t cudaDriverGetVersion(int* version) {
  if (version == nullptr) return set_last_error(cudaErrorInvalidValue);
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }

}  // extern "C"
