#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace pallasgen::emulator {

/// Allocates global memory: aligned to 256 bytes, filled with 0xff (NaN), between red zones. From 1 GiB on it is filled
/// with 0 and uses memory of the machine only where it is written. Returns null if there is none.
void* allocate_global(size_t bytes);

/// Returns false if `p` is not the start of an allocation. Fails if a red zone was written.
bool free_global(void* p);

/// Makes the bytes at `p` an array of their own until `remove_parts`, with a red zone of `behind` bytes after it.
void add_part(void* p, size_t bytes, size_t behind);
/// Removes all parts that begin in these bytes. Fails if a red zone was written.
void remove_parts(void* p, size_t bytes);

/// Describes the red zone that has been written; empty if none.
std::string damaged_red_zone();

/// Fails, naming `what`, if `p` lies in an allocation, or next to one, that `bytes` bytes there leave.
void check_global(const void* p, size_t bytes, const char* what);

/// Fails, naming `what`, if `p` lies in an array that ends less than `bytes` bytes after it. Fast for pointers that
/// were checked before.
void check_global_reach(const void* p, uint64_t bytes, const char* what);

/// "byte 128 of an array of 65536 bytes in global memory", or an empty string.
std::string describe_global(const void* p);

}  // namespace pallasgen::emulator
