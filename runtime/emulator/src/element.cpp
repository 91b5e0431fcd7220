#include "element.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <cstring>

#include "report.h"

namespace pallasgen::emulator {
namespace {

template <class T>
struct Plain {
  using Wide = T;
  static T widen(T x) { return x; }
  static T narrow(T x) { return x; }
};

struct Half {
  using Wide = float;
  static float widen(__half x) { return __half2float(x); }
  static __half narrow(float x) { return __float2half_rn(x); }
};

struct Bfloat {
  using Wide = float;
  static float widen(__nv_bfloat16 x) { return __bfloat162float(x); }
  static __nv_bfloat16 narrow(float x) { return __float2bfloat16_rn(x); }
};

template <class W>
W combined(TensorReduction reduction, W a, W b) {
  switch (reduction) {
    case TensorReduction::kAdd:
      return static_cast<W>(a + b);
    case TensorReduction::kMin:
      return b < a ? b : a;
    case TensorReduction::kMax:
      return a < b ? b : a;
    case TensorReduction::kNone:
      break;
  }
  return b;
}

template <class T, class Traits>
void apply(TensorReduction reduction, void* to, const void* from, size_t bytes) {
  char* out = static_cast<char*>(to);
  const char* in = static_cast<const char*>(from);
  for (size_t at = 0; at < bytes; at += sizeof(T)) {
    T a, b;
    std::memcpy(&a, out + at, sizeof a);
    std::memcpy(&b, in + at, sizeof b);
    const T sum = Traits::narrow(combined<typename Traits::Wide>(reduction, Traits::widen(a), Traits::widen(b)));
    std::memcpy(out + at, &sum, sizeof sum);
  }
}

}  // namespace

void check_reduction(CUtensorMapDataType type, TensorReduction reduction) {
  switch (type) {
    case CU_TENSOR_MAP_DATA_TYPE_UINT8:
    case CU_TENSOR_MAP_DATA_TYPE_UINT16:
      rule_broken("TMA has no reduction of 8-bit and 16-bit integers");
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT32:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT64:
      if (reduction != TensorReduction::kAdd) rule_broken("TMA has no minimum or maximum of f32 and f64, only sums");
      break;
    default:
      break;
  }
}

void reduce(CUtensorMapDataType type, TensorReduction reduction, void* to, const void* from, size_t bytes) {
  switch (type) {
    case CU_TENSOR_MAP_DATA_TYPE_UINT32:
      return apply<uint32_t, Plain<uint32_t>>(reduction, to, from, bytes);
    case CU_TENSOR_MAP_DATA_TYPE_INT32:
      return apply<int32_t, Plain<int32_t>>(reduction, to, from, bytes);
    case CU_TENSOR_MAP_DATA_TYPE_UINT64:
      return apply<uint64_t, Plain<uint64_t>>(reduction, to, from, bytes);
    case CU_TENSOR_MAP_DATA_TYPE_INT64:
      return apply<int64_t, Plain<int64_t>>(reduction, to, from, bytes);
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT32:
      return apply<float, Plain<float>>(reduction, to, from, bytes);
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT64:
      return apply<double, Plain<double>>(reduction, to, from, bytes);
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
      return apply<__half, Half>(reduction, to, from, bytes);
    case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16:
      return apply<__nv_bfloat16, Bfloat>(reduction, to, from, bytes);
    default:
      not_modelled("a reduction of tensor map type %d", static_cast<int>(type));
  }
}

}  // namespace pallasgen::emulator
