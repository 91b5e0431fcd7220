#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <pallasgen/ptx/sreg.cuh>

// Maps the elements of a value to the threads that hold it together. A layout defines, for thread `t` of its group and
// element `e` of that thread's array: place(t, e), its coordinates, outermost first; contains(t, e), whether there is
// such an element at all. It also defines kRank, dim(d), the threads in a group, and the shape of the array: kParts
// parts, one per instruction, of kPartSize. If lanes share rows, a row consists of runs of kRun neighbours, which are
// consecutive elements of one thread: run i of lane l is the (i * kLanes + l)-th. All indices fold to constants in
// unrolled loops.
namespace pallasgen {

// Coordinates in a value of rank R.
template <int R>
struct Place {
  int at[R > 0 ? R : 1];
};

// The accumulator of wgmma m64nNk.. stacked Rows / 64 times: Rows x Cols over a warpgroup (PTX ISA, "wgmma", figure of
// the fragment of matrix D). Neighbouring elements 2 i and 2 i + 1 are neighbours in a row.
template <int Rows, int Cols>
struct WgmmaLayout {
  static_assert(Rows % 64 == 0 && Cols % 8 == 0);
  static constexpr int kRank = 2, kRows = Rows, kColumns = Cols;
  static constexpr int kThreads = 128, kLanes = 4, kVector = 1, kRun = 2;
  static constexpr int kThreadRows = Rows / 32;
  static constexpr int kParts = Rows / 64, kPartSize = Cols / 2, size = kParts * kPartSize;

  // The layout of N of its columns.
  template <int N>
  using Columns = WgmmaLayout<Rows, N>;

  __host__ __device__ static constexpr int dim(int d) { return d == 0 ? Rows : Cols; }
  __host__ __device__ static constexpr Place<2> place(int t, int e) {
    const int v = e % kPartSize;
    return {{e / kPartSize * 64 + t / 32 * 16 + t % 32 / 4 + v / 2 % 2 * 8, v / 4 * 8 + t % 4 * 2 + v % 2}};
  }
  __host__ __device__ static constexpr bool contains(int, int) { return true; }

  // The element of RowSlice<WgmmaLayout> in the row of element e, and of ColumnSlice in its column.
  __host__ __device__ static constexpr int row_slot(int e) { return e / kPartSize * 2 + e % kPartSize / 2 % 2; }
  __host__ __device__ static constexpr int column_slot(int e) { return e % kPartSize / 4 * 2 + e % 2; }
};

// Operand A of wgmma in registers, with elements of Bytes bytes (PTX ISA, "wgmma", figures of the fragments of matrix
// A): Rows x Depth over a warpgroup. An instruction takes a part, 64 rows and 32 bytes of k in four registers; k is
// fastest. For 2 bytes a part is a WgmmaLayout<64, 16>.
template <int Rows, int Depth, int Bytes>
struct WgmmaOperandLayout {
  static constexpr int kStep = 32 / Bytes;  // elements of k in one instruction
  static_assert(Rows % 64 == 0 && Depth % kStep == 0);
  static constexpr int kRank = 2, kRows = Rows, kColumns = Depth;
  static constexpr int kThreads = 128, kVector = 1;
  static constexpr int kSteps = Depth / kStep;
  static constexpr int kParts = Rows / 64 * kSteps, kPartSize = 16 / Bytes, size = kParts * kPartSize;

  __host__ __device__ static constexpr int dim(int d) { return d == 0 ? Rows : Depth; }
  __host__ __device__ static constexpr Place<2> place(int t, int e) {
    const int p = e / kPartSize, r = e % kPartSize * Bytes / 4;
    return {{p / kSteps * 64 + t / 32 * 16 + t % 32 / 4 + r % 2 * 8,
             p % kSteps * kStep + (r / 2 * 16 + t % 4 * 4) / Bytes + e % (4 / Bytes)}};
  }
  __host__ __device__ static constexpr bool contains(int, int) { return true; }
};

// A value of shape [rows] that goes with values of layout L: each thread holds the elements of its rows.
template <class L>
struct RowSlice;

template <int Rows, int Cols>
struct RowSlice<WgmmaLayout<Rows, Cols>> {
  static constexpr int kRank = 1, kThreads = 128, kVector = 1;
  static constexpr int kParts = 1, kPartSize = Rows / 32, size = kPartSize;

