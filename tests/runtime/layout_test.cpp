#include <pallasgen/fragment.cuh>
#include <pallasgen/layout.cuh>
#include <vector>

#include "oracle.h"

using namespace pallasgen;

namespace {

template <class L>
int elements() {
  int n = 1;
  for (int d = 0; d < L::kRank; ++d) n *= L::dim(d);
  return n;
}

// Returns the row-major number of element e of thread t.
template <class L>
int number_of(int t, int e) {
  const auto place = L::place(t, e);
  int n = 0;
  for (int d = 0; d < L::kRank; ++d) {
    REQUIRE(place.at[d] >= 0);
    REQUIRE(place.at[d] < L::dim(d));
    n = n * L::dim(d) + place.at[d];
  }
  return n;
}

// Checks that each element is held `copies` times.
template <class L>
void check_cover(int copies) {
  std::vector<int> held(static_cast<size_t>(elements<L>()));
  for (int t = 0; t < L::kThreads; ++t) {
    for (int e = 0; e < L::size; ++e) {
      if (L::contains(t, e)) ++held[static_cast<size_t>(number_of<L>(t, e))];
    }
  }
  int wrong = 0;
  for (int h : held) wrong += h != copies;
  CHECK(wrong == 0);
}

template <class L>
void check_against(const char* name) {
  const auto& table = oracle("wgmma_fragments")[name];
  REQUIRE(table["threads"] == L::kThreads);
  REQUIRE(table["values"] == L::size);
  int wrong = 0;
  for (int t = 0; t < L::kThreads; ++t) {
    for (int e = 0; e < L::size; ++e) {
      const auto& want = table["coord"][static_cast<size_t>(t)][static_cast<size_t>(e)];
      const auto place = L::place(t, e);
      wrong += place.at[0] != want[0] || place.at[1] != want[1];
    }
  }
  CHECK(wrong == 0);
}

template <int Rows, int Cols>
void check_wgmma() {
  using L = WgmmaLayout<Rows, Cols>;
  using R = RowSlice<L>;
  using C = ColumnSlice<L>;
  CHECK(L::size * 128 == Rows * Cols);
  check_cover<L>(1);
  check_cover<R>(4);
  check_cover<C>(32);
  int wrong = 0;
  for (int t = 0; t < 128; ++t) {
    for (int e = 0; e < L::size; ++e) {
      wrong += R::place(t, L::row_slot(e)).at[0] != L::place(t, e).at[0];
      wrong += C::place(t, L::column_slot(e)).at[0] != L::place(t, e).at[1];
    }
  }
  CHECK(wrong == 0);
}

// Checks the columns from `first` on of a fragment whose elements hold their numbers.
template <int N, class L>
void check_columns(int axis) {
  for (int first = 0; first + N <= L::kColumns; first += 8) {
    Fragment<int, L> x;
    for (int e = 0; e < x.size; ++e) x[e] = e;
    const auto slice = x.template columns<N>(first);
    using S = typename decltype(slice)::Layout;
    for (int t : {0, 5, 77, 127}) {
      for (int e = 0; e < slice.size; ++e) {
        const auto from = L::place(t, slice[e]), to = S::place(t, e);
        CHECK(from.at[axis] == to.at[axis] + first);
        if (axis == 1) CHECK(from.at[0] == to.at[0]);
      }
    }
  }
}

template <int Threads, int Vector, int... Extents>
void check_strided() {
  using L = StridedLayout<Threads, Vector, Extents...>;
  check_cover<L>(1);
  const int total = (1 * ... * Extents);
  CHECK(L::size == (total + Threads * Vector - 1) / (Threads * Vector) * Vector);
  int wrong = 0;
  for (int t = 0; t < Threads; ++t) {
    for (int e = 0; e < L::size; ++e) {
      const int linear = (e / Vector * Threads + t) * Vector + e % Vector;
      wrong += L::contains(t, e) != (linear < total);
      if (linear < total) wrong += number_of<L>(t, e) != linear;
    }
  }
  CHECK(wrong == 0);
}

// Checks a matrix each of whose rows `Lanes` threads share.
template <class L, int Lanes>
void check_matrix() {
  constexpr int Threads = L::kThreads, Vector = L::kVector, Rows = L::kRows, Cols = L::kColumns;
  using R = RowSlice<L>;
  using C = ColumnSlice<L>;
  const int copies = Rows == 1 ? Threads / Lanes : 1;  // each group of lanes has the only row
  check_cover<L>(copies);
  check_cover<R>(Lanes * copies);
  check_cover<C>(Threads / Lanes);
  int wrong = 0;
  std::vector<int> row_owners(Rows), column_owners(Cols);
  for (int t = 0; t < Threads; ++t) {
    for (int e = 0; e < L::size; ++e) {
      const auto at = L::place(t, e);
      wrong += L::contains(t, e) != (at.at[0] < Rows && at.at[1] < Cols);
      wrong += R::place(t, L::row_slot(e)).at[0] != at.at[0] || C::place(t, L::column_slot(e)).at[0] != at.at[1];
      // A vector is consecutive in memory, and contained as a whole or not at all.
      const auto first = L::place(t, e / Vector * Vector);
      wrong += at.at[0] != first.at[0] || at.at[1] != first.at[1] + e % Vector;
      wrong += L::contains(t, e) != L::contains(t, e / Vector * Vector);
    }
    for (int e = 0; e < R::size; ++e) {
      if (R::contains(t, e) && is_owner<R>(t)) ++row_owners[static_cast<size_t>(R::place(t, e).at[0])];
    }
    for (int e = 0; e < C::size; ++e) {
      if (C::contains(t, e) && is_owner<C>(t)) ++column_owners[static_cast<size_t>(C::place(t, e).at[0])];
    }
  }
  for (int n : row_owners) wrong += n != 1;
  for (int n : column_owners) wrong += n != 1;
  CHECK(wrong == 0);
}

template <int Threads, int Lanes, int Vector, int Rows, int Cols>
void check_rows() {
  check_matrix<RowsLayout<Threads, Lanes, Vector, Rows, Cols>, Lanes>();
}
template <int Threads, int Across, int RowVector, int ColumnVector, int Rows, int Cols>
void check_blocks() {
  check_matrix<FmaLayout<Threads, Across, RowVector, ColumnVector, Rows, Cols>, Across>();
}

}  // namespace

