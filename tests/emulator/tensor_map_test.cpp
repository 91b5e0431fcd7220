#include "tensor_map.h"

#include <doctest/doctest.h>

#include <functional>

using namespace pallasgen::emulator;

namespace {

struct Request {
  CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  cuuint32_t rank = 3;
  uintptr_t base = 0x10000;
  cuuint64_t extents[6] = {64, 32, 16, 8, 4, 2};
  cuuint64_t strides[5] = {128, 4096, 65536, 524288, 1 << 22};
  cuuint32_t box[6] = {64, 8, 4, 2, 2, 2};
  cuuint32_t steps[6] = {1, 1, 1, 1, 1, 1};
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
  CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
  size_t misplaced = 0;
};

CUresult encode(const Request& r) {
  alignas(64) unsigned char storage[sizeof(CUtensorMap) + 64];
  auto* map = reinterpret_cast<CUtensorMap*>(storage + r.misplaced);
  return encode_tiled(map, r.type, r.rank, reinterpret_cast<void*>(r.base), r.extents, r.strides, r.box, r.steps,
                      CU_TENSOR_MAP_INTERLEAVE_NONE, r.swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_128B, r.fill);
}

CUresult encode_with(const std::function<void(Request&)>& change) {
  Request request;
  change(request);
  return encode(request);
}

}  // namespace

TEST_CASE("legal tensor maps") {
  CHECK(encode({}) == CUDA_SUCCESS);
  for (cuuint32_t rank = 1; rank <= 5; ++rank) CHECK(encode_with([=](Request& r) { r.rank = rank; }) == CUDA_SUCCESS);
  CHECK(encode_with([](Request& r) { r.extents[1] = cuuint64_t{1} << 32; }) == CUDA_SUCCESS);
  CHECK(encode_with([](Request& r) { r.box[1] = 256; }) == CUDA_SUCCESS);
  CHECK(encode_with([](Request& r) { r.steps[1] = 8; }) == CUDA_SUCCESS);
  CHECK(encode_with([](Request& r) { r.steps[2] = 1, r.strides[1] = (cuuint64_t{1} << 40) - 16; }) == CUDA_SUCCESS);
  CHECK(encode_with([](Request& r) { r.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA; }) == CUDA_SUCCESS);
}

TEST_CASE("what the driver refuses") {
  const std::function<void(Request&)> changes[] = {
      [](Request& r) { r.rank = 0; },
      [](Request& r) { r.rank = 6; },
      [](Request& r) { r.base = 0; },
      [](Request& r) { r.base += 8; },
      [](Request& r) { r.extents[0] = 0; },
      [](Request& r) { r.extents[2] = (cuuint64_t{1} << 32) + 1; },
      [](Request& r) { r.strides[0] += 8; },
      [](Request& r) { r.strides[1] = cuuint64_t{1} << 40; },
      [](Request& r) { r.box[1] = 0; },
      [](Request& r) { r.box[1] = 257; },
      [](Request& r) { r.box[0] = 4; },                           // 8 bytes
      [](Request& r) { r.box[0] = 72; },                          // wider than the swizzle
      [](Request& r) { r.swizzle = CU_TENSOR_MAP_SWIZZLE_64B; },  // the same
      [](Request& r) { r.steps[1] = 0; },
      [](Request& r) { r.steps[1] = 9; },
      [](Request& r) {
        r.type = CU_TENSOR_MAP_DATA_TYPE_UINT16;
        r.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
      },
      [](Request& r) { r.misplaced = 32; },
  };
  int index = 0;
  for (const auto& change : changes) {
    CAPTURE(index++);
    CHECK(encode_with(change) == CUDA_ERROR_INVALID_VALUE);
  }
}

TEST_CASE("swizzles exchange 16-byte chunks within their span") {
  CHECK(swizzled(0x00, 128) == 0x00);
  CHECK(swizzled(0x80, 128) == 0x90);
  CHECK(swizzled(0x3f0, 128) == 0x380);
  CHECK(swizzled(0x380, 128) == 0x3f0);
  CHECK(swizzled(0x180, 64) == 0x1b0);
  CHECK(swizzled(0x200, 64) == 0x200);
  CHECK(swizzled(0x80, 32) == 0x90);
  CHECK(swizzled(0x100, 32) == 0x100);
  CHECK(swizzled(0x3f0, 0) == 0x3f0);
}
