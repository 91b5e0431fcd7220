// The generated kernel sum_by_ticket, in which the preprocessor changes one word of a memory order: planted_ticket
// NAME. Exits as planted does.
#include <pallasgen/launch.h>

#include <cstdio>
#include <pallasgen/device.cuh>
#include <vector>

#include "bugs.h"
#include "reductions/sum_by_ticket.h"

namespace correct {
#include "reductions/sum_by_ticket.cu"
}
namespace release_dropped {
#define kRelease kRelaxed
#include "reductions/sum_by_ticket.cu"
#undef kRelease
}
namespace acquire_dropped {
#define kAcquire kRelaxed
#include "reductions/sum_by_ticket.cu"
#undef kAcquire
}
namespace scope_of_update {
#define kRelease kRelease, MemoryScope::kCta
#include "reductions/sum_by_ticket.cu"
#undef kRelease
}
namespace scope_of_acquire {
#define kAcquire kAcquire, MemoryScope::kCta
#include "reductions/sum_by_ticket.cu"
#undef kAcquire
}

int main(int argc, char** argv) {
  const Bug bug = bug_named(argc > 1 ? argv[1] : "none");
  constexpr int64_t n = 6000;
  const auto launcher = bug == Bug::kReleaseDropped   ? release_dropped::sum_by_ticket
                        : bug == Bug::kAcquireDropped ? acquire_dropped::sum_by_ticket
                        : bug == Bug::kScopeOfUpdate  ? scope_of_update::sum_by_ticket
                        : bug == Bug::kScopeOfAcquire ? scope_of_acquire::sum_by_ticket
                                                      : correct::sum_by_ticket;
  float *x = nullptr, *total = nullptr, got = 0;
  void* workspace = nullptr;
  const size_t bytes = correct::sum_by_ticket_workspace_bytes(n);
  cudaMalloc(reinterpret_cast<void**>(&x), n * sizeof(float));
  cudaMalloc(reinterpret_cast<void**>(&total), sizeof(float));
  cudaMalloc(&workspace, bytes);
  const std::vector<float> ones(n, 1.0f);
  cudaMemcpy(x, ones.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  if (launcher(x, total, n, workspace, bytes, nullptr) != cudaSuccess) return 2;
  cudaMemcpy(&got, total, sizeof got, cudaMemcpyDeviceToHost);
  std::printf("the sum is %g\n", static_cast<double>(got));
  return got != static_cast<float>(n);
}
