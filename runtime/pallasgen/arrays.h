#pragma once
#include <pallasgen/error.h>
#include <pallasgen/types.h>

#include <pallasgen/ptx/debug.cuh>

// A launcher's work on its caller's arrays before the kernel starts: it finds strides that overlap, lays out the
// workspace and fills the arrays that need a value first.
namespace pallasgen {

// True if an array with these extents and strides holds each element at a place of its own: along the axes in order of
// their strides, each step is longer than all that the shorter ones reach. Stricter than needed for odd strides.
template <int R>
constexpr bool has_distinct_elements(const int64_t (&extents)[R], const int64_t (&strides)[R]) {
  bool done[R] = {};
  int64_t reach = 0;  // the furthest element of the axes that are done
  for (int i = 0; i < R; ++i) {
    int next = -1;
    for (int d = 0; d < R; ++d) {
      if (extents[d] == 0) return true;
      if (!done[d] && (next < 0 || strides[d] < strides[next])) next = d;
    }
    done[next] = true;
    if (extents[next] == 1) continue;
    if (strides[next] <= reach) return false;
    if (strides[next] > (INT64_MAX - reach) / extents[next]) return false;
    reach += (extents[next] - 1) * strides[next];
  }
  return true;
}

// The parts of a workspace, consecutive, each at a multiple of 256 bytes. With a null base it only counts.
class Workspace {
 public:
  explicit Workspace(void* base = nullptr) : base_(static_cast<unsigned char*>(base)) {}
  ~Workspace() { ptx::workspace_ends(this); }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  // Takes the next part: an array of these extents, in elements.
  template <class T, int R>
  T* take(const int64_t (&extents)[R]) {
    int64_t elements = 1;
    for (const int64_t extent : extents) {
      too_large_ = too_large_ || extent < 0 || (extent > 0 && elements > kMostElements / extent);
      elements = too_large_ ? 0 : elements * extent;
    }
    T* part = base_ == nullptr ? nullptr : reinterpret_cast<T*>(base_ + bytes_);
    const size_t bytes = bytes_of<T>(elements);
    const size_t padded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    ptx::workspace_part(this, bytes, padded - bytes);
    bytes_ += padded;
    return part;
  }
  // Takes a part of one element.
  template <class T>
  T* take() {
    return take<T>({1});
  }

  // The bytes that the parts so far take; SIZE_MAX if one of them has more elements than any memory.
  size_t bytes() const { return too_large_ ? SIZE_MAX : bytes_; }
  // True if a workspace of `bytes` at this base is large enough and aligned.
  bool serves(size_t bytes) const {
    if (too_large_) return false;
    if (bytes_ == 0) return true;
    if (base_ == nullptr || bytes < bytes_ || !is_aligned(base_, kAlignment)) return false;
    ptx::workspace_serves(this, base_);
    return true;
  }

 private:
  // Elements of 4 bits are stored by exchanges of whole words.
  template <class T>
  static size_t bytes_of(int64_t elements) {
    constexpr int kWordElements = 4 * Stored<T>::kElements;
    if constexpr (Stored<T>::kElements > 1) return static_cast<size_t>(ceil_div(elements, kWordElements)) * 4;
    return static_cast<size_t>(elements) * sizeof(T);
  }

  static constexpr int kAlignment = 256;
  static constexpr int64_t kMostElements = INT64_C(1) << 53;
  unsigned char* base_;
  size_t bytes_ = 0;
  bool too_large_ = false;
};

// T, in a parameter from which no template argument is deduced.
template <class T>
struct Same {
  using Type = T;
};

inline constexpr int kFillThreads = 256;

// Element i of an array with strides, in row-major order.
template <int R>
struct ArrayPlaces {
  int64_t extents[R], strides[R];
  __host__ __device__ int64_t operator()(int64_t i) const {
    int64_t place = 0;
    for (int d = R - 1; d >= 0; --d) {
      place += i % extents[d] * strides[d];
      i /= extents[d];
    }
    return place;
  }
};

// An array and the value that its elements get.
template <class T>
struct Filling {
  T* array;
  T value;
  int64_t elements;
};

template <class... T>
__global__ void fill_arrays_kernel(Filling<T>... fillings) {
  const auto one = [](const auto& filling) {
    for (int64_t i = int64_t{blockIdx.x} * kFillThreads + threadIdx.x; i < filling.elements;
         i += int64_t{gridDim.x} * kFillThreads)
      filling.array[i] = filling.value;
  };
  (one(fillings), ...);
}

template <class T, int R>
__global__ void fill_places_kernel(T* array, T value, ArrayPlaces<R> places, int64_t elements) {
  for (int64_t i = int64_t{blockIdx.x} * kFillThreads + threadIdx.x; i < elements;
       i += int64_t{gridDim.x} * kFillThreads)
    array[places(i)] = value;
}

inline int64_t fill_blocks(int64_t elements) {
  const int64_t blocks = ceil_div(elements, kFillThreads);
  return blocks < 4096 ? blocks : 4096;
}

// True if all bytes of the value are the same, as those of 0 are.
template <class T>
bool is_one_byte(T value) {
  const unsigned char* bytes = reinterpret_cast<const unsigned char*>(&value);
  for (size_t i = 1; i < sizeof(T); ++i)
    if (bytes[i] != bytes[0]) return false;
  return true;
}

}  // namespace pallasgen
