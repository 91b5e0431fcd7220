#include <cuda_runtime.h>
#include <doctest/doctest.h>
#include <pallasgen/emulator/emulator.h>
#include <pallasgen/launch.h>

#include <pallasgen/device.cuh>
#include <pallasgen/wgmma_f8.cuh>
#include <pallasgen/wgmma_i8.cuh>
#include <pallasgen/wgmma_tf32.cuh>
#include <string>
#include <type_traits>

#include "child.h"

// Rules of wgmma's operands, each broken once, and kept once by the nearest legal case.
using namespace pallasgen;

namespace {

struct alignas(1024) Smem {
  unsigned char data[32768];
};

template <class... P, class... A>
ChildResult run(void (*kernel)(P...), A... arguments) {
  return in_child([=] {
    if (launch(kernel, 1, 128, sizeof(Smem), nullptr, arguments...) != cudaSuccess) _exit(3);
  });
}

template <class... P, class... A>
void breaks_rule(const std::string& words, void (*kernel)(P...), A... arguments) {
  expect(run(kernel, arguments...), emulator::kExitRuleBroken, words);
}

// The tile of one operand starts `first` bytes after a multiple of 1024.
__global__ void base_offset_kernel(bool is_a, Swizzle swizzle, int first, int base_offset) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  float d[4];
  const uint64_t plain = descriptor_bits(ptx::shared_address(smem.data), 128, 256, Swizzle::kNone);
  const uint32_t stride = static_cast<uint32_t>(swizzle_period(swizzle));
  const uint64_t tile = descriptor_bits(ptx::shared_address(smem.data + first), 128, stride, swizzle) |
                        static_cast<uint64_t>(base_offset) << 49;
  ptx::wgmma_fence();
  ptx::wgmma_m64n8k16_f32_bf16<0, 0>(d, is_a ? tile : plain, is_a ? plain : tile, 0);
  ptx::wgmma_commit_group();
  ptx::wgmma_wait_group<0>();
}

TEST_CASE("tiles off the multiple at which their swizzle repeats") {
  const auto is_right = [](Swizzle swizzle, int first, int base_offset) {
    for (const bool is_a : {true, false}) expect(run(base_offset_kernel, is_a, swizzle, first, base_offset), 0, "");
  };
  const auto is_wrong = [](const std::string& words, Swizzle swizzle, int first, int base_offset) {
    for (const bool is_a : {true, false}) {
      breaks_rule(words, base_offset_kernel, is_a, swizzle, first, base_offset);
      breaks_rule(is_a ? "wgmma operand A: " : "wgmma operand B: ", base_offset_kernel, is_a, swizzle, first,
                  base_offset);
    }
  };
  is_right(Swizzle::k128B, 1024, 0);
  is_right(Swizzle::k128B, 96, 0);  // a later step of k in the first row
  is_right(Swizzle::k128B, 640, 5);
  is_wrong(
      "the tile's first row lies at +640 and its swizzle repeats after 1024 bytes: the base offset must be 5, not 0",
      Swizzle::k128B, 640, 0);
  is_wrong("the base offset must be 0, not 5", Swizzle::k128B, 1024, 5);
  is_right(Swizzle::k64B, 512, 0);
  is_right(Swizzle::k64B, 512, 4);  // as the manual's formula gives; it makes no difference
  is_right(Swizzle::k64B, 128, 1);
  is_wrong("its swizzle repeats after 512 bytes: the base offset must be 1, not 0", Swizzle::k64B, 128, 0);
  is_wrong("the first row lies at +64, which for a swizzle of 64 bytes must be a multiple of 512", Swizzle::k64B, 64,
           0);
  is_right(Swizzle::k32B, 256, 0);
  is_wrong("its swizzle repeats after 256 bytes: the base offset must be 1, not 0", Swizzle::k32B, 128, 0);
  is_right(Swizzle::kNone, 128, 0);
  is_wrong("base offset 2 without a swizzle", Swizzle::kNone, 128, 2);
}

enum Written { kNever, kInFlight, kBetweenTwo, kAfterAnother, kWithoutFence, kWithFence, kAccumulator, kOther };