  __host__ __device__ static constexpr int dim(int) { return Rows; }
  __host__ __device__ static constexpr Place<1> place(int t, int e) {
    return {{e / 2 * 64 + t / 32 * 16 + t % 32 / 4 + e % 2 * 8}};
  }
  __host__ __device__ static constexpr bool contains(int, int) { return true; }
  __host__ __device__ static constexpr bool owns(int t) { return t % 4 == 0; }
};

// A value of shape [columns] that goes with values of layout L: each thread holds the elements of its columns.
template <class L>
struct ColumnSlice;

template <int Rows, int Cols>
struct ColumnSlice<WgmmaLayout<Rows, Cols>> {
  static constexpr int kRank = 1, kColumns = Cols, kThreads = 128, kVector = 1;
  static constexpr int kParts = 1, kPartSize = Cols / 4, size = kPartSize;

  template <int N>
  using Columns = ColumnSlice<WgmmaLayout<Rows, N>>;

  __host__ __device__ static constexpr int dim(int) { return Cols; }
  __host__ __device__ static constexpr Place<1> place(int t, int e) { return {{e / 2 * 8 + t % 4 * 2 + e % 2}}; }
  __host__ __device__ static constexpr bool contains(int, int) { return true; }
  __host__ __device__ static constexpr bool owns(int t) { return t < 4; }
};

// The d-th of a list of extents, 1 past its end.
template <int... Extents>
__host__ __device__ constexpr int extent_of(int d) {
  int extent = 1, i = 0;
  ((extent = i++ == d ? Extents : extent), ...);
  return extent;
}

// A block of any rank over Threads threads, row-major: vector i of thread t is the (i * Threads + t)-th run of Vector
// consecutive elements, so that neighbours load neighbouring vectors. If the size of the block is no multiple of
// Threads * Vector, elements past its end are not contained.
template <int Threads, int Vector, int... Extents>
struct StridedLayout {
  static constexpr int kRank = sizeof...(Extents), kThreads = Threads, kVector = Vector;
  static constexpr int kTotal = (1 * ... * Extents);
  static constexpr int kRound = Threads * Vector;
  static constexpr int kParts = 1, kPartSize = (kTotal + kRound - 1) / kRound * Vector, size = kPartSize;

  static_assert(Vector >= 1 && kTotal >= 1 && (Vector == 1 || extent_of<Extents...>(kRank - 1) % Vector == 0));

  __host__ __device__ static constexpr int dim(int d) { return extent_of<Extents...>(d); }

  // The element's place in the row-major block.
  __host__ __device__ static constexpr int linear(int t, int e) {
    return e / Vector * kRound + t * Vector + e % Vector;
  }

  __host__ __device__ static constexpr bool contains(int t, int e) {
    return (e / Vector + 1) * kRound <= kTotal || linear(t, e) < kTotal;
  }

