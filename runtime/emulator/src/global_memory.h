#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace pallasgen::emulator {

/// Allocates global memory: aligned to 256 bytes, filled with 0xff (NaN), between red zones. From 1 GiB on it is filled
/// with 0 and takes memory of the machine only where it is written. Null when there is none.
void* allocate_global(size_t bytes);

/// False when `p` is not the start of an allocation. Fails when a red zone was written.
bool free_global(void* p);

/// From here to `remove_parts`, the bytes at `p` count as an array of their own, with a red zone of `behind` bytes.
void add_part(void* p, size_t bytes, size_t behind);
/// Ends all parts that begin in these bytes. Fails when a red zone was written.
void remove_parts(void* p, size_t bytes);

/// Which red zone has been written, or nothing.
std::string damaged_red_zone();

/// Fails, naming `what`, when `p` lies in an allocation, or next to one, that `bytes` bytes there leave.
void check_global(const void* p, size_t bytes, const char* what);

/// Fails, naming `what`, when `p` lies in an array that ends less than `bytes` bytes behind it. Quick where it is asked
/// for the same pointers again.
void check_global_reach(const void* p, uint64_t bytes, const char* what);

/// "byte 128 of an array of 65536 bytes in global memory", or nothing.
std::string describe_global(const void* p);

}  // namespace pallasgen::emulator
