// mbarriers: counts, parity, phases, invalidation, bytes that arrive before they are expected and the most that a phase
// can count, bulk copies that complete on them; groups of bulk copies; the fence between proxies in global memory.
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
    out[n++] = ptx::mbarrier_test_wait_parity(a, 1);  // a fresh barrier: the previous phase counts as complete
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
  // All lanes arrive and wait, twice: after the wait they see the others' writes.
  for (int lap = 0; lap < 2; ++lap) {
    smem.data[128 * lap + threadIdx.x] = static_cast<unsigned char>(threadIdx.x + lap);
    smem.b.arrive();
    smem.b.wait(static_cast<uint32_t>(lap));
    out[16 + 32 * lap + threadIdx.x] = smem.data[128 * lap + (threadIdx.x + 1) % 32];
  }
}

// The memory of a barrier holds data once it is invalidated, and another barrier after that.
__global__ void invalidate_kernel(uint64_t* out) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  if (threadIdx.x != 0) return;
  const uint32_t a = smem.a.address();
  ptx::mbarrier_init(a, 2);
  ptx::mbarrier_arrive(a);
  ptx::mbarrier_invalidate(a);
  volatile uint64_t* word = reinterpret_cast<volatile uint64_t*>(&smem.a);
  *word = 0x0123456789abcdefull;
  out[0] = *word;
  ptx::mbarrier_init(a, 1);
  out[1] = ptx::mbarrier_test_wait_parity(a, 0);
  ptx::mbarrier_arrive(a);
  out[2] = ptx::mbarrier_test_wait_parity(a, 0);
  ptx::mbarrier_invalidate(a);
}

// 2^20 - 16 bytes are the most whole 16 bytes that one phase counts; here by 256 copies of the same bytes to the same
// place, a race without visible effect.
__global__ void many_bytes_kernel(const unsigned char* source, unsigned char* out) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  constexpr uint32_t kCopies = 256, kAll = (1u << 20) - 16;
  if (threadIdx.x == 0) {
    smem.a.init(1);
    fence_barrier_init();
    smem.a.arrive_expect_tx(kAll);
    for (uint32_t i = 0; i < kCopies; ++i)
      ptx::bulk_load(ptx::shared_address(smem.data), source, i == 0 ? 4080 : 4096, smem.a.address());
  }
  __syncthreads();
  smem.a.wait(0);
  for (int i = threadIdx.x; i < 4096; i += 32) out[i] = smem.data[i];
}

// A copy reads global memory that threads of its kernel wrote: tests all three fences between the proxies.
__global__ void written_here_kernel(unsigned char* between, unsigned char* out) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  if (threadIdx.x == 0) {
    smem.a.init(1);
    fence_barrier_init();
  }
  for (uint32_t lap = 0; lap < 2; ++lap) {
    unsigned char* part = between + 512 * lap;
    for (int i = threadIdx.x; i < 512; i += 32) part[i] = static_cast<unsigned char>(5 * i + lap);
    lap == 0 ? ptx::fence_proxy_async_global() : ptx::fence_proxy_async();
    __syncthreads();
    if (threadIdx.x == 0) {
      smem.a.arrive_expect_tx(512);
      ptx::bulk_load(ptx::shared_address(smem.data + 512 * lap), part, 512, smem.a.address());
    }
    smem.a.wait(lap);
  }
  for (int i = threadIdx.x; i < 1024; i += 32) out[i] = smem.data[i];
}

// Three bulk copies into one phase: bytes are expected before, between and with the arrival.
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
  if (threadIdx.x != 0) return;
  // All groups but the last have been written; groups may be empty.
  ptx::bulk_wait_group<1>();
  for (int i = 0; i < 512; ++i) out[3072 + i] = static_cast<volatile unsigned char*>(out)[4 * 512 + i];
  ptx::bulk_commit_group();
  ptx::bulk_wait_group<0>();
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

void test_invalidation() {
  micro::Array<uint64_t> out(size_t{3});
  micro::run(invalidate_kernel, 1, 32, sizeof(Smem), out.device());
  out.download();
  micro::check_equal(out.host[0], uint64_t{0x0123456789abcdef}, "data in place of a barrier");
  micro::check_equal(out.host[1], uint64_t{0}, "the new barrier is open");
  micro::check_equal(out.host[2], uint64_t{1}, "the new barrier has a count of its own");
}

void test_many_bytes() {
  std::vector<unsigned char> bytes(4096);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i * 7 + i / 256);
  const micro::Array<unsigned char> source(bytes);
  micro::Array<unsigned char> out(size_t{4096}), between(size_t{1024}), read(size_t{1024});
  micro::run(many_bytes_kernel, 1, 32, sizeof(Smem), static_cast<const unsigned char*>(source.device()), out.device());
  out.download();
  for (size_t i = 0; i < 4096; ++i) micro::check_equal(int(out.host[i]), int(bytes[i]), "2^20 - 16 bytes in a phase");
  micro::run(written_here_kernel, 1, 32, sizeof(Smem), between.device(), read.device());
  read.download();
  for (size_t i = 0; i < 1024; ++i)
    micro::check_equal(int(read.host[i]), int(static_cast<unsigned char>(5 * (i % 512) + i / 512)), "written here");
}

void test_copies() {
  std::vector<unsigned char> bytes(4096);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i * 13 + i / 256);
  const micro::Array<unsigned char> source(bytes);
  micro::Array<unsigned char> out(size_t{1552}), stored(size_t{3584}), small(size_t{896});
  micro::run(bytes_kernel, 1, 32, sizeof(Smem), static_cast<const unsigned char*>(source.device()), out.device());
  out.download();
  for (size_t i = 0; i < 1552; ++i)
    micro::check_equal(int(out.host[i]), int(bytes[i < 1536 ? i : i + 512]), "bulk load " + std::to_string(i));
  micro::run(bulk_store_kernel, 1, 32, sizeof(Smem), stored.device());
  stored.download();
  for (size_t i = 0; i < 3072; ++i)
    micro::check_equal(int(stored.host[i]), int(static_cast<unsigned char>(i % 512 * 3 + i / 512)), "bulk store");
  for (size_t i = 0; i < 512; ++i)
    micro::check_equal(int(stored.host[3072 + i]), int(static_cast<unsigned char>(i * 3 + 4)), "after wait_group 1");
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
  test_invalidation();
  test_many_bytes();
  test_copies();
  return micro::finish();
}