TEST_CASE("layouts: rows of lanes, each element held once, each row and column stored once") {
  check_rows<32, 1, 1, 40, 3>();
  check_rows<32, 4, 4, 3, 16>();
  check_rows<128, 8, 4, 50, 36>();
  check_rows<128, 32, 4, 8, 256>();
  check_rows<256, 16, 1, 50, 13>();
  check_rows<128, 128, 4, 1, 3000>();
  check_rows<256, 128, 2, 3, 2050>();
  check_rows<512, 512, 8, 2, 9000>();
  check_rows<64, 32, 8, 1, 8>();
}

TEST_CASE("layouts: blocks of threads, each element held once, each row and column stored once") {
  check_blocks<32, 4, 1, 4, 16, 16>();
  check_blocks<64, 8, 1, 2, 33, 10>();
  check_blocks<96, 8, 4, 1, 52, 20>();
  check_blocks<256, 16, 4, 4, 128, 128>();
  check_blocks<256, 64, 1, 1, 20, 100>();
  check_blocks<384, 16, 1, 4, 96, 40>();
}

TEST_CASE("layouts: accumulators and A in registers are CuTe's") {
  check_against<WgmmaLayout<64, 8>>("d_64x8");
  check_against<WgmmaLayout<64, 64>>("d_64x64");
  check_against<WgmmaLayout<64, 96>>("d_64x96");
  check_against<WgmmaLayout<64, 16>>("a_64x16_16bit");
  check_against<WgmmaOperandLayout<64, 16, 2>>("a_64x16_16bit");
  check_against<WgmmaOperandLayout<64, 8, 4>>("a_64x8_tf32");
  check_against<WgmmaOperandLayout<64, 32, 1>>("a_64x32_8bit");
}

TEST_CASE("layouts: each element of a wgmma value has one thread, its slices agree") {
  check_wgmma<64, 8>();
  check_wgmma<64, 24>();
  check_wgmma<64, 256>();
  check_wgmma<128, 96>();
  check_wgmma<192, 40>();
  check_wgmma<256, 16>();
}

