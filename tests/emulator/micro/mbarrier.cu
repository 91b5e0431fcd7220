// mbarriers: counts, parity, phases, bytes that come before they are expected, bulk copies that complete on them.
#include "micro.h"

using namespace pallasgen;

namespace {

struct alignas(1024) Smem {
  unsigned char data[4096];
  Barrier a, b;
};

__global__ void phase_kernel(int* out) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  const uint32_t a = smem.a.address();
  if (threadIdx.x == 0) {
    smem.a.init(3, "a");
    smem.b.init(32, "b");
    fence_barrier_init();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    int n = 0;
    out[n++] = ptx::mbarrier_test_wait_parity(a, 1);  // a fresh barrier: the phase before counts as complete
    out[n++] = ptx::mbarrier_test_wait_parity(a, 0);
    smem.a.arrive();
    smem.a.arrive();
    out[n++] = ptx::mbarrier_test_wait_parity(a, 0);
    smem.a.arrive();
    out[n++] = ptx::mbarrier_test_wait_parity(a, 0);
    out[n++] = ptx::mbarrier_test_wait_parity(a, 1);
    smem.a.arrive();
    smem.a.arrive();
    smem.a.arrive();
    out[n++] = ptx::mbarrier_test_wait_parity(a, 1);
    out[n++] = ptx::mbarrier_test_wait_parity(a, 0);
  }
  // All lanes arrive and wait, twice: who waits sees what the others wrote.
  for (int lap = 0; lap < 2; ++lap) {
    smem.data[128 * lap + threadIdx.x] = static_cast<unsigned char>(threadIdx.x + lap);
    smem.b.arrive();
    smem.b.wait(static_cast<uint32_t>(lap));
    out[16 + 32 * lap + threadIdx.x] = smem.data[128 * lap + (threadIdx.x + 1) % 32];
  }
}

// Three bulk copies into one phase: bytes expected before, between and with the arrival.
__global__ void bytes_kernel(const unsigned char* source, unsigned char* out) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  const uint32_t a = smem.a.address();
  if (threadIdx.x == 0) {
    smem.a.init(1);
    fence_barrier_init();
    ptx::bulk_load(ptx::shared_address(smem.data), source, 1024, a);
    ptx::mbarrier_expect_tx(a, 1024);
    ptx::mbarrier_expect_tx(a, 512);
    ptx::bulk_load(ptx::shared_address(smem.data + 1024), source + 1024, 512, a);
    smem.a.arrive_expect_tx(16);
    ptx::bulk_load(ptx::shared_address(smem.data + 1536), source + 2048, 16, a);
  }
  __syncthreads();
  smem.a.wait(0);
  for (int i = threadIdx.x; i < 1552; i += 32) out[i] = smem.data[i];
}

// Shared to global in groups, the buffer reused once the copy has read it.
__global__ void bulk_store_kernel(unsigned char* out) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  for (int block = 0; block < 6; ++block) {
    unsigned char* buffer = smem.data + block % 2 * 512;
    if (threadIdx.x == 0) ptx::bulk_wait_group_read<1>();
    __syncthreads();
    for (int i = threadIdx.x; i < 512; i += 32) buffer[i] = static_cast<unsigned char>(i * 3 + block);
    fence_async_shared();
    __syncthreads();
    if (threadIdx.x == 0) {
      ptx::bulk_store(out + block * 512, ptx::shared_address(buffer), 512);
      ptx::bulk_commit_group();
    }
  }
  if (threadIdx.x == 0) ptx::bulk_wait_group<0>();
}

// cp.async of every size, with fewer source bytes than target bytes.
__global__ void cp_async_kernel(const unsigned char* source, unsigned char* out) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  const int t = threadIdx.x;
  ptx::cp_async<16>(ptx::shared_address(smem.data + 16 * t), source + 16 * t, 16);
  ptx::cp_async_commit_group();
  ptx::cp_async<8>(ptx::shared_address(smem.data + 512 + 8 * t), source + 512 + 8 * t, t % 9);
  ptx::cp_async<4>(ptx::shared_address(smem.data + 768 + 4 * t), source + 768 + 4 * t, t % 5);
  ptx::cp_async_commit_group();
  ptx::cp_async_wait_group<1>();
  __syncthreads();
  for (int i = t; i < 512; i += 32) out[i] = smem.data[i];
  ptx::cp_async_wait_group<0>();
  __syncthreads();
  for (int i = 512 + t; i < 896; i += 32) out[i] = smem.data[i];
}

void test_phases() {
  micro::Array<int> out(size_t{80});
  micro::run(phase_kernel, 1, 32, sizeof(Smem), out.device());
  out.download();
  const int wanted[] = {1, 0, 0, 1, 0, 1, 0};
  for (size_t i = 0; i < 7; ++i) micro::check_equal(out.host[i], wanted[i], "phase test " + std::to_string(i));
  for (int lap = 0; lap < 2; ++lap)
    for (int t = 0; t < 32; ++t)
      micro::check_equal(out.host[static_cast<size_t>(16 + 32 * lap + t)], (t + 1) % 32 + lap, "data behind a barrier");
}

void test_copies() {
  std::vector<unsigned char> bytes(4096);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i * 13 + i / 256);
  const micro::Array<unsigned char> source(bytes);
  micro::Array<unsigned char> out(size_t{1552}), stored(size_t{3072}), small(size_t{896});
  micro::run(bytes_kernel, 1, 32, sizeof(Smem), static_cast<const unsigned char*>(source.device()), out.device());
  out.download();
  for (size_t i = 0; i < 1552; ++i)
    micro::check_equal(int(out.host[i]), int(bytes[i < 1536 ? i : i + 512]), "bulk load " + std::to_string(i));
  micro::run(bulk_store_kernel, 1, 32, sizeof(Smem), stored.device());
  stored.download();
  for (size_t i = 0; i < 3072; ++i)
    micro::check_equal(int(stored.host[i]), int(static_cast<unsigned char>(i % 512 * 3 + i / 512)), "bulk store");
  micro::run(cp_async_kernel, 1, 32, sizeof(Smem), static_cast<const unsigned char*>(source.device()), small.device());
  small.download();
  for (size_t i = 0; i < 896; ++i) {
    const size_t piece = i < 512 ? 16 : i < 768 ? 8 : 4, start = i < 512 ? 0 : i < 768 ? 512 : 768;
    const size_t thread = (i - start) / piece, valid = piece == 16 ? 16 : thread % (piece + 1);
    micro::check_equal(int(small.host[i]), (i - start) % piece < valid ? int(bytes[i]) : 0,
                       "cp.async " + std::to_string(i));
  }
}

}  // namespace

int main() {
  test_phases();
  test_copies();
  return micro::finish();
}
