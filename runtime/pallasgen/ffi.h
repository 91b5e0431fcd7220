#pragma once
// The library of <kernel>.ffi.cpp files: it makes the arguments of a launcher from the tensors of a framework and
// checks them against the spec. It needs the headers of apache-tvm-ffi, and runtime/ffi/ffi.cpp in the same build.
// Define PALLASGEN_FFI_CUDA, PALLASGEN_FFI_CPU or both, for the launchers that are linked in: those that nvcc has made,
// those of the emulated build, whose names end in `_cpu`, or both.
#include <cuda_runtime_api.h>
#include <pallasgen/types.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>

#if !defined(PALLASGEN_FFI_CUDA) && !defined(PALLASGEN_FFI_CPU)
#error "Define PALLASGEN_FFI_CUDA, PALLASGEN_FFI_CPU or both: for which devices launchers are linked in."
#endif

// The function of this name for the device of a call.
#if defined(PALLASGEN_FFI_CUDA) && defined(PALLASGEN_FFI_CPU)
#define PALLASGEN_ON_DEVICE(call, name) ((call).on_cpu() ? name##_cpu : name)
#elif defined(PALLASGEN_FFI_CPU)
#define PALLASGEN_ON_DEVICE(call, name) (name##_cpu)
#else
#define PALLASGEN_ON_DEVICE(call, name) (name)
#endif

// A function that runs on the host, whatever the device is.
#ifdef PALLASGEN_FFI_CUDA
#define PALLASGEN_ON_HOST(name) name
#else
#define PALLASGEN_ON_HOST(name) name##_cpu
#endif

// Types of cuda_fp8.h, cuda_fp4.h and int4.h, which files of kernels with such arrays include.
struct __nv_fp4x2_e2m1;
struct __nv_fp8_e4m3;
struct __nv_fp8_e5m2;
struct __nv_fp8_e8m0;
namespace pallasgen {
struct i4x2;
struct u4x2;
}  // namespace pallasgen

namespace pallasgen::ffi {

using tvm::ffi::String;
using tvm::ffi::Tensor;
using tvm::ffi::TensorView;
using tvm::ffi::Tuple;

// The dtype of DLPack for the elements of an array; for two elements of 4 bits, that of their byte.
template <class T>
inline constexpr DLDataType kDtype = [] {
  static_assert(sizeof(T) == 0, "no dtype of DLPack is known for these elements");
  return DLDataType{};
}();
template <>
inline constexpr DLDataType kDtype<bool>{kDLBool, 8, 1};
template <>
inline constexpr DLDataType kDtype<uint8_t>{kDLUInt, 8, 1};
template <>
inline constexpr DLDataType kDtype<i4x2>{kDLUInt, 8, 1};
template <>
inline constexpr DLDataType kDtype<u4x2>{kDLUInt, 8, 1};
template <>
inline constexpr DLDataType kDtype<__nv_fp4x2_e2m1>{kDLUInt, 8, 1};
template <>
inline constexpr DLDataType kDtype<int8_t>{kDLInt, 8, 1};
template <>
inline constexpr DLDataType kDtype<int16_t>{kDLInt, 16, 1};
template <>
inline constexpr DLDataType kDtype<uint16_t>{kDLUInt, 16, 1};
template <>
inline constexpr DLDataType kDtype<int32_t>{kDLInt, 32, 1};
template <>
inline constexpr DLDataType kDtype<uint32_t>{kDLUInt, 32, 1};
template <>
inline constexpr DLDataType kDtype<int64_t>{kDLInt, 64, 1};
template <>
inline constexpr DLDataType kDtype<uint64_t>{kDLUInt, 64, 1};
template <>
inline constexpr DLDataType kDtype<__half>{kDLFloat, 16, 1};
template <>
inline constexpr DLDataType kDtype<__nv_bfloat16>{kDLBfloat, 16, 1};
template <>
inline constexpr DLDataType kDtype<float>{kDLFloat, 32, 1};
template <>
inline constexpr DLDataType kDtype<double>{kDLFloat, 64, 1};
template <>
inline constexpr DLDataType kDtype<__nv_fp8_e4m3>{kDLFloat8_e4m3fn, 8, 1};
template <>
inline constexpr DLDataType kDtype<__nv_fp8_e5m2>{kDLFloat8_e5m2, 8, 1};
template <>
inline constexpr DLDataType kDtype<__nv_fp8_e8m0>{kDLFloat8_e8m0fnu, 8, 1};

// An extent or a stride that an array must have, in elements: its text in the spec, and its value.
struct Extent {
  const char* name;
  int64_t value;
};
using Extents = std::initializer_list<Extent>;

// One call of a kernel: its device, its stream, and the start of its messages. While it lives, the current CUDA device
// of the thread is that of the tensors. It refuses by throwing an exception of the framework's language: TypeError for
// dtypes and devices, ValueError for shapes and values, RuntimeError for launches that fail.
class Call {
 public:
  // `first`: the tensor whose device the others must be on.
  Call(const char* kernel, TensorView first);
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  bool on_cpu() const { return device_.device_type == kDLCPU; }
  // The framework's current stream.
  cudaStream_t stream() const {
    return on_cpu() ? nullptr : static_cast<cudaStream_t>(TVMFFIEnvGetStream(device_.device_type, device_.device_id));
  }

