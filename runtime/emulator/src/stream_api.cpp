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
  Clock::time_point at;
  bool recorded = false;
};

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  if (stream == nullptr) return set_last_error(cudaErrorInvalidValue);
  *stream = new CUstream_st;
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) { return cudaStreamCreate(stream); }

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int) { return cudaStreamCreate(stream); }

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = 0;
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (stream == nullptr) return set_last_error(cudaErrorInvalidResourceHandle);
  delete stream;
  return waited();
}

cudaError_t cudaStreamSynchronize(cudaStream_t) { return waited(); }
cudaError_t cudaStreamQuery(cudaStream_t) { return waited(); }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t event, unsigned) {
  return event == nullptr ? set_last_error(cudaErrorInvalidResourceHandle) : cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() { return waited(); }

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  if (event == nullptr) return set_last_error(cudaErrorInvalidValue);
  *event = new CUevent_st;
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) { return cudaEventCreate(event); }

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (event == nullptr) return set_last_error(cudaErrorInvalidResourceHandle);
  delete event;
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  if (event == nullptr) return set_last_error(cudaErrorInvalidResourceHandle);
  event->at = Clock::now();
  event->recorded = true;
  return cudaSuccess;
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
  return cudaEventRecord(event, stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return event == nullptr ? set_last_error(cudaErrorInvalidResourceHandle) : waited();
}
cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (milliseconds == nullptr) return set_last_error(cudaErrorInvalidValue);
  if (start == nullptr || end == nullptr || !start->recorded || !end->recorded)
    return set_last_error(cudaErrorInvalidResourceHandle);
  *milliseconds = std::chrono::duration<float, std::milli>(end->at - start->at).count();
  return cudaSuccess;
}

}  // extern "C"
