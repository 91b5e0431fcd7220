#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <type_traits>
#include <vector>

// Runs one generated launcher on arrays read from files: on a GPU, or on the CPU when it is linked with the emulator.
// `pallasgen test` writes the main() that calls it; see docs/testing.md.
namespace pallasgen {

// An array in device memory; converts to a pointer of the type that the launcher takes.
struct RunnerArray {
  void* data = nullptr;
  template <class T>
  operator T*() const {
    return static_cast<T*>(data);
  }
};

// One scalar by value, in the widest type of its kind; converts to the type that the launcher takes.
struct RunnerScalar {
  double floating = 0;
  int64_t integer = 0;
  template <class T>
  operator T() const {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(integer);
    else
      return T(static_cast<float>(floating));
  }
  operator double() const { return floating; }
};

// The arguments of one call of the launcher, in the order of its parameters.
struct RunnerCall {
  std::vector<RunnerArray> arrays;  // refs and scalar arrays, device memory
  std::vector<int64_t> dims;
  std::vector<RunnerScalar> scalars;
  void* workspace = nullptr;
  size_t workspace_bytes = 0;
  cudaStream_t stream = nullptr;
};

// Copies device memory on the stream by a kernel that a dependent launch need not wait for (runner/write_ahead.cuh).
using WriteAhead = cudaError_t (*)(void* to, const void* from, size_t bytes, cudaStream_t stream);

// Reads the job file `argv[1]`, runs its cases and writes their outputs. A job is lines of words:
//   case NAME
//   in BYTES PATH | out BYTES PATH      arrays in order of the launcher's parameters
//   places BYTES RANK EXTENTS STRIDES   the elements of the previous array, of BYTES bytes each, lie at these strides,
//                                       in elements; its file has them consecutively; its other memory is not accessed
//                                       except 64 bytes on each side of each element, which are guarded
//   back PATH                           file to which the previous array is written after the run
//   twice                               the launcher is called twice in a row
//   first PATH                          it is called twice, with this content of the previous array in the first call;
//                                       outputs are filled anew in between, the workspace keeps its content
//   dim VALUE | integer VALUE | floating VALUE
//   break ARRAY null|shift BYTES        the launcher gets a null pointer, or one that is BYTES too far, for the array
//                                       of this number, from 0, or for `workspace`; `break workspace less`: it gets a
//                                       byte too few
//   expect ERROR                        the launcher must refuse with this cudaError_t
//   end
//   fill BYTE                           initial bytes of output arrays and workspaces of later cases
// Output arrays start filled with bytes 0xcd by default. After each case a line `done NAME` or `failed NAME: reason`
// goes to stdout. With `flanks` the arrays lie between 1,024 guarded bytes, whose change is a failure; those around
// inputs are NaN; with `repeat=N` each case runs N times and fails unless its outputs are those of its first run, bit
// for bit. The launcher gets a stream of its own, which is not in order with the default stream. Inputs hold bytes 0xcd
// until `write_ahead` writes them on that stream, just before the launch, so that work of the kernel on another stream
// comes too early. Returns the exit code. `status` returns the faults that a launcher's run-time checks left in the
// workspace, each of which is a failure; null if it has no checks. `workspace_bytes`: for a launcher that takes a
// workspace, which starts filled as outputs are; null for others.
int run_job(int argc, char** argv, cudaError_t (*launch)(const RunnerCall& call), const char* (*last_error)(),
            size_t (*workspace_bytes)(const RunnerCall& call), const char* (*status)(const void* workspace),
            WriteAhead write_ahead);

}  // namespace pallasgen
