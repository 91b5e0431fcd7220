#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <type_traits>
#include <vector>

// Runs one generated launcher on arrays read from files: on a GPU, or on the CPU when it is linked with the emulator.
// `pallasgen test` writes the main() that calls it; see docs/testing.md.
namespace pallasgen {

// An array in device memory; becomes a pointer of the type that the launcher takes.
struct RunnerArray {
  void* data = nullptr;
  template <class T>
  operator T*() const {
    return static_cast<T*>(data);
  }
};

// One scalar by value, in the widest type of its kind; becomes the type that the launcher takes.
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

// What one call of the launcher gets, in the order of the launcher's parameters.
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
//   places BYTES RANK EXTENTS STRIDES   the elements of the array before, of so many bytes each, lie at these strides,
//   in
//                                       elements; its file has them one after the other, and nothing else is read or
//                                       written of its memory but 64 bytes beside each, which are guarded
//   back PATH                           the array before is written there after the run
//   twice                               the launcher is called twice in a row
//   first PATH                          it is called twice, and the array before holds this in the first call;
//                                       outputs are filled anew between the two, the workspace stays as it is
//   dim VALUE | integer VALUE | floating VALUE
//   break ARRAY null|shift BYTES        the launcher gets a null pointer, or one that is so many bytes too far, for the
//                                       array of this number, from 0, or for `workspace`; `break workspace less`: a
//                                       byte too few
//   expect ERROR                        the launcher must refuse with this cudaError_t
//   end
//   fill BYTE                           what output arrays and workspaces of the cases behind it start filled with
// Output arrays start filled with bytes 0xcd where nothing else is said. After each case a line `done NAME` or `failed
// NAME: reason` goes to stdout. With `flanks` the arrays lie between 1,024 guarded bytes, whose change is a failure;
// beside inputs they are NaN; with `repeat=N` each case runs N times, and one whose outputs are not those of its first
// run, bit for bit, fails. The launcher gets a stream of its own, with which the default stream is not in order. Inputs
// hold bytes 0xcd until `write_ahead` writes them on that stream, just before the launch; what the kernel does on
// another one comes too early. Returns the exit code. `status`: of a launcher with run-time checks, what they found in
// the workspace; a fault is a failure. Null for others. `workspace_bytes`: of a launcher that takes a workspace, which
// starts filled as outputs are; null for others.
int run_job(int argc, char** argv, cudaError_t (*launch)(const RunnerCall& call), const char* (*last_error)(),
            size_t (*workspace_bytes)(const RunnerCall& call), const char* (*status)(const void* workspace),
            WriteAhead write_ahead);

}  // namespace pallasgen
