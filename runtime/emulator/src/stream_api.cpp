#include <cuda_runtime_api.h>

#include <chrono>

#include "device.h"
#include "race.h"

// Streams and events. Work is done when the call that asks for it returns, so there is never anything to wait for.
using namespace pallasgen::emulator;

namespace {

using Clock = std::chrono::steady_clock;

/// The host has seen the end of all launches.
cudaError_t waited() {
  race::host_waits_for_launches();
  return cudaSuccess;
}

}  // namespace

struct CUstream_st {};
struct CUevent_st {
  Clock::time_point recorded;
};

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  if (stream == nullptr) return set_last_error(cudaErrorInvalidValue);
  *stream = new CUstream_st;
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) { return cudaStreamCreate(stream); }

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  delete stream;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t) { return waited(); }
cudaError_t cudaStreamQuery(cudaStream_t) { return waited(); }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }
cudaError_t cudaDeviceSynchronize() { return waited(); }

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  if (event == nullptr) return set_last_error(cudaErrorInvalidValue);
  *event = new CUevent_st;
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) { return cudaEventCreate(event); }

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  if (event == nullptr) return set_last_error(cudaErrorInvalidResourceHandle);
  event->recorded = Clock::now();
  return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t) { return waited(); }
cudaError_t cudaEventQuery(cudaEvent_t) { return waited(); }

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (milliseconds == nullptr || start == nullptr || end == nullptr) return set_last_error(cudaErrorInvalidValue);
  *milliseconds = std::chrono::duration<float, std::milli>(end->recorded - start->recorded).count();
  return cudaSuccess;
}

}  // extern "C"
