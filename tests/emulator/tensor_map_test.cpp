#include "tensor_map.h"

#include <doctest/doctest.h>

#include <functional>
#include <string>

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
  CUtensorMapInterleave interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
  CUtensorMapL2promotion promotion = CU_TENSOR_MAP_L2_PROMOTION_L2_128B;
  CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
  size_t misplaced = 0;
  const char* missing = "";  // the argument that is null
};

CUresult encode(const Request& r) {
  alignas(64) unsigned char storage[sizeof(CUtensorMap) + 64];
  const auto unless = [&](const char* name, auto* p) { return std::string(r.missing) == name ? nullptr : p; };
  return encode_tiled(unless("map", reinterpret_cast<CUtensorMap*>(storage + r.misplaced)), r.type, r.rank,
                      reinterpret_cast<void*>(r.base), unless("extents", r.extents), unless("strides", r.strides),
                      unless("box", r.box), unless("steps", r.steps), r.interleave, r.swizzle, r.promotion, r.fill);
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

// Packed elements that leave gaps: a legal request, in which tests break one rule.
void pack(Request& r, CUtensorMapDataType type) {
  r.type = type;
  r.rank = 2;
  r.extents[0] = 256;
  r.strides[0] = 192;
  r.box[0] = 128;
  r.swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
}
void pack4(Request& r) { pack(r, CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B); }
void pack6(Request& r) { pack(r, CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B); }
void pack8(Request& r) {
  pack(r, CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B);
  r.box[0] = 64;
}
void interleave32(Request& r) {
  r.interleave = CU_TENSOR_MAP_INTERLEAVE_32B;
  r.swizzle = CU_TENSOR_MAP_SWIZZLE_32B;
}

TEST_CASE("legal tensor maps of packed and interleaved elements") {
  for (const auto& legal : {pack4, pack6, pack8, interleave32}) CHECK(encode_with(legal) == CUDA_SUCCESS);
  CHECK(encode_with([](Request& r) { pack6(r), r.swizzle = CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B; }) == CUDA_SUCCESS);
  CHECK(encode_with([](Request& r) { pack4(r), r.swizzle = CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B; }) == CUDA_SUCCESS);
  // Interleaved rows need not be wide, and their first step counts.
  CHECK(encode_with([](Request& r) { interleave32(r), r.box[0] = 4, r.steps[0] = 2; }) == CUDA_SUCCESS);
  CHECK(encode_with([](Request& r) { r.interleave = CU_TENSOR_MAP_INTERLEAVE_16B; }) == CUDA_SUCCESS);
}

TEST_CASE("what the driver refuses") {
  struct Refused {
    std::string rule;
    std::function<void(Request&)> change;
  };
  const Refused all[] = {
      {"a map", [](Request& r) { r.missing = "map"; }},
      {"a map aligned to 64 bytes", [](Request& r) { r.misplaced = 32; }},
      {"a known type", [](Request& r) { r.type = static_cast<CUtensorMapDataType>(16); }},
      {"rank from 1", [](Request& r) { r.rank = 0; }},
      {"rank to 5", [](Request& r) { r.rank = 6; }},
      {"rank from 3 with interleave", [](Request& r) { interleave32(r), r.rank = 2; }},
      {"an array", [](Request& r) { r.base = 0; }},
      {"an array aligned to 16 bytes", [](Request& r) { r.base += 8; }},
      {"to 32 bytes with 32-byte interleave", [](Request& r) { interleave32(r), r.base += 16; }},
      {"to 32 bytes for 4-bit elements with gaps", [](Request& r) { pack4(r), r.base += 16; }},
      {"to 32 bytes for 6-bit elements", [](Request& r) { pack6(r), r.base += 16; }},
      {"extents", [](Request& r) { r.missing = "extents"; }},
      {"extents above 0", [](Request& r) { r.extents[0] = 0; }},
      {"extents to 2^32", [](Request& r) { r.extents[2] = (cuuint64_t{1} << 32) + 1; }},
      {"rows of 128 elements of 4 bits with gaps", [](Request& r) { pack4(r), r.extents[0] = 192; }},
      {"rows of 128 elements of 6 bits", [](Request& r) { pack6(r), r.extents[0] = 192; }},
      {"whole bytes of 4-bit elements", [](Request& r) { pack8(r), r.extents[0] = 255; }},
      {"strides", [](Request& r) { r.missing = "strides"; }},
      {"strides of 16 bytes", [](Request& r) { r.strides[0] += 8; }},
      {"strides of 32 bytes with 32-byte interleave", [](Request& r) { interleave32(r), r.strides[0] += 16; }},
      {"strides of 32 bytes for 4-bit elements with gaps", [](Request& r) { pack4(r), r.strides[0] += 16; }},
      {"strides of 32 bytes for 6-bit elements", [](Request& r) { pack6(r), r.strides[0] += 16; }},
      {"strides below 2^40", [](Request& r) { r.strides[1] = cuuint64_t{1} << 40; }},
      {"a box", [](Request& r) { r.missing = "box"; }},
      {"a box of 1 at least", [](Request& r) { r.box[1] = 0; }},
      {"a box of 256 at most", [](Request& r) { r.box[1] = 257; }},
      {"inner boxes of 16 bytes", [](Request& r) { r.box[0] = 4; }},
      {"inner boxes of 16 bytes of 4-bit elements", [](Request& r) { pack8(r), r.box[0] = 48; }},
      {"inner boxes of 128 elements of 4 bits with gaps", [](Request& r) { pack4(r), r.box[0] = 64; }},
      {"inner boxes of 128 elements of 6 bits", [](Request& r) { pack6(r), r.box[0] = 64; }},
      {"inner boxes to 128 bytes", [](Request& r) { r.box[0] = 72; }},
      {"inner boxes to 64 bytes", [](Request& r) { r.swizzle = CU_TENSOR_MAP_SWIZZLE_64B; }},
      {"inner boxes to 32 bytes", [](Request& r) { r.swizzle = CU_TENSOR_MAP_SWIZZLE_32B, r.box[0] = 24; }},
      {"inner boxes to 128 bytes in larger atoms",
       [](Request& r) { r.swizzle = CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B, r.box[0] = 72; }},
      {"steps", [](Request& r) { r.missing = "steps"; }},
      {"steps above 0", [](Request& r) { r.steps[1] = 0; }},
      {"steps to 8", [](Request& r) { r.steps[1] = 9; }},
      {"a known interleave", [](Request& r) { r.interleave = static_cast<CUtensorMapInterleave>(3); }},
      {"no interleave of 6-bit elements",
       [](Request& r) { pack6(r), r.rank = 3, r.interleave = CU_TENSOR_MAP_INTERLEAVE_16B; }},
      {"a known swizzle", [](Request& r) { r.swizzle = static_cast<CUtensorMapSwizzle>(7); }},
      {"a 32-byte swizzle with 32-byte interleave",
       [](Request& r) { interleave32(r), r.swizzle = CU_TENSOR_MAP_SWIZZLE_NONE; }},
      {"swizzles of 6-bit elements", [](Request& r) { pack6(r), r.swizzle = CU_TENSOR_MAP_SWIZZLE_64B; }},
      {"swizzles of 4-bit elements with gaps",
       [](Request& r) { pack4(r), r.swizzle = CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B; }},
      {"a known promotion", [](Request& r) { r.promotion = static_cast<CUtensorMapL2promotion>(4); }},
      {"a known fill", [](Request& r) { r.fill = static_cast<CUtensorMapFloatOOBfill>(2); }},
      {"NaN for floats only",
       [](Request& r) {
         r.type = CU_TENSOR_MAP_DATA_TYPE_UINT16;
         r.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
       }},
      {"no NaN for packed elements",
       [](Request& r) { pack8(r), r.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA; }},
  };
  for (const Refused& refused : all) {
    CAPTURE(refused.rule);
    CHECK(encode_with(refused.change) == CUDA_ERROR_INVALID_VALUE);
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
