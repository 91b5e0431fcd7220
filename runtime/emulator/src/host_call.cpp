#include "host_call.h"

#include <pallasgen/emulator/emulator.h>

#include <atomic>
#include <utility>

namespace pallasgen::emulator {
namespace {

std::atomic<bool> returned{false};

/// The last results of one host thread.
struct Last {
  cudaError_t error = cudaSuccess;    // represents the report of the last call, if it has one
  cudaError_t put_off = cudaSuccess;  // for the next call
  std::string report;
};
Last& last() {
  static thread_local Last last;
  return last;
}

std::recursive_mutex& turns() {
  static auto& mutex = *new std::recursive_mutex;  // never destroyed: other threads may go on while the process ends
  return mutex;
}

cudaError_t error_of(ExitCode code) {
  switch (code) {
    case kExitDeadlock:
    case kExitNoProgress:
      return cudaErrorLaunchTimeout;
    case kExitNotModelled:
      return cudaErrorNotSupported;
    case kExitCrash:
      return cudaErrorIllegalAddress;
    case kExitBadOptions:
      return cudaErrorInvalidConfiguration;
    default:
      return cudaErrorLaunchFailure;
  }
}

}  // namespace

void return_errors(bool returns) { returned = returns; }
bool returns_errors() { return returned; }

const char* last_report() { return last().report.c_str(); }
const char* Failure::what() const noexcept { return last_report(); }

cudaError_t keep_report(ExitCode code, const std::string& report) {
  last().report = report;
  return last().error = error_of(code);
}
cudaError_t reported_error() { return last().error; }

void put_off(cudaError_t error) { last().put_off = error; }

Turn::Turn() : lock_(turns()) {
  last().error = last().put_off;
  if (last().error == cudaSuccess) last().report.clear();
}

cudaError_t Turn::put_off_before() { return std::exchange(last().put_off, cudaSuccess); }

}  // namespace pallasgen::emulator