TEST_CASE("layouts: each element of operand A in registers has one thread") {
  check_cover<WgmmaOperandLayout<64, 64, 1>>(1);
  check_cover<WgmmaOperandLayout<128, 48, 2>>(1);
  check_cover<WgmmaOperandLayout<192, 8, 4>>(1);
}

TEST_CASE("layouts: columns of a fragment") {
  check_columns<16, WgmmaLayout<64, 256>>(1);
  check_columns<8, WgmmaLayout<128, 24>>(1);
  check_columns<64, WgmmaLayout<192, 192>>(1);
  check_columns<16, ColumnSlice<WgmmaLayout<128, 96>>>(0);
}

TEST_CASE("layouts: strided blocks of any rank, vector and remainder") {
  check_strided<128, 1>();
  check_strided<32, 1, 8>();
  check_strided<128, 4, 8>();
  check_strided<256, 8, 32, 256>();
  check_strided<128, 8, 64, 96>();
  check_strided<128, 8, 3, 8>();
  check_strided<128, 1, 3, 5, 7>();
  check_strided<32, 2, 5, 7, 6>();
  check_strided<96, 4, 10, 100>();
  check_strided<256, 4, 2, 3, 4, 5, 8>();
  check_strided<64, 1, 17, 13>();
  check_strided<128, 2, 1, 1, 1024>();
  check_strided<384, 1, 2, 2, 2, 2, 3, 50>();
  check_strided<32, 16, 1, 4096>();
  check_strided<32, 1, 5, 31>();  // a carry by one thread
  check_strided<32, 2, 4, 62>();
}

TEST_CASE("layouts: a group of threads may start at any warp") {
  // threadIdx.x % Threads numbers any Threads consecutive threads differently, which load and store rely on.
  for (int first = 0; first < 512; first += 32) {
    std::vector<int> seen(384);
    for (int x = first; x < first + 384; ++x) ++seen[static_cast<size_t>(x % 384)];
    for (int s : seen) CHECK(s == 1);
  }
}

TEST_CASE("fragments: parts are the accumulators of 64 rows each") {
  Fragment<float, WgmmaLayout<128, 96>> acc;
  for (int e = 0; e < acc.size; ++e) acc[e] = static_cast<float>(e);
  CHECK(acc.m64(0)[5] == 5.0f);
  CHECK(acc.m64(1)[5] == 53.0f);
  CHECK(sizeof(acc.m64(1)) == 48 * sizeof(float));
  fill(acc, 2.0f);
  for (int e = 0; e < acc.size; ++e) CHECK(acc[e] == 2.0f);
}

TEST_CASE("fragments: packing puts the first of two elements into the low half") {
  Fragment<float, WgmmaLayout<64, 16>> x;
  for (int e = 0; e < x.size; ++e) x[e] = static_cast<float>(e) + 0.001f;
  const auto b = pack_bf16(x);
  const auto h = pack_f16(x);
  for (int e = 0; e < x.size; ++e) {
    const uint32_t shift = e % 2 == 0 ? 0 : 16;
    CHECK((b.part[0][e / 2] >> shift & 0xffff) == __bfloat16_as_ushort(__float2bfloat16_rn(x[e])));
    CHECK((h.part[0][e / 2] >> shift & 0xffff) == __half_as_ushort(__float2half_rn(x[e])));
  }
  Fragment<bf16, WgmmaLayout<64, 16>> y;
  for (int e = 0; e < x.size; ++e) y[e] = __float2bfloat16_rn(x[e]);
  for (int i = 0; i < 4; ++i) CHECK(pack(y).part[0][i] == b.part[0][i]);
}

TEST_CASE("fragments: unpacked again, elements are what they were, in whole registers and past the last one") {
  Fragment<uint16_t, StridedLayout<32, 1, 96>> three;
  Fragment<int8_t, StridedLayout<32, 1, 224>> seven;
  for (int e = 0; e < three.size; ++e) three[e] = static_cast<uint16_t>(40000 + e);
  for (int e = 0; e < seven.size; ++e) seven[e] = static_cast<int8_t>(-3 + e);
  unpack_again(three);
  unpack_again(seven);
  for (int e = 0; e < three.size; ++e) CHECK(three[e] == 40000 + e);
  for (int e = 0; e < seven.size; ++e) CHECK(seven[e] == -3 + e);
}
