#pragma once
// Small programs that check one rule of the hardware each. The same files run on a GPU (nvcc) and under the emulator,
// which checks the emulator itself. Each has a main() that ends in micro::finish().
#include <cuda_runtime.h>
#include <pallasgen/launch.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <pallasgen/device.cuh>
#include <pallasgen/ptx/cp_async.cuh>
#include <pallasgen/ptx/sreg.cuh>
#include <string>
#include <vector>

namespace micro {

inline int checks = 0, failures = 0;

// Counts a check; prints the first few failures.
inline void check(bool ok, const std::string& what) {
  ++checks;
  if (ok) return;
  if (++failures <= 20) std::printf("FAILED: %s\n", what.c_str());
}

template <class A, class B>
void check_equal(const A& got, const B& wanted, const std::string& what) {
  check(got == wanted, what + ": got " + std::to_string(got) + ", wanted " + std::to_string(wanted));
}

// Ends main(): returns 1 if a check failed, or if there was none.
inline int finish() {
  std::printf("%d checks, %d failed\n", checks, failures);
  return failures != 0 || checks == 0;
}

inline void require(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::printf("FAILED: %s: %s; %s\n", what, cudaGetErrorString(error), pallasgen::last_error());
  std::exit(1);
}

// An array on the device, with its values on the host.
template <class T>
class Array {
 public:
  explicit Array(std::vector<T> values) : host(std::move(values)) {
    require(cudaMalloc(reinterpret_cast<void**>(&device_), bytes()), "cudaMalloc");
    upload();
  }
  explicit Array(size_t size) : Array(std::vector<T>(size)) {}
  ~Array() { cudaFree(device_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  T* device() const { return device_; }
  void upload() { require(cudaMemcpy(device_, host.data(), bytes(), cudaMemcpyHostToDevice), "copy to the device"); }
  // Returns the values on the device, once everything launched has ended.
  const std::vector<T>& download() {
    require(cudaDeviceSynchronize(), "kernel");
    require(cudaMemcpy(host.data(), device_, bytes(), cudaMemcpyDeviceToHost), "copy to the host");
    return host;
  }

  std::vector<T> host;

 private:
  size_t bytes() const { return host.size() * sizeof(T); }
  T* device_ = nullptr;
};

template <class... P, class... A>
void run(void (*kernel)(P...), pallasgen::Grid grid, int threads, size_t shared_bytes, const A&... arguments) {
  require(pallasgen::launch(kernel, grid, threads, shared_bytes, nullptr, arguments...), "launch");
}

}  // namespace micro
