#include <pallasgen/types.h>

#include <pallasgen/descriptor.cuh>

#include "oracle.h"

using namespace pallasgen;

namespace {

// The hardware's reading of a descriptor, written from the PTX ISA's tables of canonical layouts and checked against
// CuTe below: the byte address of element (i, k) of one MMA step.
struct Fields {
  uint32_t start, leading, stride, base_offset, mode;
};

Fields fields_of(uint64_t bits) {
  const auto at = [bits](int shift, int width) {
    return static_cast<uint32_t>(bits >> shift & ((UINT64_C(1) << width) - 1));
  };
  return {at(0, 14) << 4, at(16, 14) << 4, at(32, 14) << 4, at(49, 3), at(62, 2)};
}

uint32_t address_of(const Fields& f, bool k_major, int size, uint32_t i, uint32_t k) {
  const uint32_t chunk = 16u / static_cast<uint32_t>(size);                         // elements in 16 bytes
  const uint32_t chunks = f.mode == 0 ? 1 : f.mode == 1 ? 8 : f.mode == 2 ? 4 : 2;  // in a row of an atom
  uint32_t a = f.start;
  if (k_major) {
    a += i % 8 * chunks * 16 + i / 8 * f.stride;
    a += k / chunk * (f.mode == 0 ? f.leading : 16) + k % chunk * static_cast<uint32_t>(size);
  } else if (f.mode != 0) {
    const uint32_t wide = chunk * chunks;
    a += i % wide * static_cast<uint32_t>(size) + i / wide * f.leading + k % 8 * chunks * 16 + k / 8 * f.stride;
  } else {
    a += i % chunk * static_cast<uint32_t>(size) + i / chunk * f.stride + k % 8 * 16 + k / 8 * f.leading;
  }
  return a ^ (a >> 7 & (chunks - 1)) << 4;
}

int size_of(const std::string& type) { return type == "bf16" ? 2 : type == "tf32" ? 4 : 1; }

// Returns the address of element (i, k) in a tile of boxes, as TMA writes them.
template <Swizzle S>
uint32_t slab_address(bool k_major, int size, int rows, int depth, int i, int k) {
  const int wide = swizzle_span(S) / size;  // elements of a box along the contiguous axis
  const int contiguous = k_major ? k : i, other = k_major ? i : k, other_extent = k_major ? rows : depth;
  const int box = contiguous / wide;
  const int within = other * swizzle_span(S) + contiguous % wide * size;
  return static_cast<uint32_t>(box * other_extent * swizzle_span(S)) + swizzled<S>(static_cast<uint32_t>(within));
}

constexpr uint32_t kBase = 4096;

// Reads every element of every MMA step of rows [first, first + taken) of a tile through the descriptor.
template <class Descriptor, Swizzle S>
void check_tile(Descriptor descriptor, bool k_major, int size, int rows, int depth, int first, int taken) {
  const int step = 32 / size;
  for (int s = 0; s < depth / step; ++s) {
    const Fields f = fields_of(descriptor.advance_k(s).bits);
    CHECK(f.base_offset == 0);
    int wrong = 0;
    for (int i = 0; i < taken; ++i) {
      for (int k = 0; k < step; ++k) {
        wrong += address_of(f, k_major, size, static_cast<uint32_t>(i), static_cast<uint32_t>(k)) !=
                 kBase + slab_address<S>(k_major, size, rows, depth, first + i, s * step + k);
      }
    }
    CHECK_MESSAGE(wrong == 0, "swizzle span ", swizzle_span(S), " rows ", rows, " depth ", depth, " step ", s);
  }
}

template <Swizzle S, class T, int Rows>
void check_k_major(int depth) {
  constexpr int size = sizeof(T);
  using Descriptor = SmemDescriptor<T, Major::kK, S, Rows>;
  for (int first = 0; first + 64 <= Rows; first += 64) {
    const Descriptor d{k_major_bits<S, Rows>(kBase + static_cast<uint32_t>(first * swizzle_span(S)))};
    check_tile<Descriptor, S>(d, true, size, Rows, depth, first, Rows - first);
    check_tile<Descriptor, S>(Descriptor{k_major_bits<S, Rows>(kBase)}.m64(first / 64), true, size, Rows, depth, first,
                              64);
  }
  const Descriptor whole{k_major_bits<S, Rows>(kBase)};
  check_tile<Descriptor, S>(whole, true, size, Rows, depth, 0, Rows);
}

template <Swizzle S, class T, int Depth>
void check_mn_major(int rows) {
  using Descriptor = SmemDescriptor<T, Major::kMn, S, Depth>;
  const Descriptor whole{mn_major_bits<S, Depth>(kBase)};
  check_tile<Descriptor, S>(whole, false, 2, rows, Depth, 0, rows);
  for (int first = 0; first + 64 <= rows; first += 64)
    check_tile<Descriptor, S>(whole.m64(first / 64), false, 2, rows, Depth, first, 64);
}

template <Swizzle S>
void check_all() {
  check_k_major<S, bf16, 64>(64);
  check_k_major<S, bf16, 8>(64);
  check_k_major<S, bf16, 24>(128);
  check_k_major<S, f16, 96>(32 < swizzle_span(S) / 2 ? swizzle_span(S) / 2 : 32);
  check_k_major<S, bf16, 256>(128);
  check_k_major<S, bf16, 192>(256);
  check_k_major<S, uint8_t, 128>(256);
  check_k_major<S, float, 64>(64);
  const int wide = swizzle_span(S) / 2;
  for (int boxes : {1, 2, 3, 4}) {
    check_mn_major<S, bf16, 16>(wide * boxes);
    check_mn_major<S, bf16, 64>(wide * boxes);
    check_mn_major<S, f16, 32>(wide * boxes);
    check_mn_major<S, bf16, 128>(wide * boxes);
  }
}

template <Swizzle S, class T, int Rows>
void check_case(const nlohmann::json& c) {
  const int depth = c["k"];
  SmemDescriptor<T, Major::kK, S, Rows> d{k_major_bits<S, Rows>(0)};
  int step = 0;
  for (const auto& want : c["descriptors"]) {
    const Fields f = fields_of(d.advance_k(step++).bits);
    CHECK(f.start == want["start"]);
    CHECK(f.leading == want["lbo"]);
    CHECK(f.stride == want["sbo"]);
    CHECK(f.mode == want["mode"]);
    CHECK(f.base_offset == want["base_offset"]);
  }
  int wrong = 0;
  for (int i = 0; i < Rows; ++i) {
    for (int k = 0; k < depth; ++k) {
      wrong += slab_address<S>(true, sizeof(T), Rows, depth, i, k) !=
               c["offset"][static_cast<size_t>(i)][static_cast<size_t>(k)].template get<uint32_t>();
    }
  }
  CHECK(wrong == 0);
}

template <class T, int Rows>
void check_case_of_type(const nlohmann::json& c) {
  switch (c["swizzle"].get<int>()) {
    case 128:
      return check_case<Swizzle::k128B, T, Rows>(c);
    case 64:
      return check_case<Swizzle::k64B, T, Rows>(c);
    case 32:
      return check_case<Swizzle::k32B, T, Rows>(c);
    default:
      return check_case<Swizzle::kNone, T, Rows>(c);
  }
}

}  // namespace

