#include <cuda_runtime_api.h>

#include <chrono>
#include <memory>

#include "device.h"
#include "host_call.h"
#include "streams.h"

// Streams and events. Work is done when the call that starts it returns; only the race clocks record what has been
// waited for.
using namespace pallasgen::emulator;

namespace {

using Clock = std::chrono::steady_clock;

/// Orders the host after the stream's work.
cudaError_t waited(cudaStream_t stream) {
  return host_call([&] {
    const HostCall call;
    stream_of(stream).host_waits();
    return cudaSuccess;
  });
}

}  // namespace

struct CUevent_st {
  Clock::time_point at;
  bool recorded = false;
  std::unique_ptr<race::Sync> work = std::make_unique<race::Sync>();  // the work before its last record
};

extern "C" {

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  if (stream == nullptr) return set_last_error(cudaErrorInvalidValue);
  return host_call([&] {
    *stream = create_stream(/*blocking=*/(flags & cudaStreamNonBlocking) == 0);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithFlags(stream, cudaStreamDefault); }

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
  return cudaStreamCreateWithFlags(stream, flags);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = 0;
  return cudaSuccess;
}

// Does not wait: the work goes on.
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return stream == nullptr ? set_last_error(cudaErrorInvalidResourceHandle) : cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return waited(stream); }
cudaError_t cudaStreamQuery(cudaStream_t stream) { return waited(stream); }
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  if (event == nullptr) return set_last_error(cudaErrorInvalidResourceHandle);
  return host_call([&] {
    const HostCall call;
    stream_of(stream).wait(*event->work);
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceSynchronize() {
  return host_call([] {
    const HostCall call;
    host_waits_for_streams();
    return cudaSuccess;
  });
}

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

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (event == nullptr) return set_last_error(cudaErrorInvalidResourceHandle);
  event->at = Clock::now();
  event->recorded = true;
  return host_call([&] {
    const HostCall call;
    event->work = std::make_unique<race::Sync>();
    stream_of(stream).record(*event->work);
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
  return cudaEventRecord(event, stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (event == nullptr) return set_last_error(cudaErrorInvalidResourceHandle);
  return host_call([&] {
    const HostCall call;
    race::host_waits_for(*event->work);
    return cudaSuccess;
  });
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
