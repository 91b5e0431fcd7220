// Runs generated/matmul/matmul_gelu.cu on the CPU against a plain reference: matmul_gelu_run M N K [SECONDS]. Exits 1
// if an element differs, or if the launch takes more than SECONDS of CPU time.
#include <matmul/matmul_gelu.h>
#include <pallasgen/error.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

namespace {

using Bf16 = __nv_bfloat16;

Bf16* upload(const std::vector<Bf16>& values) {
  Bf16* p = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&p), values.size() * sizeof(Bf16));
  cudaMemcpy(p, values.data(), values.size() * sizeof(Bf16), cudaMemcpyHostToDevice);
  return p;
}

std::vector<Bf16> numbers(size_t count, unsigned seed) {
  std::vector<Bf16> values(count);
  for (Bf16& x : values) {
    seed = seed * 1664525 + 1013904223;
    x = __float2bfloat16_rn(static_cast<float>(static_cast<int>(seed >> 16) % 17) / 8.0f - 1.0f);
  }
  return values;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const int M = std::atoi(argv[1]), N = std::atoi(argv[2]), K = std::atoi(argv[3]);
  const auto count = [](int rows, int columns) { return static_cast<size_t>(rows) * static_cast<size_t>(columns); };
  const std::vector<Bf16> a = numbers(count(M, K), 1), b = numbers(count(N, K), 2);
  std::vector<Bf16> c(count(M, N));
  Bf16 *const da = upload(a), *const db = upload(b), *const dc = upload(c);
  const std::clock_t start = std::clock();
  if (matmul_gelu(da, db, dc, M, N, K, nullptr) != cudaSuccess) {
    std::printf("launch failed: %s\n", pallasgen::last_error());
    return 1;
  }
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  cudaMemcpy(c.data(), dc, c.size() * sizeof(Bf16), cudaMemcpyDeviceToHost);
  long wrong = 0;
  for (int m = 0; m < M; ++m)
    for (int n = 0; n < N; ++n) {
      double sum = 0;  // exact: the values are eighths
      for (int k = 0; k < K; ++k)
        sum += static_cast<double>(__bfloat162float(a[count(m, K) + static_cast<size_t>(k)])) *
               __bfloat162float(b[count(n, K) + static_cast<size_t>(k)]);
      const double wanted = 0.5 * sum * (1 + std::erf(sum * std::sqrt(0.5)));
      const double got = __bfloat162float(c[count(m, N) + static_cast<size_t>(n)]);
      // One rounding to bf16, and the error of 1 + erf(x) in f32 where it cancels.
      wrong += !(std::fabs(got - wanted) <= std::fabs(wanted) * 0x1p-8 + std::fabs(sum) * 0x1p-23);
    }
  std::printf("%d x %d x %d: %ld wrong, %.3f s of CPU time\n", M, N, K, wrong, seconds);
  return wrong != 0 || (argc > 4 && seconds > std::atof(argv[4]));
}