TEST_CASE("descriptors: the reading used here reproduces every element of CuTe's tiles") {
  const auto& cases = oracle("wgmma_smem")["cases"];
  CHECK(cases.size() == 16);
  for (const auto& c : cases) {
    const int size = size_of(c["type"]), step = 32 / size;
    const bool k_major = c["major"] == "K";
    int wrong = 0;
    for (uint32_t i = 0; i < c["mn"]; ++i) {
      for (uint32_t k = 0; k < c["k"]; ++k) {
        const auto& d = c["descriptors"][k / static_cast<uint32_t>(step)];
        const Fields f{d["start"], d["lbo"], d["sbo"], d["base_offset"], d["mode"]};
        wrong += address_of(f, k_major, size, i, k % static_cast<uint32_t>(step)) != c["offset"][i][k];
      }
    }
    CHECK_MESSAGE(wrong == 0, c["type"], c["major"], c["swizzle"]);
  }
}

TEST_CASE("descriptors: K-major tiles and every step of them are CuTe's") {
  int seen = 0;
  for (const auto& c : oracle("wgmma_smem")["cases"]) {
    if (c["major"] != "K") continue;
    ++seen;
    if (c["type"] == "bf16" && c["mn"] == 64) check_case_of_type<bf16, 64>(c);
    if (c["type"] == "bf16" && c["mn"] == 128) check_case_of_type<bf16, 128>(c);
    if (c["type"] == "f8e4m3") check_case_of_type<uint8_t, 64>(c);
    if (c["type"] == "tf32") check_case_of_type<float, 64>(c);
  }
  CHECK(seen == 9);
}

TEST_CASE("descriptors: every element of a tile of TMA boxes is found, in each major, swizzle and size") {
  check_all<Swizzle::kNone>();
  check_all<Swizzle::k32B>();
  check_all<Swizzle::k64B>();
  check_all<Swizzle::k128B>();
}

TEST_CASE("descriptors: MN-major strides at 128B") {
  const Fields f = fields_of(mn_major_bits<Swizzle::k128B, 64>(1024));
  CHECK(f.start == 1024);
  CHECK(f.leading == 64 * 128);
  CHECK(f.stride == 1024);
  CHECK(f.mode == 1);
  CHECK(SmemDescriptor<bf16, Major::kMn, Swizzle::k128B, 64>::step_offset(1) == 2048);
}

TEST_CASE("swizzle: a permutation within each period that keeps 16-byte chunks whole") {
  const auto check = [](auto tag) {
    constexpr Swizzle s = decltype(tag)::value;
    std::vector<int> hits(8192);
    for (uint32_t a = 0; a < 8192; ++a) {
      const uint32_t b = swizzled<s>(a);
      CHECK(b % 16 == a % 16);
      CHECK(b / swizzle_span(s) == a / swizzle_span(s));
      REQUIRE(b < 8192);
      ++hits[b];
      CHECK(swizzled<s>(a + swizzle_period(s)) == b + static_cast<uint32_t>(swizzle_period(s)));
    }
    for (int h : hits) CHECK(h == 1);
  };
  check(std::integral_constant<Swizzle, Swizzle::kNone>());
  check(std::integral_constant<Swizzle, Swizzle::k32B>());
  check(std::integral_constant<Swizzle, Swizzle::k64B>());
  check(std::integral_constant<Swizzle, Swizzle::k128B>());
}
