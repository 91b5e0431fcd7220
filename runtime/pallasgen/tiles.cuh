#pragma once
#include <cuda_runtime.h>

#include <cstdint>

// The order in which CTAs take the tiles of the output. All counts multiply to less than 2^31 (launch checks it).
namespace pallasgen {

// The axis along which a strip is measured.
enum class Along : uint8_t { kM, kN };

struct TileIndex {
  int m;
  int n;
};

// The tile at place t of the strip order, 0 <= t < tiles_m * tiles_n: strips of Width tiles along one axis, each walked
// along the other axis, back and forth from strip to strip, so that concurrent CTAs share operands in the L2 cache.
template <int Width, Along A = Along::kM>
__host__ __device__ constexpr TileIndex strip_tile(int t, int tiles_m, int tiles_n) {
  const int across = A == Along::kM ? tiles_m : tiles_n;
  const int along = A == Along::kM ? tiles_n : tiles_m;
  const int strip_size = (across < Width ? across : Width) * along;  // no more than all tiles, so it fits
  const int strip = t / strip_size;
  const int place = t - strip * strip_size;
  const int first = strip * Width;
  const int width = across - first < Width ? across - first : Width;
  const int step = place / width;
  const int i = first + (place - step * width);
  const int j = strip % 2 == 0 ? step : along - 1 - step;
  return A == Along::kM ? TileIndex{i, j} : TileIndex{j, i};
}

// Every gridDim.x-th tile of the strip order, starting with blockIdx.x.
template <int Width, Along A = Along::kM>
struct StripTiles {
  int m = 0;
  int n = 0;

  __device__ __forceinline__ StripTiles(int tiles_m, int tiles_n) : tiles_m_(tiles_m), tiles_n_(tiles_n) {
    go_to(blockIdx.x);
  }

  __device__ __forceinline__ bool valid() const { return place_ < static_cast<uint32_t>(tiles_m_ * tiles_n_); }

  // Goes on to the next tile of this CTA.
  __device__ __forceinline__ void next() { go_to(place_ + gridDim.x); }

  // Goes on to the tile at this place of the order; to none if the order is shorter.
  __device__ __forceinline__ void go_to(uint32_t place) {
    place_ = place;
    if (!valid()) return;
    const TileIndex tile = strip_tile<Width, A>(static_cast<int>(place_), tiles_m_, tiles_n_);
    m = tile.m;
    n = tile.n;
  }

 private:
  uint32_t place_ = 0;  // unsigned, so that the step past the last tile does not overflow
  int tiles_m_;
  int tiles_n_;
};

// The one tile of this CTA, number blockIdx.x of the strip order.
template <int Width = 1, Along A = Along::kM>
struct OneTilePerCta {
  int m = 0;
  int n = 0;

  __device__ __forceinline__ OneTilePerCta(int tiles_m, int tiles_n)
      : done_(static_cast<int>(blockIdx.x) >= tiles_m * tiles_n) {
    if (done_) return;
    const TileIndex tile = strip_tile<Width, A>(static_cast<int>(blockIdx.x), tiles_m, tiles_n);
    m = tile.m;
    n = tile.n;
  }

  __device__ __forceinline__ bool valid() const { return !done_; }
  __device__ __forceinline__ void next() { done_ = true; }

 private:
  bool done_;
};

// Parts of the order of OrderedTiles, outermost first: an axis, an axis from its end, or groups of Width along an axis,
// within which a later part orders the axis itself.
template <int D>
struct AxisInOrder {};
template <int D>
struct AxisReversed {};
template <int D, int Width>
struct AxisGroups {};

// The tile at a place of the order of Parts, outermost first, in which each axis occurs once besides its groups.
// `index` holds the number of tiles along each axis, and afterwards the tile. The last group of an axis may be smaller.
template <int Rank, class... Parts>
struct TileDecoder {
  int place;
  int (&index)[Rank];
  int first[Rank] = {};  // first tile of each axis in the chosen group

  __host__ __device__ constexpr TileDecoder(int at, int (&counts)[Rank]) : place(at), index(counts) {
    (decode(Parts{}), ...);
  }

