#pragma once
#include <runner/runner.h>

// Measures one generated launcher on a GPU. `bench/gpu/main.py` puts time_job in the place of run_job in a driver.
namespace pallasgen {

// Reads a file of bench/gpu/package.py's `times` from `argv[1]` and prints a line `time NAME ...`. Arrays lie in as
// many copies as the L2 cache has no room for; launches are those of a CUDA graph. Returns the exit code.
int time_job(int argc, char** argv, cudaError_t (*launch)(const RunnerCall& call), const char* (*last_error)(),
             size_t (*workspace_bytes)(const RunnerCall& call) = nullptr,
             const char* (*status)(const void* workspace) = nullptr);

// Fills an array of f32 or bf16 in device memory with numbers between -1 and 1 that repeat after 2^32 elements.
void fill_with_noise(void* array, size_t bytes, bool is_bf16, uint32_t seed);

}  // namespace pallasgen
