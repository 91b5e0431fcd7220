// The kernels of the tests for nvcc; gate.py reads the messages of ptxas about each.
#include <pallasgen/approximate.cuh>
#include <pallasgen/narrow.cuh>
#include <pallasgen/trigonometry.cuh>

#include "copy_kernels.cuh"
#include "element_kernels.cuh"
#include "fma_kernels.cuh"
#include "order_kernels.cuh"
#include "reduce_kernels.cuh"
#include "reduce_shared_kernels.cuh"
#include "scan_kernels.cuh"
#include "shapes.h"

#define INSTANTIATE(S)                                                                                             \
  template cudaError_t matmul::run<matmul::S>(const matmul::S::Element*, const matmul::S::Element*,                \
                                              const matmul::S::Element*, matmul::Kernel<matmul::S>::Out*, int64_t, \
                                              int64_t, int64_t, cudaStream_t);
INSTANTIATE(Plain)
INSTANTIATE(Half)
INSTANTIATE(Tall)
INSTANTIATE(TallOdd)
INSTANTIATE(Three)
INSTANTIATE(Shallow)
INSTANTIATE(Deep)
INSTANTIATE(Wide)
INSTANTIATE(NoSwizzle)
INSTANTIATE(ATransposed)
INSTANTIATE(BTransposed)
INSTANTIATE(BothTransposed)
INSTANTIATE(BothTransposedDeep)
INSTANTIATE(NarrowTransposed)
INSTANTIATE(NoSwizzleTransposed)
INSTANTIATE(Masked)
INSTANTIATE(MaskedPairs)
INSTANTIATE(FloatOutput)
INSTANTIATE(FloatMasked)
INSTANTIATE(OneStage)

using namespace copies;
template __global__ void copies::copy_1d<float, StridedLayout<32, 8, 512>>(Arrays<float, StridedLayout<32, 8, 512>, 1>);
template __global__ void copies::copy_2d<uint8_t, StridedLayout<128, 4, 24, 40>>(
    Arrays<uint8_t, StridedLayout<128, 4, 24, 40>, 2>);
template __global__ void copies::copy_2d<bf16, StridedLayout<256, 8, 32, 256>>(
    Arrays<bf16, StridedLayout<256, 8, 32, 256>, 2>);
template __global__ void copies::copy_4d<int, StridedLayout<96, 1, 2, 3, 5, 7>>(
    Arrays<int, StridedLayout<96, 1, 2, 3, 5, 7>, 4>);
template __global__ void copies::gather_2d<float, WgmmaLayout<128, 8>>(Arrays<float, WgmmaLayout<128, 8>, 2>);
template __global__ void copies::broadcast<StridedLayout<64, 4, 16, 16>>(const float*, const float*, const float*,
                                                                         const float*, float*, int64_t, int64_t,
                                                                         int64_t, int64_t);
template __global__ void copies::gather_async<float, 128, 4, 16, 64>(Arrays<float, StridedLayout<128, 4, 16, 64>, 2>,
                                                                     Call);
template __global__ void copies::gather_async<bf16, 128, 1, 16, 64>(Arrays<bf16, StridedLayout<128, 1, 16, 64>, 2>,
                                                                    Call);
template __global__ void copies::gather_bulk<float, 8, 10>(const float*, float*, int64_t, int64_t, float, bool);
template __global__ void copies::gather_bulk<uint8_t, 16, 5>(const uint8_t*, uint8_t*, int64_t, int64_t, uint8_t, bool);
template __global__ void copies::places<WgmmaLayout<128, 24>>(int*, int64_t, int64_t, int64_t, int64_t);
template __global__ void copies::turn<int16_t, StridedLayout<128, 8, 64, 40>>(const int16_t*, int16_t*, int64_t,
                                                                              int64_t);
template __global__ void copies::visit_2d<StripTiles<8>>(int*, int, int);
template __global__ void copies::visit_2d<OneTilePerCta<8>>(int*, int, int);
template __global__ void copies::visit_3d<RowMajorTiles<3>>(int*, int, int, int);
template __global__ void
copies::visit_3d<OrderedTiles<3, AxisGroups<1, 2>, AxisReversed<0>, AxisInOrder<2>, AxisInOrder<1>>>(int*, int, int,
                                                                                                     int);
template __global__ void products::product<float, float, FmaLayout<256, 16, 1, 1, 128, 128>, 16, true, true,
                                           Swizzle::kNone, Swizzle::k64B>(const float*, const float*, float*);
template __global__ void products::product<double, double, FmaLayout<256, 16, 1, 2, 128, 128>, 16, true, false,
                                           Swizzle::kNone, Swizzle::kNone>(const double*, const double*, double*);
template __global__ void products::product<bf16, float, FmaLayout<96, 8, 1, 4, 50, 36>, 24, true, false, Swizzle::kNone,
                                           Swizzle::kNone>(const bf16*, const bf16*, float*);
template __global__ void copies::add_one<int>(const int*, int*);
template __global__ void copies::box_3d<float>(const __grid_constant__ TensorMap, const __grid_constant__ TensorMap,
                                               int, int, int);