  // The place is the sum of a part that depends only on e and one that depends only on t. They are divided apart if no
  // carry can pass between them, so that the compiler divides constants, and the thread's part once.
  __host__ __device__ static constexpr Place<kRank> place(int t, int e) {
    Place<kRank> p{};
    int fixed = e / Vector * kRound, moving = t * Vector, moving_end = kRound, inner = kTotal;
    for (int d = 0; d < kRank; ++d) {
      inner /= dim(d);
      const int over = fixed % inner;
      if (over + moving_end <= inner) {
        p.at[d] = fixed / inner;
        fixed = over;
      } else if (over == 0) {
        p.at[d] = fixed / inner + moving / inner;
        moving %= inner;
        moving_end = inner;
        fixed = 0;
      } else {
        p.at[d] = (fixed + moving) / inner;
        moving = (fixed + moving) % inner;
        moving_end = inner;
        fixed = 0;
      }
    }
    if (kRank > 0) p.at[kRank > 0 ? kRank - 1 : 0] += e % Vector;
    return p;
  }
};

// A matrix over Threads threads. A row belongs to Lanes neighbouring threads, a power of two: run i of lane l is the (i
// * Lanes + l)-th run of Vector consecutive columns. The Threads / Lanes groups of lanes take rows round robin; a
// matrix of one row is in each group, and the first one stores it. Elements past the last row or column are not
// contained.
template <int Threads, int Lanes, int Vector, int Rows, int Cols>
struct RowsLayout {
  static constexpr int kRank = 2, kRows = Rows, kColumns = Cols;
  static constexpr int kThreads = Threads, kLanes = Lanes, kVector = Vector, kRun = Vector;
  static constexpr int kGroups = Threads / Lanes, kRound = Lanes * Vector;
  static constexpr int kThreadRows = (Rows + kGroups - 1) / kGroups;
  static constexpr int kThreadColumns = (Cols + kRound - 1) / kRound * Vector;
  static constexpr int kParts = 1, kPartSize = kThreadRows * kThreadColumns, size = kPartSize;

  static_assert((Lanes & (Lanes - 1)) == 0 && Threads % Lanes == 0 && Threads % 32 == 0 && Cols % Vector == 0);

  __host__ __device__ static constexpr int dim(int d) { return d == 0 ? Rows : Cols; }

  // The element of RowSlice<RowsLayout> in the row of element e, and of ColumnSlice in its column.
  __host__ __device__ static constexpr int row_slot(int e) { return e / kThreadColumns; }
  __host__ __device__ static constexpr int column_slot(int e) { return e % kThreadColumns; }

  // Rows and columns by slot. contains_row and contains_column are constants if the answer is the same for all threads.
  __host__ __device__ static constexpr int row(int t, int slot) { return Rows == 1 ? 0 : slot * kGroups + t / Lanes; }
  __host__ __device__ static constexpr int column(int t, int slot) {
    return slot / Vector * kRound + t % Lanes * Vector + slot % Vector;
  }
  __host__ __device__ static constexpr bool contains_row(int t, int slot) {
    return Rows == 1 || (slot + 1) * kGroups <= Rows || row(t, slot) < Rows;
  }
  __host__ __device__ static constexpr bool contains_column(int t, int slot) {
    return (slot / Vector + 1) * kRound <= Cols || column(t, slot) < Cols;
  }
  __host__ __device__ static constexpr bool owns(int t) { return Rows > 1 || t < Lanes; }

  __host__ __device__ static constexpr Place<2> place(int t, int e) {
    return {{row(t, row_slot(e)), column(t, column_slot(e))}};
  }
  __host__ __device__ static constexpr bool contains(int t, int e) {
    return contains_row(t, row_slot(e)) && contains_column(t, column_slot(e));
  }
};

template <int Threads, int Lanes, int Vector, int Rows, int Cols>
struct RowSlice<RowsLayout<Threads, Lanes, Vector, Rows, Cols>> {
  using Block = RowsLayout<Threads, Lanes, Vector, Rows, Cols>;
  static constexpr int kRank = 1, kThreads = Threads, kVector = 1;
  static constexpr int kParts = 1, kPartSize = Block::kThreadRows, size = kPartSize;

  __host__ __device__ static constexpr int dim(int) { return Rows; }
  __host__ __device__ static constexpr Place<1> place(int t, int e) { return {{Block::row(t, e)}}; }
  __host__ __device__ static constexpr bool contains(int t, int e) { return Block::contains_row(t, e); }
  __host__ __device__ static constexpr bool owns(int t) { return t % Lanes == 0 && Block::owns(t); }
};

template <int Threads, int Lanes, int Vector, int Rows, int Cols>
struct ColumnSlice<RowsLayout<Threads, Lanes, Vector, Rows, Cols>> {
  using Block = RowsLayout<Threads, Lanes, Vector, Rows, Cols>;
  static constexpr int kRank = 1, kThreads = Threads, kVector = Vector;
  static constexpr int kParts = 1, kPartSize = Block::kThreadColumns, size = kPartSize;

