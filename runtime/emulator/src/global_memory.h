#pragma once
#include <cstddef>
#include <string>

namespace pallasgen::emulator {

/// Allocates global memory: aligned to 256 bytes, filled with 0xff (NaN), between red zones. Null when there is none.
void* allocate_global(size_t bytes);

/// False when `p` is not the start of an allocation. Fails when a red zone was written.
bool free_global(void* p);

/// Which red zone has been written, or nothing.
std::string damaged_red_zone();

/// Fails, naming `what`, when `p` lies in an allocation, or next to one, that `bytes` bytes there leave.
void check_global(const void* p, size_t bytes, const char* what);

/// "byte 128 of an array of 65536 bytes in global memory", or nothing.
std::string describe_global(const void* p);

}  // namespace pallasgen::emulator
