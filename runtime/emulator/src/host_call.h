#pragma once
#include <driver_types.h>
#include <pallasgen/emulator/exit_codes.h>

#include <exception>
#include <mutex>
#include <string>

// Calls by the host: one host thread at a time is in the emulator, for a launch from its start to its end. If errors
// are returned (emulator.h, return_errors), a fault in a call becomes its result.
namespace pallasgen::emulator {

bool returns_errors();

/// Thrown instead of ending the process if errors are returned; last_report() then has the report.
struct Failure : std::exception {
  explicit Failure(cudaError_t error) : error(error) {}
  const char* what() const noexcept override;
  cudaError_t error;
};

/// Keeps the report for last_report(); returns the error that represents it.
cudaError_t keep_report(ExitCode code, const std::string& report);

/// The error that represents the report of this host thread's last call; cudaSuccess if it has none.
cudaError_t reported_error();

/// Stores the error of a call that returns no cudaError_t: the next call of this host thread returns it.
void put_off(cudaError_t error);

/// The lock of a call. Recursive, as calls are made of others.
class Turn {
 public:
  /// Discards the report of the previous call.
  Turn();
  /// Returns the error of an earlier call that was put off, once.
  static cudaError_t put_off_before();

 private:
  std::lock_guard<std::recursive_mutex> lock_;
};

/// Makes a call under the lock; a failure becomes its result.
template <class Function>
cudaError_t host_call(Function&& function) {
  const Turn turn;
  try {
    if (const cudaError_t earlier = Turn::put_off_before(); earlier != cudaSuccess) return earlier;
    return function();
  } catch (const Failure& failure) {
    return failure.error;
  }
}

/// The same for a call that returns nothing.
template <class Function>
void host_call_without_result(Function&& function) {
  const Turn turn;
  try {
    function();
  } catch (const Failure& failure) {
    put_off(failure.error);
  }
}

}  // namespace pallasgen::emulator