  __host__ __device__ static constexpr int dim(int) { return Cols; }
  __host__ __device__ static constexpr Place<1> place(int t, int e) { return {{Block::column(t, e)}}; }
  __host__ __device__ static constexpr bool contains(int t, int e) { return Block::contains_column(t, e); }
  __host__ __device__ static constexpr bool owns(int t) { return t / Lanes == 0; }
};

// A matrix over Threads threads, each of which multiplies a block of it (fma.cuh): Across threads share each row, the
// threads below one another share the columns. A warp is up to 8 threads wide, the rest of it below. Run i of a
// thread's columns is the (i * Across + x)-th run of ColumnVector columns, where x is beside(t); rows are likewise
// divided by below(t). Elements past the last row or column are not contained.
template <int Threads, int Across, int RowVector, int ColumnVector, int Rows, int Cols>
struct FmaLayout {
  static constexpr int kRank = 2, kRows = Rows, kColumns = Cols;
  static constexpr int kThreads = Threads, kVector = ColumnVector, kRowVector = RowVector;
  static constexpr int kLanesAcross = Across < 8 ? Across : 8, kLanesDown = 32 / kLanesAcross;
  static constexpr int kWarpsAcross = Across / kLanesAcross;
  static constexpr int kLanes = Across;  // threads that share a row: neighbours if they are at most 8
  static constexpr int kRowRound = Threads / Across * RowVector, kColumnRound = Across * ColumnVector;
  static constexpr int kThreadRows = (Rows + kRowRound - 1) / kRowRound * RowVector;
  static constexpr int kThreadColumns = (Cols + kColumnRound - 1) / kColumnRound * ColumnVector;
  static constexpr int kParts = 1, kPartSize = kThreadRows * kThreadColumns, size = kPartSize;

  static_assert((Across & (Across - 1)) == 0 && Threads % 32 == 0 && Threads / 32 % kWarpsAcross == 0);
  static_assert(Rows % RowVector == 0 && Cols % ColumnVector == 0);

  __host__ __device__ static constexpr int dim(int d) { return d == 0 ? Rows : Cols; }

  // The element of RowSlice<FmaLayout> in the row of element e, and of ColumnSlice in its column.
  __host__ __device__ static constexpr int row_slot(int e) { return e / kThreadColumns; }
  __host__ __device__ static constexpr int column_slot(int e) { return e % kThreadColumns; }

  // The thread's place across, among those that share its rows, and down, among those that share its columns.
  __host__ __device__ static constexpr int beside(int t) {
    return t / 32 % kWarpsAcross * kLanesAcross + t % kLanesAcross;
  }
  __host__ __device__ static constexpr int below(int t) {
    return t / 32 / kWarpsAcross * kLanesDown + t % 32 / kLanesAcross;
  }

  // Rows and columns by slot. contains_row and contains_column are constants if the answer is the same for all threads.
  __host__ __device__ static constexpr int row(int t, int slot) {
    return slot / RowVector * kRowRound + below(t) * RowVector + slot % RowVector;
  }
  __host__ __device__ static constexpr int column(int t, int slot) {
    return slot / ColumnVector * kColumnRound + beside(t) * ColumnVector + slot % ColumnVector;
  }
  __host__ __device__ static constexpr bool contains_row(int t, int slot) {
    return (slot / RowVector + 1) * kRowRound <= Rows || row(t, slot) < Rows;
  }
  __host__ __device__ static constexpr bool contains_column(int t, int slot) {
    return (slot / ColumnVector + 1) * kColumnRound <= Cols || column(t, slot) < Cols;
  }

