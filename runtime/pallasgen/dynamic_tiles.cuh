#pragma once
#include <pallasgen/atomic.cuh>
#include <pallasgen/barrier.cuh>
#include <pallasgen/meaning.h>
#include <pallasgen/ring.cuh>
#include <pallasgen/tiles.cuh>

// Tiles that are assigned as CTAs get free. Order is one of tiles.cuh and maps places to tiles. The first place of a
// CTA is its number, the others come from a counter in global memory that is 0 before the launch. A CTA is done when it
// takes a place beyond the last tile. Places stay below 2^32: there are less than 2^31 tiles, and fewer CTAs.
namespace pallasgen {

PALLASGEN_MEANS("place")
__device__ __forceinline__ uint32_t take_place(uint32_t* counter) {
  return gridDim.x + ptx::atom_add_global_u32<MemoryOrder::kRelaxed, MemoryScope::kDevice>(counter, 1);
}

// Passes places from the thread that takes them to the warps of its CTA that work on the tiles. A slot of `full` waits
// for one arrival, one of `empty` for an arrival of each warp.
struct TileQueue {
  static constexpr int kSlots = 2;
  Barrier full[kSlots];
  Barrier empty[kSlots];
  uint32_t places[kSlots];

  // Called by the one thread that takes places.
  __device__ __forceinline__ void put(const Ring<kSlots>& ring, uint32_t place) {
    empty[ring.slot].wait(ring.phase ^ 1);  // all warps have read the slot; at first this passes at once
    places[ring.slot] = place;
    full[ring.slot].arrive();
  }

  // Called by all threads of each warp.
  __device__ __forceinline__ uint32_t get(const Ring<kSlots>& ring) {
    full[ring.slot].wait(ring.phase);
    const uint32_t place = place_in(ring.slot);
    __syncwarp();
    if (threadIdx.x % 32 == 0) empty[ring.slot].arrive();
    return place;
  }

 private:
  PALLASGEN_MEANS("place")
  __device__ __forceinline__ uint32_t place_in(int slot) const { return places[slot]; }
};

// State with which a role goes over the queue's tiles. The thread that takes them has the counter, others null.
template <class Order>
struct QueuedTiles : Order {
  template <class... Counts>
  __device__ __forceinline__ QueuedTiles(TileQueue& queue, uint32_t* counter, Counts... counts)
      : Order(counts...), queue_(queue), counter_(counter) {}

 protected:
  // Goes on to the tile at this place.
  __device__ __forceinline__ void follow(uint32_t place) {
    ring_.advance();
    this->go_to(place);
  }

  TileQueue& queue_;
  uint32_t* counter_;
  Ring<TileQueue::kSlots> ring_;
};

// The tiles of a role that is one thread: it takes them and passes them to the other roles.
template <class Order>
struct TileGiver : QueuedTiles<Order> {
  template <class... Counts>
  __device__ __forceinline__ TileGiver(TileQueue& queue, uint32_t* counter, Counts... counts)
      : QueuedTiles<Order>(queue, counter, counts...) {}

  __device__ __forceinline__ void next() {
    const uint32_t place = take_place(this->counter_);
    this->queue_.put(this->ring_, place);
    this->follow(place);
  }
};

// The tiles of a role of whole warps, which get them from the queue. One of its threads may be the one that takes them.
template <class Order>
struct TileTaker : QueuedTiles<Order> {
  template <class... Counts>
  __device__ __forceinline__ TileTaker(TileQueue& queue, uint32_t* counter, Counts... counts)
      : QueuedTiles<Order>(queue, counter, counts...) {}
  template <class... Counts>
  __device__ __forceinline__ TileTaker(TileQueue& queue, Counts... counts)
      : QueuedTiles<Order>(queue, static_cast<uint32_t*>(nullptr), counts...) {}

  __device__ __forceinline__ void next() {
    if (this->counter_) this->queue_.put(this->ring_, take_place(this->counter_));
    this->follow(this->queue_.get(this->ring_));
  }
};

// The tiles of a CTA whose threads all go from one to the next together. `slot` is a word of shared memory.
template <class Order>
struct TilesOfCta : Order {
  template <class... Counts>
  __device__ __forceinline__ TilesOfCta(uint32_t& slot, uint32_t* counter, Counts... counts)
      : Order(counts...), slot_(slot), counter_(counter) {}

  __device__ __forceinline__ void next() {
    if (threadIdx.x == 0) slot_ = take_place(counter_);
    __syncthreads();
    this->go_to(slot_);
    __syncthreads();  // all have read it: the word is free
  }

 private:
  uint32_t& slot_;
  uint32_t* counter_;
};

}  // namespace pallasgen
