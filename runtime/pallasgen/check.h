#pragma once
#include <pallasgen/error.h>

#include <cstring>
#include <initializer_list>

// Results of run-time checks, for the host.
namespace pallasgen {

// Describes the fault, with its grid point, that a finished launch recorded at the start of its workspace; empty if
// there is none. `faults` are the texts by number from 1, `axes` the names of the grid's axes. Valid until the next
// failure of this thread (the text is last_error() too).
template <int N>
const char* check_status(const void* workspace, const char* const (&faults)[N],
                         std::initializer_list<const char*> axes) {
  constexpr int kMostAxes = 15;
  uint32_t words[1 + kMostAxes] = {};
  const size_t bytes = (1 + axes.size()) * sizeof(uint32_t);
  if (axes.size() > kMostAxes) return "";
  if (const cudaError_t error = cudaMemcpy(words, workspace, bytes, cudaMemcpyDeviceToHost)) {
    fail(error, "the status cannot be read: %s", cudaGetErrorString(error));
    return last_error();
  }
  if (words[0] == 0 || words[0] > N) return "";
  fail(cudaErrorAssert, "%s", faults[words[0] - 1]);
  size_t length = std::strlen(error_text());
  const uint32_t* at = words + 1;
  for (const char* axis : axes) {
    const int written = snprintf(error_text() + length, kErrorLength - length, "%s%s = %d",
                                 at == words + 1 ? ", at " : ", ", axis, static_cast<int>(*at));
    length += written < 0 ? 0 : static_cast<size_t>(written);
    if (length >= kErrorLength) break;
    ++at;
  }
  return last_error();
}

}  // namespace pallasgen