// Two steps with A in registers, a group each; `written` selects a write and its time. T is the type of the elements.
template <class T>
__global__ void registers_kernel(Written written) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  constexpr int size = sizeof(T), depth = 32 / size;
  using Sum = std::conditional_t<std::is_same_v<T, i8>, int32_t, float>;
  Packed<T, std::conditional_t<size == 2, WgmmaLayout<64, depth>, WgmmaOperandLayout<64, depth, size>>> a{};
  [[maybe_unused]] volatile uint32_t other = 0;
  Fragment<Sum, WgmmaLayout<64, 8>> first, second;
  const auto b = descriptor_k_major<Swizzle::k128B>(reinterpret_cast<T*>(smem.data));
  const auto multiply = [&](auto& d) {
    if constexpr (size == 1) wgmma_m64n8k32(d, a, b, false);
    if constexpr (size == 2) wgmma_m64n8k16(d, a, b, false);
    if constexpr (size == 4) wgmma_m64n8k8(d, a, b, false);
    wgmma_commit();
  };
  uint32_t& word = a.part[0][threadIdx.x % 4];
  wgmma_fence();
  multiply(first);
  if (written == kBetweenTwo) word = 5;
  if (written == kOther) other = 5;
  multiply(second);
  if (written == kInFlight) word = 5;
  if (written == kAccumulator) second[1] = 3;
  wgmma_wait<1>();
  if (written == kAfterAnother) word = 5;  // the second step still reads it
  wgmma_wait<0>(first, second);
  if (written == kWithoutFence || written == kWithFence) word = 5;
  if (written == kWithFence) wgmma_fence();
  Fragment<Sum, WgmmaLayout<64, 8>> third;
  multiply(third);
  wgmma_wait<0>(third);
}

template <class T>
void test_registers() {
  for (const Written written : {kNever, kOther, kWithFence}) expect(run(registers_kernel<T>, written), 0, "");
  const std::string in_flight = "registers of A were written while an instruction that reads them was in flight";
  for (const Written written : {kInFlight, kBetweenTwo, kAfterAnother})
    breaks_rule(in_flight, registers_kernel<T>, written);
  breaks_rule("no wgmma.fence since registers of A were written", registers_kernel<T>, kWithoutFence);
  breaks_rule("the accumulator was written while instructions on it were in flight", registers_kernel<T>, kAccumulator);
}

TEST_CASE("registers that wgmma still reads") {
  test_registers<bf16>();
  test_registers<f16>();
  test_registers<float>();
  test_registers<__nv_fp8_e4m3>();
  test_registers<i8>();
}

// Values without variables cannot be written; nor can variables of a function that has returned.
[[gnu::noinline]] __device__ void multiply_by_locals(float (&d)[4], uint64_t b) {
  uint32_t a[4] = {1, 2, 3, threadIdx.x};
  ptx::wgmma_m64n8k16_f32_bf16_ra<0>(d, a[0] + 1, a[1], a[2], a[3], b, 0);
  ptx::wgmma_commit_group();
}
[[gnu::noinline]] __device__ int other_locals() {
  volatile int values[64];
  for (int i = 0; i < 64; ++i) values[i] = i;
  return values[5];
}
__global__ void gone_kernel() {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  float d[4];
  ptx::wgmma_fence();
  multiply_by_locals(d, descriptor_bits(ptx::shared_address(smem.data), 128, 256, Swizzle::kNone));
  if (other_locals() != 5) __trap();
  ptx::wgmma_wait_group<0>();
}

TEST_CASE("registers that are none") { expect(run(gone_kernel), 0, ""); }

TEST_CASE("a rule that an instruction breaks when it executes names warpgroup, line and instruction") {
  const ChildResult result = run(base_offset_kernel, true, Swizzle::k128B, 128, 0);
  INFO(result.output);
  CHECK(result.output.find("kernel base_offset_kernel, wgmma of warpgroup 0 of CTA (0,0,0) at wgmma_rules_test.cpp:") !=
        std::string::npos);
  CHECK(result.output.find(" (wgmma_m64n8k16_f32_bf16)") != std::string::npos);
}

}  // namespace
