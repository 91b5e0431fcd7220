#pragma once
#include <runner/runner.h>

#include <string>

// Measures one generated launcher on a GPU. `bench/gpu/main.py` puts time_job in the place of run_job in a driver.
namespace pallasgen {

// Reads a file of bench/gpu/package.py's `times` from `argv[1]` and prints a line `time NAME ...`. Arrays lie in as
// many copies as the L2 cache has no room for; launches are those of a CUDA graph. Returns the exit code.
int time_job(int argc, char** argv, cudaError_t (*launch)(const RunnerCall& call), const char* (*last_error)(),
             size_t (*workspace_bytes)(const RunnerCall& call), const char* (*status)(const void* workspace),
             WriteAhead write_ahead);

// Fills an array in device memory with numbers between -1 and 1 (of i8, between -127 and 127) that repeat after 2^32
// elements. `dtype`: a name of the language; the process ends on one that no timed kernel reads.
void fill_with_noise(void* array, size_t bytes, const std::string& dtype, uint32_t seed);

}  // namespace pallasgen
