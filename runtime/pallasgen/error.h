#pragma once
#ifdef __cplusplus
extern "C" {
#endif
// Returns why the last failing launcher of this thread failed; empty before the first failure. Valid until the next
// one.
const char* pallasgen_last_error(void);
#ifdef __cplusplus
}

#include <cuda_runtime.h>
#include <stdarg.h>
#include <stdio.h>

#include <cstdint>

namespace pallasgen {

inline constexpr int kErrorLength = 512;

// Returns the text that last_error() returns, one per thread.
inline char* error_text() {
  static thread_local char text[kErrorLength] = "";
  return text;
}

inline const char* last_error() { return error_text(); }

// Sets last_error() as printf does and returns `error`.
#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
inline cudaError_t
fail(cudaError_t error, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error_text(), kErrorLength, format, arguments);
  va_end(arguments);
  return error;
}

// True if every value fits an int.
template <class... T>
constexpr bool fits_int32(T... values) {
  return ((values <= INT32_MAX && values >= INT32_MIN) && ...);
}

// True if the product of the factors, zeros left out, is below 2^53: arrays are far smaller, and sums of such products
// are exact in 64 bits.
template <class... T>
constexpr bool product_fits(T... factors) {
  int64_t all = 1;
  bool fits = true;
  ((fits = fits && (factors == 0 || !__builtin_mul_overflow(all, factors, &all)) && all < INT64_C(1) << 53 &&
           all > -(INT64_C(1) << 53)),
   ...);
  return fits;
}

// True if the pointer is a multiple of `bytes`.
inline bool is_aligned(const void* pointer, int bytes) { return reinterpret_cast<uintptr_t>(pointer) % bytes == 0; }

// True if the pointer can be that of an array of these extents: a multiple of `bytes`, and null only for an empty one.
template <int R>
bool is_array(const void* pointer, int bytes, const int64_t (&extents)[R]) {
  bool empty = false;
  for (const int64_t extent : extents) empty = empty || extent == 0;
  return (pointer != nullptr || empty) && is_aligned(pointer, bytes);
}

// The same for an array of one element.
inline bool is_array(const void* pointer, int bytes) { return pointer != nullptr && is_aligned(pointer, bytes); }

// True if these counts of tiles along each axis, none negative, are a legal number of CTAs.
template <class... T>
constexpr bool fits_grid(T... counts) {
  int64_t all = 1;
  bool fits = true;
  ((fits = fits && (counts == 0 || all <= INT32_MAX / counts), all = fits ? all * counts : 0), ...);
  return fits;
}

}  // namespace pallasgen

// Part of every file with a launcher, whether that file calls it or not.
extern "C" [[gnu::used]] inline const char* pallasgen_last_error() { return pallasgen::last_error(); }

// In a launcher: unless `condition` holds, returns cudaErrorInvalidValue, with `message` as last_error().
#define PALLASGEN_REQUIRE(condition, message)                                                                   \
  do {                                                                                                          \
    if (!(condition)) return ::pallasgen::fail(cudaErrorInvalidValue, "%s", static_cast<const char*>(message)); \
  } while (0)

#endif
