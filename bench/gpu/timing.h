#pragma once
#include <runner/runner.h>

#include <string>

// Measures one generated launcher on a GPU. `bench/gpu/main.py` replaces run_job by time_job in a driver.
namespace pallasgen {

// Reads a file of bench/gpu/package.py's `times` from `argv[1]` and prints a line `time NAME ...`. There are more
// copies of the arrays than the L2 cache holds; launches are those of a CUDA graph. Returns the exit code.
int time_job(int argc, char** argv, cudaError_t (*launch)(const RunnerCall& call), const char* (*last_error)(),
             size_t (*workspace_bytes)(const RunnerCall& call), const char* (*status)(const void* workspace),
             WriteAhead write_ahead);

// Fills an array in device memory with numbers between -1 and 1 (for i8, between -127 and 127) that repeat after 2^32
// elements. `dtype`: a name of the language; the process ends on one that no timed kernel reads.
void fill_with_noise(void* array, size_t bytes, const std::string& dtype, uint32_t seed);

}  // namespace pallasgen
