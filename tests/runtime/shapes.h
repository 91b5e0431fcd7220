#pragma once
#include "matmul_kernel.cuh"

// The shapes that are both run and compiled.
namespace matmul {

struct Plain : Shape<bf16> {};
struct Half : Shape<f16> {
  static constexpr int bn = 256;
};
struct Tall : Shape<bf16> {
  static constexpr int bm = 256;
};
struct TallOdd : Shape<bf16> {
  static constexpr int bm = 256, bn = 96, store_columns = 32;
  static constexpr Swizzle swizzle_c = Swizzle::k64B;
};
struct Three : Shape<bf16> {
  static constexpr int bm = 192, consumers = 3;
  static constexpr bool along_n = true;
};
struct Shallow : Shape<bf16> {
  static constexpr int bn = 64, bk = 32;
  static constexpr Swizzle swizzle_a = Swizzle::k64B, swizzle_b = Swizzle::k64B;
};
struct Deep : Shape<bf16> {
  static constexpr int bn = 96, bk = 128, stages = 2, store_columns = 32;
  static constexpr Swizzle swizzle_c = Swizzle::k64B;
};
struct Wide : Shape<bf16> {
  static constexpr int bn = 192, bk = 32;
  static constexpr Swizzle swizzle_a = Swizzle::k64B, swizzle_b = Swizzle::k32B;
};
struct NoSwizzle : Shape<bf16> {
  static constexpr int bm = 64, bn = 48, bk = 32, consumers = 1;
  static constexpr Swizzle swizzle_a = Swizzle::kNone, swizzle_b = Swizzle::kNone;
  static constexpr int store_columns = 24;
  static constexpr Swizzle swizzle_c = Swizzle::kNone;
};
struct ATransposed : Shape<bf16> {
  static constexpr Major major_a = Major::kMn;
};
struct BTransposed : Shape<f16> {
  static constexpr int bn = 192;
  static constexpr Major major_b = Major::kMn;
};
struct BothTransposed : Shape<bf16> {
  static constexpr int bm = 256, stages = 2;
  static constexpr Major major_a = Major::kMn, major_b = Major::kMn;
};
struct BothTransposedDeep : Shape<bf16> {
  static constexpr int bk = 128, stages = 2;
  static constexpr Major major_a = Major::kMn, major_b = Major::kMn;
};
struct NarrowTransposed : Shape<bf16> {
  static constexpr int bn = 96, bk = 32;
  static constexpr Major major_a = Major::kMn, major_b = Major::kMn;
  static constexpr Swizzle swizzle_a = Swizzle::k32B, swizzle_b = Swizzle::k64B;
  static constexpr int store_columns = 16;
  static constexpr Swizzle swizzle_c = Swizzle::k32B;
};
struct NoSwizzleTransposed : Shape<bf16> {
  static constexpr int bm = 64, bn = 40, bk = 32, consumers = 1;
  static constexpr Major major_a = Major::kMn, major_b = Major::kMn;
  static constexpr Swizzle swizzle_a = Swizzle::kNone, swizzle_b = Swizzle::kNone;
  static constexpr int store_columns = 8;
  static constexpr Swizzle swizzle_c = Swizzle::kNone;
};
struct Masked : Shape<bf16> {
  static constexpr Output output = Output::kMaskedStores;
};
struct MaskedPairs : Shape<f16> {
  static constexpr int bm = 256;
  static constexpr Output output = Output::kMaskedPairs;
};
struct FloatOutput : Shape<bf16> {
  static constexpr int store_columns = 32;
  static constexpr bool f32_output = true;
};
struct FloatMasked : Shape<bf16> {
  static constexpr int bn = 24;
  static constexpr Output output = Output::kMaskedPairs;
  static constexpr int store_columns = 8;
  static constexpr Swizzle swizzle_c = Swizzle::kNone;
  static constexpr bool f32_output = true;
};
struct OneStage : Shape<bf16> {
  static constexpr int stages = 1;
};

}  // namespace matmul