 private:
  // The number of tiles for each tile of the axis, within the groups chosen so far; an axis that is decoded counts as
  // one.
  __host__ __device__ constexpr int others(int axis) const {
    int product = 1;
    for (int d = 0; d < Rank; ++d) product *= d == axis || found_[d] ? 1 : index[d];
    return product;
  }
  template <int D, int Width>
  __host__ __device__ constexpr void decode(AxisGroups<D, Width>) {
    const int group = (index[D] < Width ? index[D] : Width) * others(D), number = place / group;
    place -= number * group;
    first[D] += number * Width;
    const int left = index[D] - number * Width;
    index[D] = left < Width ? left : Width;
  }
  template <int D>
  __host__ __device__ constexpr void decode(AxisInOrder<D>) {
    const int inner = others(D), number = place / inner;
    place -= number * inner;
    found_[D] = true;
    index[D] = first[D] + number;
  }
  template <int D>
  __host__ __device__ constexpr void decode(AxisReversed<D>) {
    const int last = first[D] + index[D] - 1;
    decode(AxisInOrder<D>{});
    index[D] = first[D] + last - index[D];
  }

  bool found_[Rank] = {};
};

// The tile of a CTA in a grid of any rank: tile[0], tile[1], ... by axis. Derived classes find it at `place_`.
template <int Rank>
struct GridTiles {
  static_assert(Rank >= 1);

  // The number of tiles along each axis, outermost first.
  template <class... Counts>
  __device__ __forceinline__ explicit GridTiles(Counts... counts) : counts_{static_cast<int>(counts)...} {
    static_assert(sizeof...(Counts) == Rank);
#pragma unroll
    for (int d = 0; d < Rank; ++d) total_ *= static_cast<uint32_t>(counts_[d]);
  }

  __device__ __forceinline__ int operator[](int d) const { return index_[d]; }
  __device__ __forceinline__ bool valid() const { return place_ < total_; }

 protected:
  uint32_t place_ = 0;  // unsigned, so that the step past the last tile does not overflow
  uint32_t total_ = 1;
  int counts_[Rank];
  int index_[Rank] = {};
};

// One tile of each round of gridDim.x in the order of Parts. CTAs take the tiles of a round in their order, those of
// the next round backwards, which balances work that decreases from tile to tile. With a CTA for each tile it is the
// plain grid.
template <int Rank, class... Parts>
struct OrderedTiles : GridTiles<Rank> {
  template <class... Counts>
  __device__ __forceinline__ explicit OrderedTiles(Counts... counts) : GridTiles<Rank>(counts...) {
    go_to(blockIdx.x);
  }

  // Goes on to the next tile of this CTA.
  __device__ __forceinline__ void next() {
    round_ += gridDim.x;
    backwards_ = !backwards_;
    go_to(round_ + (backwards_ ? gridDim.x - 1 - blockIdx.x : blockIdx.x));
  }

  // Goes on to the tile at this place of the order; to none if the order is shorter.
  __device__ __forceinline__ void go_to(uint32_t place) {
    this->place_ = place;
    if (!this->valid()) return;
#pragma unroll
    for (int d = 0; d < Rank; ++d) this->index_[d] = this->counts_[d];
    TileDecoder<Rank, Parts...>(static_cast<int>(this->place_), this->index_);
  }

 private:
  uint32_t round_ = 0;  // its first place
  bool backwards_ = false;
};

// Every gridDim.x-th tile, starting with blockIdx.x, the last axis fastest. With a CTA for each tile it is the plain
// grid. The Ctas of a cluster have the same tiles; of the Programs of a CTA, each has a row of its threads, numbered by
// threadIdx.y, and tiles of its own.
template <int Rank, int Ctas = 1, int Programs = 1>
struct RowMajorTiles : GridTiles<Rank> {
  static_assert(Ctas == 1 || Programs == 1);

  template <class... Counts>
  __device__ __forceinline__ explicit RowMajorTiles(Counts... counts) : GridTiles<Rank>(counts...) {
    if constexpr (Programs > 1)
      go_to(blockIdx.x * Programs + threadIdx.y);
    else
      go_to(blockIdx.x / Ctas);
  }

  // Goes on to the next tile of this CTA.
  __device__ __forceinline__ void next() { go_to(this->place_ + gridDim.x / Ctas * Programs); }

  // Goes on to the tile at this place of the order; to none if the order is shorter.
  __device__ __forceinline__ void go_to(uint32_t place) {
    this->place_ = place;
    if (!this->valid()) return;
    int rest = static_cast<int>(this->place_);
#pragma unroll
    for (int d = Rank - 1; d > 0; --d) {
      const int outer = rest / this->counts_[d];
      this->index_[d] = rest - outer * this->counts_[d];
      rest = outer;
    }
    this->index_[0] = rest;
  }
};

}  // namespace pallasgen