  // Extent `axis` of an array with `rank` of them.
  int64_t size(const char* array, TensorView tensor, int rank, int axis) const {
    if (tensor.ndim() != rank) refuse_rank(array, tensor, rank);
    return tensor.shape()[axis];
  }
  // Its stride, in elements. Frameworks may state any stride for an axis with at most one element; `dense` counts then.
  int64_t stride(const char* array, TensorView tensor, int rank, int axis, int64_t dense) const {
    return size(array, tensor, rank, axis) > 1 ? tensor.strides()[axis] : dense;
  }

  // Converts an integer of Python to a scalar of the kernel.
  template <class T>
  T integer(const char* name, int64_t value) const {
    if (!std::in_range<T>(value)) refuse_integer(name, value, std::is_signed_v<T>, 8 * sizeof(T));
    return static_cast<T>(value);
  }

  void multiple_of(const char* name, int64_t value, int64_t factor) const {
    if (value % factor != 0) refuse_factor(name, value, factor);
  }

  // Returns the elements of an array after checking it against the spec: its dtype, device and extents, row-major
  // without gaps or with these strides, at a multiple of `alignment` bytes. Null for an empty one.
  template <class T>
  T* array(const char* name, TensorView tensor, Extents extents, int alignment, Extents strides = {}) const {
    return static_cast<T*>(memory(name, tensor, kDtype<std::remove_const_t<T>>, extents, strides, alignment));
  }

  // Refuses a result that shares memory with another array. Arrays with gaps may interleave, but do not begin as one.
  void apart(const char* result, TensorView a, const char* other, TensorView b) const {
    const char *a0 = begin(a), *b0 = begin(b);
    const int64_t size_a = span(a), size_b = span(b);
    if (size_a == 0 || size_b == 0 || a0 >= b0 + size_b || b0 >= a0 + size_a) return;
    const bool dense = size_a <= bytes(a) && size_b <= bytes(b);
    if (dense || a0 == b0) refuse_shared(result, other);
  }

  // Refuses a result that is not the array which is written in place, for frameworks that pass both.
  void same(const char* name, TensorView array, TensorView result) const {
    if (begin(array) != begin(result)) refuse_copy(name);
  }

  // A new tensor by the allocator of the framework that gave the first tensor.
  template <class T>
  Tensor result(std::initializer_list<int64_t> shape) const {
    return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, tvm::ffi::ShapeView(shape.begin(), shape.size()), kDtype<T>,
                                device_);
  }

  // The start of a workspace of `bytes` in a tensor of the caller's, of workspace_tensor_bytes(bytes) or more.
  void* workspace(TensorView tensor, size_t bytes) const;

  // Throws if the launcher refused its arguments, or the launch failed.
  void returned(cudaError_t error) const {
    if (error != cudaSuccess) refuse_launch(error);
  }

  // Waits for the last launch that had this workspace; returns what its run-time checks found.
  std::string status(const char* (*status_of)(const void*), const void* workspace) const;
  // Throws if they found something.
  void require_no_fault(const char* (*status_of)(const void*), const void* workspace) const;

  [[noreturn, gnu::cold]] void refuse(const char* kind, const std::string& text) const;

 private:
  friend class OwnWorkspace;

  void* memory(const char* name, TensorView tensor, DLDataType dtype, Extents extents, Extents strides,
               int alignment) const;
  [[noreturn, gnu::cold]] void refuse_rank(const char* array, TensorView tensor, int rank) const;
  [[noreturn, gnu::cold]] void refuse_integer(const char* name, int64_t value, bool is_signed, int bits) const;
  [[noreturn, gnu::cold]] void refuse_factor(const char* name, int64_t value, int64_t factor) const;
  [[noreturn, gnu::cold]] void refuse_shape(const char* name, TensorView tensor, Extents extents) const;
  [[noreturn, gnu::cold]] void refuse_strides(const char* name, TensorView tensor, Extents strides) const;
  [[noreturn, gnu::cold]] void refuse_shared(const char* result, const char* other) const;
  [[noreturn, gnu::cold]] void refuse_copy(const char* name) const;
  [[noreturn, gnu::cold]] void refuse_launch(cudaError_t error) const;
  void require_cuda(cudaError_t error) const;
  std::string without_kernel(const std::string& text) const;

  static const char* begin(TensorView t) { return static_cast<const char*>(t.data_ptr()) + t.byte_offset(); }
  // The bytes from the first to the last, inclusive.
  static int64_t span(TensorView t) {
    int64_t last = 0;
    for (int d = 0; d < t.ndim(); ++d) {
      if (t.shape()[d] == 0) return 0;
      last += (t.shape()[d] - 1) * t.strides()[d];
    }
    return ((last + 1) * t.dtype().bits + 7) / 8;
  }
  static int64_t bytes(TensorView t) { return (t.numel() * t.dtype().bits + 7) / 8; }

  const char* kernel_;
  DLDevice device_;
  int device_before_ = -1;  // the CUDA device that was current, if another one
};

// Returns the size of a tensor of bytes that holds a workspace of `bytes` at any address.
int64_t workspace_tensor_bytes(size_t bytes);

// Memory for one launch if the caller gives none; it is freed in the order of the launch's stream.
class OwnWorkspace {
 public:
  OwnWorkspace(const Call& call, size_t bytes);
  ~OwnWorkspace();
  OwnWorkspace(const OwnWorkspace&) = delete;
  OwnWorkspace& operator=(const OwnWorkspace&) = delete;
  void* data() const { return data_; }

 private:
  const Call& call_;
  void* data_ = nullptr;
};

}  // namespace pallasgen::ffi