template <class F>
__global__ void functions(const F* x, F* y) {
  const F value = x[threadIdx.x];
  y[threadIdx.x] = sine(value) + cosine(value) * tangent(value);
}
template __global__ void functions<float>(const float*, float*);
template __global__ void functions<double>(const double*, double*);
__global__ void approximations(const float* x, float* y) {
  const float value = x[threadIdx.x];
  y[threadIdx.x] = fast_divide(fast_exp(value) + fast_tanh(value),
                               fast_rsqrt(value) + fast_exp2(value) + fast_logistic(value) + fast_erf(value));
}

template __global__ void elements::shift<int16_t>(const int16_t*, int16_t*, int64_t, int64_t, int64_t, int64_t, int,
                                                  int);
template __global__ void elements::turn<float>(const float*, float*, int64_t, int64_t, int64_t);
template __global__ void elements::shift<i4x2>(const i4x2*, i4x2*, int64_t, int64_t, int64_t, int64_t, int, int);
template __global__ void elements::shift<f4e2m1x2>(const f4e2m1x2*, f4e2m1x2*, int64_t, int64_t, int64_t, int64_t, int,
                                                   int);
template __global__ void elements::shift<f8e8m0>(const f8e8m0*, f8e8m0*, int64_t, int64_t, int64_t, int64_t, int, int);

template __global__ void reductions::rows<Sum, float, RowsLayout<128, 8, 4, 50, 36>>(const float*, float*, float*,
                                                                                     int64_t, int64_t);
template __global__ void reductions::rows<Maximum, bf16, RowsLayout<128, 32, 8, 4, 512>>(const bf16*, bf16*, bf16*,
                                                                                         int64_t, int64_t);
template __global__ void reductions::rows<Sum, double, RowsLayout<512, 512, 2, 2, 5000>>(const double*, double*,
                                                                                         double*, int64_t, int64_t);
template __global__ void reductions::rows<All, bool, RowsLayout<64, 16, 1, 9, 20>>(const bool*, bool*, bool*, int64_t,
                                                                                   int64_t);
template __global__ void scans::rows<Sum, float, RowsLayout<128, 32, 4, 8, 1024>>(const float*, float*, float*, int64_t,
                                                                                  int64_t);
template __global__ void scans::rows<Maximum, bf16, RowsLayout<128, 32, 8, 4, 512>>(const bf16*, bf16*, bf16*, int64_t,
                                                                                    int64_t);
template __global__ void scans::rows<Sum, double, RowsLayout<256, 256, 2, 2, 2000>>(const double*, double*, double*,
                                                                                    int64_t, int64_t);
template __global__ void scans::rows<Sum, float, WgmmaLayout<128, 64>>(const float*, float*, float*, int64_t, int64_t);
template __global__ void scans::in_warpgroups<RowsLayout<128, 128, 4, 3, 600>>(const float*, float*, int64_t, int64_t);
template __global__ void scans::pick<1345, float, RowsLayout<256, 128, 2, 3, 2050>>(const float*, float*, int64_t,
                                                                                    int64_t);
template __global__ void reductions::in_warpgroups<RowsLayout<128, 128, 4, 3, 600>>(const float*, float*, int64_t,
                                                                                    int64_t);
template __global__ void shared_reductions::rows<Sum, Neighbours, float, RowsLayout<128, 32, 4, 8, 256>>(const float*,
                                                                                                         float*, float*,
                                                                                                         int64_t,
                                                                                                         int64_t);
template __global__ void shared_reductions::rows<Minimum, Halves, double, RowsLayout<512, 512, 2, 2, 5000>>(
    const double*, double*, double*, int64_t, int64_t);
template __global__ void shared_reductions::columns<Halves, WgmmaLayout<64, 8>, 3>(const float*, float*, int64_t,
                                                                                   int64_t);
template __global__ void shared_reductions::tile<Neighbours, 256, 128>(const float*, float*);
template __global__ void shared_reductions::lanes<Halves, 3>(const float*, float*, float*, int*, float*);
template __global__ void reductions::add_slices<RowsLayout<128, 8, 4, 20, 40>>(const int*, const int*, int*, int*);
template __global__ void elements::pick<float>(float*, int64_t);
template __global__ void orders::store_own<u4x2>(u4x2*);
__global__ void widened(const i4x2* in, bf16* out) {
  Fragment<bf16, WgmmaLayout<64, 64>> x, y;
  load_shared<2>(x, in);
  load_swizzled<Swizzle::k32B, 64, 64, 2>(y, in);
  for (int e = 0; e < x.size; ++e) out[x.row(e) * 64 + x.column(e)] = x[e] + y[e];
}
template __global__ void orders::take_first<uint64_t>(uint64_t*);
template __global__ void orders::hand_over<int>(uint32_t*, int*, int*);
template __global__ void orders::find_fault<2>(uint32_t*);
template __global__ void orders::count_tickets<4>(uint32_t*, int*);
template __global__ void orders::add_up<int>(uint32_t*, int*, int*, int);
template __global__ void reductions::columns<RowsLayout<128, 32, 1, 6, 50>, 1>(const float*, float*, float*, int64_t,
                                                                               int64_t);
template __global__ void reductions::columns<RowsLayout<96, 8, 4, 50, 32>, 1>(const float*, float*, float*, int64_t,
                                                                              int64_t);
template __global__ void reductions::across<WgmmaLayout<64, 24>, 2>(const float*, float*, float*, float*, float*);
template __global__ void reductions::columns<WgmmaLayout<64, 40>, 2>(const float*, float*, float*, int64_t, int64_t);
