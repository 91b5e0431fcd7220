// Runs generated/elementwise/add_matrices.cu on the CPU: `add_matrices_run M N [SECONDS]` compares every element with x
// + y and exits 1 if one differs, or if the launch takes more than SECONDS of CPU time; `add_matrices_run limits` asks
// the launcher for arrays past 2^31 elements and extents past 2^31, which it must refuse before it touches memory.
#include <elementwise/add_matrices.h>
#include <pallasgen/error.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

namespace {

float* upload(const std::vector<float>& values) {
  float* p = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&p), values.size() * sizeof(float));
  cudaMemcpy(p, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
  return p;
}

int run(int64_t M, int64_t N, double limit) {
  const size_t count = static_cast<size_t>(M * N);
  std::vector<float> x(count), y(count), z(count);
  for (size_t i = 0; i < count; ++i) x[i] = static_cast<float>(i % 8191), y[i] = static_cast<float>(i % 127) / 4;
  float *const dx = upload(x), *const dy = upload(y), *const dz = upload(z);
  const std::clock_t start = std::clock();
  if (add_matrices(dx, dy, dz, M, N, nullptr) != cudaSuccess) {
    std::printf("launch failed: %s\n", pallasgen::last_error());
    return 1;
  }
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  cudaMemcpy(z.data(), dz, count * sizeof(float), cudaMemcpyDeviceToHost);
  size_t wrong = 0;
  for (size_t i = 0; i < count; ++i) wrong += z[i] != x[i] + y[i];
  std::printf("%lld x %lld: %zu wrong, %.3f s of CPU time\n", static_cast<long long>(M), static_cast<long long>(N),
              wrong, seconds);
  return wrong != 0 || (limit > 0 && seconds > limit);
}

// Checks the launcher's answer for pointers that it must not follow.
bool refuses(int64_t M, int64_t N, cudaError_t error, const std::string& reason) {
  float* const nowhere = reinterpret_cast<float*>(uintptr_t{4096});
  const cudaError_t got = add_matrices(nowhere, nowhere, nowhere, M, N, nullptr);
  const bool fine = got == error && std::strstr(pallasgen::last_error(), reason.c_str()) != nullptr;
  std::printf("%s %lld x %lld: %d, %s\n", fine ? "ok    " : "FAILED", static_cast<long long>(M),
              static_cast<long long>(N), static_cast<int>(got), pallasgen::last_error());
  return fine;
}

int limits() {
  const int64_t two31 = int64_t{1} << 31;
  bool fine = refuses(two31, 4, cudaErrorInvalidValue, "must be below 2^31");
  fine = refuses(4, two31, cudaErrorInvalidValue, "must be below 2^31") && fine;
  fine = refuses(two31 * 4, two31 * 4, cudaErrorInvalidValue, "must be below 2^31") && fine;
  // Legal extents, 2^62 elements in 2^51 blocks.
  fine = refuses(two31 - 16, two31 - 128, cudaErrorInvalidConfiguration, "blocks") && fine;
  fine = refuses(-1, 4, cudaErrorInvalidValue, "negative extent") && fine;
  fine = refuses(two31 - 1, two31 - 2, cudaErrorInvalidValue, "multiple of 4") && fine;
  return fine ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "limits") == 0) return limits();
  if (argc < 3) return 2;
  return run(std::atoll(argv[1]), std::atoll(argv[2]), argc > 3 ? std::atof(argv[3]) : 0);
}
