#include <pallasgen/ffi.h>

#include <algorithm>
#include <cstdlib>

// The functions of each of the two builds that return why the last failing launcher of this thread failed.
extern "C" {
#ifdef PALLASGEN_FFI_CUDA
const char* pallasgen_last_error();
#endif
#ifdef PALLASGEN_FFI_CPU
const char* pallasgen_last_error_cpu();
const char* pallasgen_last_report_cpu();  // the emulator's; may be longer than an error's text
#endif
}

namespace pallasgen::ffi {

namespace {

constexpr size_t kWorkspaceAlignment = 256;  // alignment that launchers need; frameworks align to 64 or 128

#if defined(PALLASGEN_FFI_CUDA) && defined(PALLASGEN_FFI_CPU)
constexpr const char* kDevices = "cuda or cpu";
#elif defined(PALLASGEN_FFI_CPU)
constexpr const char* kDevices = "cpu (this library was built for the CPU alone)";
#else
constexpr const char* kDevices = "cuda (this library was built for CUDA alone)";
#endif

// "bfloat16", "float8_e4m3fn"
std::string name_of(DLDataType type) {
  switch (type.code) {
    case kDLBool:
      return "bool";
    case kDLFloat8_e4m3fn:
      return "float8_e4m3fn";
    case kDLFloat8_e5m2:
      return "float8_e5m2";
    case kDLFloat8_e8m0fnu:
      return "float8_e8m0fnu";
    default:
      break;
  }
  const char* const kinds[] = {"int", "uint", "float", "handle", "bfloat", "complex"};
  const std::string bits = std::to_string(type.bits);
  return type.code < std::size(kinds)
             ? kinds[type.code] + bits
             : "a dtype of DLPack's code " + std::to_string(type.code) + " and " + bits + " bits";
}

std::string name_of(DLDevice device) {
  if (device.device_type == kDLCPU) return "cpu";
  const std::string kind =
      device.device_type == kDLCUDA ? "cuda" : "a device of DLPack's type " + std::to_string(device.device_type);
  return kind + ":" + std::to_string(device.device_id);
}

// "(3, 768)"
std::string listed(const int64_t* values, int64_t count) {
  std::string list = "(";
  for (int64_t i = 0; i < count; ++i) list += (i == 0 ? "" : ", ") + std::to_string(values[i]);
  return list + (count == 1 ? ",)" : ")");
}

// "(M, 768) = (3, 768)"
std::string listed(Extents extents) {
  std::string names, values;
  for (const Extent& extent : extents) {
    const char* comma = names.empty() ? "" : ", ";
    names += comma + std::string(extent.name);
    values += comma + std::to_string(extent.value);
  }
  return names == values ? "(" + values + ")" : "(" + names + ") = (" + values + ")";
}

std::string of(const char* name) { return std::string(name) + ": "; }

}  // namespace

Call::Call(const char* kernel, TensorView first) : kernel_(kernel), device_(first.device()) {
#ifdef PALLASGEN_FFI_CPU
  if (on_cpu()) return;
#endif
#ifdef PALLASGEN_FFI_CUDA
  if (device_.device_type == kDLCUDA) {
    int current = 0;
    require_cuda(cudaGetDevice(&current));
    if (current == device_.device_id) return;
    require_cuda(cudaSetDevice(device_.device_id));
    device_before_ = current;
    return;
  }
#endif
  refuse("TypeError", std::string("expected tensors on ") + kDevices + ", got one on " + name_of(device_));
}

Call::~Call() {
#ifdef PALLASGEN_FFI_CUDA
  if (device_before_ >= 0) cudaSetDevice(device_before_);
#endif
}

void* Call::memory(const char* name, TensorView tensor, DLDataType expected, Extents extents, Extents strides,
                   int alignment) const {
  const DLDataType dtype = tensor.dtype();
  if (dtype.code != expected.code || dtype.bits != expected.bits || dtype.lanes != 1)
    refuse("TypeError", of(name) + "expected dtype " + name_of(expected) + ", got " + name_of(dtype));
  const DLDevice device = tensor.device();
  if (device.device_type != device_.device_type || device.device_id != device_.device_id)
    refuse("ValueError", of(name) + "expected a tensor on " + name_of(device_) +
                             ", where the first one is, got one on " + name_of(device));
  const int rank = static_cast<int>(extents.size());
  if (tensor.ndim() != rank) refuse_rank(name, tensor, rank);
  bool empty = false;
  for (int d = 0; d < rank; ++d) {
    const int64_t extent = extents.begin()[d].value;
    if (tensor.shape()[d] != extent) refuse_shape(name, tensor, extents);
    empty = empty || extent == 0;
  }
  if (empty) return nullptr;  // frameworks pass any pointer
  int64_t dense = 1;
  for (int d = rank - 1; d >= 0; --d) {
    const int64_t stride = strides.size() == 0 ? dense : strides.begin()[d].value;
    if (tensor.shape()[d] != 1 && tensor.strides()[d] != stride) refuse_strides(name, tensor, strides);
    dense *= tensor.shape()[d];
  }
  char* data = static_cast<char*>(tensor.data_ptr()) + tensor.byte_offset();
  const uintptr_t behind = reinterpret_cast<uintptr_t>(data) % static_cast<uintptr_t>(alignment);
  if (behind != 0)
    refuse("ValueError", of(name) + "expected memory at a multiple of " + std::to_string(alignment) +
                             " bytes, got it " + std::to_string(behind) + " bytes behind one: a slice? clone it");
  return data;
}

void* Call::workspace(TensorView tensor, size_t bytes) const {
  void* start = array<uint8_t>("workspace", tensor, {{"bytes", tensor.numel()}}, 1);
  if (tensor.numel() < workspace_tensor_bytes(bytes))
    refuse("ValueError", "workspace: expected " + std::to_string(workspace_tensor_bytes(bytes)) +
                             " bytes or more, got " + std::to_string(tensor.numel()));
  const uintptr_t address = reinterpret_cast<uintptr_t>(start) + kWorkspaceAlignment - 1;
  return reinterpret_cast<void*>(address / kWorkspaceAlignment * kWorkspaceAlignment);
}

std::string Call::status(const char* (*status_of)(const void*), const void* workspace) const {
#ifdef PALLASGEN_FFI_CUDA
  if (!on_cpu()) require_cuda(cudaStreamSynchronize(stream()));
#endif
  return status_of(workspace);
}

void Call::require_no_fault(const char* (*status_of)(const void*), const void* workspace) const {
#ifdef PALLASGEN_FFI_CUDA
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  if (!on_cpu()) require_cuda(cudaStreamIsCapturing(stream(), &capture));
  if (capture != cudaStreamCaptureStatusNone)
    refuse("RuntimeError", "a stream that is captured cannot wait for run-time checks: give a workspace");
#endif
  const std::string fault = status(status_of, workspace);
  if (!fault.empty()) refuse("RuntimeError", without_kernel(fault));
}

void Call::refuse(const char* kind, const std::string& text) const {
  throw tvm::ffi::Error(kind, std::string(kernel_) + ": " + text, "");
}

void Call::refuse_rank(const char* array, TensorView tensor, int rank) const {
  refuse("ValueError", of(array) + "expected " + std::to_string(rank) + (rank == 1 ? " dimension" : " dimensions") +
                           ", got shape " + listed(tensor.shape().data(), tensor.ndim()));
}

void Call::refuse_integer(const char* name, int64_t value, bool is_signed, int bits) const {
  refuse("ValueError", of(name) + "expected " + (is_signed ? "an int" : "a uint") + std::to_string(bits) + ", got " +
                           std::to_string(value));
}

void Call::refuse_factor(const char* name, int64_t value, int64_t factor) const {
  refuse("ValueError",
         std::string(name) + " must be a multiple of " + std::to_string(factor) + ", got " + std::to_string(value));
}

void Call::refuse_shape(const char* name, TensorView tensor, Extents extents) const {
  refuse("ValueError",
         of(name) + "expected shape " + listed(extents) + ", got " + listed(tensor.shape().data(), tensor.ndim()));
}

void Call::refuse_strides(const char* name, TensorView tensor, Extents strides) const {
  const std::string wanted = strides.size() == 0 ? "a contiguous row-major tensor" : "strides " + listed(strides);
  refuse("ValueError", of(name) + "expected " + wanted + ", got strides " +
                           listed(tensor.strides().data(), tensor.ndim()) + " for shape " +
                           listed(tensor.shape().data(), tensor.ndim()));
}

void Call::refuse_shared(const char* result, const char* other) const {
  refuse("ValueError", of(result) + "expected memory of its own, got memory that " + other + " has too");
}

void Call::refuse_copy(const char* name) const {
  refuse("ValueError", of(name) + "is written in place: expected the same memory as a result, got other memory");
}

void Call::refuse_launch(cudaError_t error) const {
#if defined(PALLASGEN_FFI_CUDA) && defined(PALLASGEN_FFI_CPU)
  const char* text = on_cpu() ? pallasgen_last_error_cpu() : pallasgen_last_error();
#else
  const char* text = PALLASGEN_ON_HOST(pallasgen_last_error)();
#endif
#ifdef PALLASGEN_FFI_CPU
  // If the launch failed and was not refused before, the text has the report's beginning.
  constexpr size_t kBeginning = 40;
  const std::string report = on_cpu() ? pallasgen_last_report_cpu() : "";
  if (!report.empty() && std::string(text).find(report.substr(0, kBeginning)) != std::string::npos)
    text = report.c_str();
#endif
  refuse(error == cudaErrorInvalidValue ? "ValueError" : "RuntimeError", without_kernel(text));
}

void Call::require_cuda(cudaError_t error) const {
#ifdef PALLASGEN_FFI_CUDA
  if (error != cudaSuccess) refuse("RuntimeError", cudaGetErrorString(error));
#else
  static_cast<void>(error);
#endif
}

// Messages of launchers begin with the kernel's name.
std::string Call::without_kernel(const std::string& text) const {
  const std::string start = std::string(kernel_) + ": ";
  return text.starts_with(start) ? text.substr(start.size()) : text;
}

int64_t workspace_tensor_bytes(size_t bytes) { return static_cast<int64_t>(bytes + kWorkspaceAlignment - 1); }

OwnWorkspace::OwnWorkspace(const Call& call, size_t bytes) : call_(call) {
  const size_t whole =
      (std::max<size_t>(bytes, 1) + kWorkspaceAlignment - 1) / kWorkspaceAlignment * kWorkspaceAlignment;
  if (call.on_cpu()) {
    data_ = std::aligned_alloc(kWorkspaceAlignment, whole);
    if (data_ == nullptr)
      call.refuse("MemoryError", "no memory for a workspace of " + std::to_string(bytes) + " bytes");
  }
#ifdef PALLASGEN_FFI_CUDA
  if (!call.on_cpu()) call.require_cuda(cudaMallocAsync(&data_, whole, call.stream()));
#endif
}

OwnWorkspace::~OwnWorkspace() {
  if (call_.on_cpu()) std::free(data_);
#ifdef PALLASGEN_FFI_CUDA
  if (!call_.on_cpu()) cudaFreeAsync(data_, call_.stream());
#endif
}

}  // namespace pallasgen::ffi