  __host__ __device__ static constexpr Place<2> place(int t, int e) {
    return {{row(t, row_slot(e)), column(t, column_slot(e))}};
  }
  __host__ __device__ static constexpr bool contains(int t, int e) {
    return contains_row(t, row_slot(e)) && contains_column(t, column_slot(e));
  }
};

template <int Threads, int Across, int RowVector, int ColumnVector, int Rows, int Cols>
struct RowSlice<FmaLayout<Threads, Across, RowVector, ColumnVector, Rows, Cols>> {
  using Block = FmaLayout<Threads, Across, RowVector, ColumnVector, Rows, Cols>;
  static constexpr int kRank = 1, kThreads = Threads, kVector = RowVector;
  static constexpr int kParts = 1, kPartSize = Block::kThreadRows, size = kPartSize;

  __host__ __device__ static constexpr int dim(int) { return Rows; }
  __host__ __device__ static constexpr Place<1> place(int t, int e) { return {{Block::row(t, e)}}; }
  __host__ __device__ static constexpr bool contains(int t, int e) { return Block::contains_row(t, e); }
  __host__ __device__ static constexpr bool owns(int t) { return Block::beside(t) == 0; }
};

template <int Threads, int Across, int RowVector, int ColumnVector, int Rows, int Cols>
struct ColumnSlice<FmaLayout<Threads, Across, RowVector, ColumnVector, Rows, Cols>> {
  using Block = FmaLayout<Threads, Across, RowVector, ColumnVector, Rows, Cols>;
  static constexpr int kRank = 1, kThreads = Threads, kVector = ColumnVector;
  static constexpr int kParts = 1, kPartSize = Block::kThreadColumns, size = kPartSize;

  __host__ __device__ static constexpr int dim(int) { return Cols; }
  __host__ __device__ static constexpr Place<1> place(int t, int e) { return {{Block::column(t, e)}}; }
  __host__ __device__ static constexpr bool contains(int t, int e) { return Block::contains_column(t, e); }
  __host__ __device__ static constexpr bool owns(int t) { return Block::below(t) == 0; }
};

// True if thread t stores its elements: of several threads that hold the same, the first one if the layout says so.
template <class L>
__host__ __device__ constexpr bool is_owner(int t) {
  if constexpr (requires { L::owns(t); })
    return L::owns(t);
  else
    return true;
}

// Layout L over all threads of a cluster of Ctas CTAs, a power of two: those of its first CTA come first.
template <int Ctas, class L>
struct OfCluster : L {
  static constexpr int kCtas = Ctas;
  static_assert((Ctas & (Ctas - 1)) == 0 && L::kThreads % (32 * Ctas) == 0);
};
template <int Ctas, class L>
struct RowSlice<OfCluster<Ctas, L>> : OfCluster<Ctas, RowSlice<L>> {};
template <int Ctas, class L>
struct ColumnSlice<OfCluster<Ctas, L>> : OfCluster<Ctas, ColumnSlice<L>> {};

// The thread's number in a group that starts at a multiple of 32: any Threads threads in a row have different ones.
template <int Threads>
__device__ __forceinline__ int thread_of_group() {
  return static_cast<int>(threadIdx.x % static_cast<unsigned>(Threads));
}

// The number of threads of layout L in one CTA.
template <class L>
inline constexpr int kThreadsOfCta = L::kThreads;
template <class L>
  requires(L::kCtas > 0)
inline constexpr int kThreadsOfCta<L> = L::kThreads / L::kCtas;

// The thread's number among those of layout L.
template <class L>
__device__ __forceinline__ int thread_of() {
  return static_cast<int>(threadIdx.x % static_cast<unsigned>(L::kThreads));
}
template <class L>
  requires(L::kCtas > 0)
__device__ __forceinline__ int thread_of() {
  constexpr int kOfCta = kThreadsOfCta<L>;
  return static_cast<int>(ptx::cluster_ctarank() % L::kCtas) * kOfCta + thread_of_group<kOfCta>();
}

}  // namespace pallasgen
