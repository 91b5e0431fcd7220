// setmaxnreg: one warpgroup frees registers for two others, which need them for their values.
#include "micro.h"

using namespace pallasgen;

namespace {

constexpr int kThreads = 384, kHeld = 160;

// 384 threads start with 168 registers each, as many as 40 and twice 232.
__global__ __launch_bounds__(kThreads, 1) void share_kernel(const float* in, float* out) {
  if (threadIdx.x < 128) {
    ptx::setmaxnreg_dec<40>();
    out[threadIdx.x] = in[threadIdx.x];
    return;
  }
  ptx::setmaxnreg_inc<232>();
  // More values are alive at once than 168 registers hold.
  float held[kHeld];
#pragma unroll
  for (int i = 0; i < kHeld; ++i) held[i] = in[i] * static_cast<float>(threadIdx.x);
  ptx::barrier_sync<1, 256>();
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kHeld; ++i) sum += held[kHeld - 1 - i];
  out[threadIdx.x] = sum;
}

}  // namespace

int main() {
  std::vector<float> values(kHeld);
  float all = 0;
  for (size_t i = 0; i < kHeld; ++i) all += values[i] = static_cast<float>(i % 5);
  const micro::Array<float> in(values);
  micro::Array<float> out(size_t{kThreads});
  micro::run(share_kernel, 1, kThreads, 0, static_cast<const float*>(in.device()), out.device());
  out.download();
  for (int t = 0; t < kThreads; ++t) {
    const float wanted = t < 128 ? values[static_cast<size_t>(t)] : all * static_cast<float>(t);
    micro::check_equal(out.host[static_cast<size_t>(t)], wanted, "thread " + std::to_string(t));
  }
  return micro::finish();
}
