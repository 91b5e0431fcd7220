// Atomic operations of every type on global and on shared memory, and the order of release and acquire.
#include <cstring>
#include <pallasgen/atomic.cuh>

#include "micro.h"

using namespace pallasgen;

namespace {

enum Op { kAdd, kMin, kMax, kAnd, kOr, kXor, kXchg, kCas, kOps };
constexpr int kThreads = 128;

template <class T>
struct alignas(1024) Smem {
  T value[kOps];
};

// Small whole numbers: every order of additions gives the same sum, in every type.
template <class T>
__host__ __device__ T value_of(int thread) {
  constexpr bool is_unsigned = kIsSame<T, uint32_t> || kIsSame<T, uint64_t>;
  return cast<T>(thread % 7 - (is_unsigned ? 0 : 3));
}

template <class T, class At>
__device__ void update_all(At at, T* values, T v) {
  atomic_add(at(values + kAdd), v);
  atomic_min(at(values + kMin), v);
  atomic_max(at(values + kMax), v);
  if constexpr (!kIsFloat<T>) {
    atomic_and(at(values + kAnd), static_cast<T>(~(T(1) << (threadIdx.x % 5))));
    atomic_or(at(values + kOr), static_cast<T>(T(1) << (threadIdx.x % 6)));
    atomic_xor(at(values + kXor), static_cast<T>(T(1) << (threadIdx.x % 3)));
  }
  atomic_xchg(at(values + kXchg), v);
  // Counts to kThreads by compare-and-swap.
  T guess = cast<T>(0);
  for (;;) {
    const T old = atomic_cas(at(values + kCas), guess, cast<T>(to_float(cast<float>(guess)) + 1.0f));
    if (old == guess) break;
    guess = old;
  }
}

template <class T>
__global__ void update_kernel(T* in_global, T* in_shared) {
  PALLASGEN_DYNAMIC_SMEM(Smem<T>, smem);
  if (threadIdx.x < kOps) smem.value[threadIdx.x] = in_shared[threadIdx.x];
  __syncthreads();
  const T v = value_of<T>(static_cast<int>(threadIdx.x));
  update_all<T>([](T* p) { return pallasgen::in_global(p); }, in_global, v);
  update_all<T>([](T* p) { return pallasgen::in_shared(p); }, smem.value, v);
  __syncthreads();
  if (threadIdx.x < kOps) in_shared[threadIdx.x] = smem.value[threadIdx.x];
}

template <class T>
void check_type(const std::string& name) {
  std::vector<T> start(kOps, cast<T>(0));
  if constexpr (!kIsFloat<T>) start[kAnd] = static_cast<T>(~T(0));
  micro::Array<T> in_global(start), in_shared(start);
  micro::run(update_kernel<T>, 1, kThreads, sizeof(Smem<T>), in_global.device(), in_shared.device());
  in_global.download();
  in_shared.download();
  double wanted[kOps] = {};
  for (int t = 0; t < kThreads; ++t) {
    const double v = static_cast<double>(cast<float>(value_of<T>(t)));
    wanted[kAdd] += v;
    wanted[kMin] = v < wanted[kMin] ? v : wanted[kMin];
    wanted[kMax] = v > wanted[kMax] ? v : wanted[kMax];
  }
  wanted[kCas] = kThreads;
  for (int memory = 0; memory < 2; ++memory) {
    const std::vector<T>& got = memory == 0 ? in_global.host : in_shared.host;
    const std::string where = name + (memory == 0 ? " in global memory, operation " : " in shared memory, operation ");
    for (int op : {kAdd, kMin, kMax, kCas})
      micro::check_equal(static_cast<double>(cast<float>(got[static_cast<size_t>(op)])), wanted[op],
                         where + std::to_string(op));
    if constexpr (!kIsFloat<T>) {
      // Bits 0-4 cleared, 0-5 set, bit i flipped as often as there are threads with this remainder.
      T flipped = 0;
      for (int t = 0; t < kThreads; ++t) flipped = static_cast<T>(flipped ^ (T(1) << (t % 3)));
      micro::check(got[kAnd] == static_cast<T>(~T(31)), where + "and");
      micro::check(got[kOr] == T(63), where + "or");
      micro::check(got[kXor] == flipped, where + "xor");
    }
  }
}

// Packed additions, and additions without a result.
__global__ void packed_kernel(uint32_t* pairs, float* sums) {
  constexpr MemoryOrder kOrder = MemoryOrder::kRelaxed;
  constexpr MemoryScope kScope = MemoryScope::kDevice;
  ptx::red_add_global_f16x2<kOrder, kScope>(pairs, 0x3c004000u);        // 2 and 1
  ptx::atom_add_global_bf16x2<kOrder, kScope>(pairs + 1, 0x3f804000u);  // 2 and 1
  ptx::red_add_global_f32<MemoryOrder::kRelease, kScope>(sums, 0.5f);
  ptx::red_max_global_s32<kOrder, kScope>(reinterpret_cast<int32_t*>(sums + 1), static_cast<int32_t>(threadIdx.x));
}

// CTA 0 writes `data` and raises the flag; the other CTA waits for it. With two CTAs of one cluster, both are alive.
__global__ void message_kernel(uint32_t* flag, float* data, float* out) {
  constexpr MemoryScope kScope = MemoryScope::kDevice;
  if (blockIdx.x == 0) {
    data[threadIdx.x] = 1.0f + static_cast<float>(threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) ptx::store_ordered_global_b32<MemoryOrder::kRelease, kScope>(flag, 1);
  } else {
    if (threadIdx.x == 0)
      while (ptx::load_ordered_global_b32<MemoryOrder::kAcquire, kScope>(flag) == 0) {
      }
    __syncthreads();
    out[threadIdx.x] = data[threadIdx.x];
  }
}

}  // namespace

int main() {
  check_type<float>("f32");
  check_type<double>("f64");
  check_type<f16>("f16");
  check_type<bf16>("bf16");
  check_type<int32_t>("i32");
  check_type<uint32_t>("u32");
  check_type<int64_t>("i64");
  check_type<uint64_t>("u64");

  micro::Array<uint32_t> pairs(size_t{2});
  micro::Array<float> sums(size_t{2});
  micro::run(packed_kernel, 1, 64, 0, pairs.device(), sums.device());
  pairs.download();
  sums.download();
  micro::check_equal(pairs.host[0], 0x54005800u, "sums of f16 pairs");  // 128 and 64
  micro::check_equal(pairs.host[1], 0x42804300u, "sums of bf16 pairs");
  micro::check_equal(sums.host[0], 32.0f, "sum without a result");
  int largest;
  std::memcpy(&largest, &sums.host[1], sizeof largest);
  micro::check_equal(largest, 63, "maximum without a result");

  micro::Array<uint32_t> flag(size_t{1});
  micro::Array<float> data(size_t{kThreads}), out(size_t{kThreads});
  Grid pair(2);
  pair.cluster = 2;
  micro::run(message_kernel, pair, kThreads, 0, flag.device(), data.device(), out.device());
  out.download();
  for (size_t t = 0; t < kThreads; ++t)
    micro::check_equal(out.host[t], 1.0f + static_cast<float>(t), "a message by release and acquire");
  return micro::finish();
}
