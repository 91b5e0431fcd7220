#include <pallasgen/emulator/instructions.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "copy.h"
#include "current.h"
#include "element.h"
#include "global_memory.h"
#include "poison.h"
#include "report.h"
#include "tensor_box.h"

// TMA copies of boxes (PTX ISA, "cp.async.bulk.tensor" and "cp.reduce.async.bulk.tensor", tile mode).
namespace pallasgen::emulator {
namespace {

constexpr size_t kSharedAlignment = 128;
constexpr size_t kChunk = 16;

using Coordinates = std::array<int, kMaxTensorRank>;

/// Returns where the box begins, innermost first. The hardware reports an illegal instruction (seen on an H100;
/// NVIDIA's documents do not mention the first case) for a box that begins within 16 bytes of a row, and for a store
/// that begins before the array.
Coordinates checked_coordinates(const TensorMapFields& map, const int* coordinates, bool stores, const char* what) {
  const int64_t byte =
      int64_t{coordinates[0]} * static_cast<int64_t>(element_bytes(static_cast<CUtensorMapDataType>(map.type)));
  if (byte % static_cast<int64_t>(kChunk) != 0)
    rule_broken("%s: the box begins at byte %lld of a row, which is no multiple of 16", what,
                static_cast<long long>(byte));
  Coordinates result{};
  for (int d = 0; d < map.rank; ++d) {
    if (stores && coordinates[d] < 0)
      rule_broken("%s: the box begins at %d along dim %d, before the array", what, coordinates[d], map.rank - 1 - d);
    result[static_cast<size_t>(d)] = coordinates[d];
  }
  return result;
}

TensorMapFields checked_map(const void* map, int rank, const char* what) {
  const TensorMapFields fields = decode_tensor_map(map, what);
  if (fields.rank != rank) rule_broken("%s: the tensor map has rank %d, the copy %d", what, fields.rank, rank);
  check_modelled(fields, what);
  return fields;
}

/// The 16 bytes of the box at `offset`, in the shared memory of `cta` where the box starts at `start`.
char* chunk(const Cta& cta, size_t start, size_t offset, uint32_t span) {
  const uint32_t address = SharedMemory::kBase + static_cast<uint32_t>(start + offset);
  return cta.shared.data() + (swizzled(address, span) - SharedMemory::kBase);
}

/// Rounds the elements to 10 bits of mantissa, ties to even, as a load of type TFLOAT32 does.
void round_to_tf32(char* elements, size_t bytes) {
  constexpr uint32_t kExponent = 0x7f80'0000, kDropped = 0x1fff;
  for (size_t at = 0; at < bytes; at += sizeof(uint32_t)) {
    uint32_t bits;
    std::memcpy(&bits, elements + at, sizeof bits);
    if ((bits & kExponent) == kExponent) continue;  // infinities and NaNs stay as they are
    bits += (kDropped >> 1) + (bits >> 13 & 1);
    bits &= ~kDropped;
    std::memcpy(elements + at, &bits, sizeof bits);
  }
}

unsigned char nan_byte(CUtensorMapDataType type, size_t byte) {
  // The quiet NaN with all other bits clear; for 16-bit types all bits set.
  const size_t size = element_bytes(type);
  if (size == 2) return byte % 2 == 1 ? 0x7f : 0xff;
  return byte % size == size - 1 ? 0x7f : byte % size == size - 2 ? (size == 4 ? 0xc0 : 0xf8) : 0;
}

/// A load into the shared memory of one CTA. A multicast is one for each CTA; each completes by itself.
class TensorLoad : public Copy {
 public:
  TensorLoad(Thread& thread, const void* pc, const TensorMapFields& map, const Coordinates& coordinates,
             const SharedPlace& target, const Completed& completed)
      : Copy(thread, "TMA load", pc), map_(map), coordinates_(coordinates), target_(target), completed_(completed) {}

  bool advance() override {
    const size_t bytes = box_bytes(map_);
    const uint32_t span = swizzle_span(static_cast<CUtensorMapSwizzle>(map_.swizzle));
    // Global memory is read through the async proxy, after a proxy fence when the kernel wrote it.
    const race::Context reads = context(race::Space::kGlobal);
    if (reads != nullptr)
      for_each_row(map_, coordinates_,
                   [&](const BoxRow& part) { race::Accesses(reads, pc_).read(part.global, part.bytes); });
    write_shared(target_.p, bytes);
    std::vector<char> row(map_.box[0] * element_bytes(static_cast<CUtensorMapDataType>(map_.type)));
    for_each_row(map_, coordinates_, [&](const BoxRow& part) {
      check_global(part.global, part.bytes, name_);
      poison::check(part.global, part.bytes, /*write=*/false, pc_);
      fill(row);
      if (part.bytes != 0) std::memcpy(row.data() + part.skipped, part.global, part.bytes);
      if (map_.type == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32) round_to_tf32(row.data() + part.skipped, part.bytes);
      for (size_t at = 0; at < row.size(); at += kChunk)
        std::memcpy(chunk(*target_.cta, target_.offset, part.shared_offset + at, span), row.data() + at, kChunk);
    });
    completed_.cta->mbarriers.complete_bytes(completed_.offset, static_cast<uint32_t>(bytes), completed_.phase,
                                             finished());
    race::release(finished(), target_.cta->end);
    return true;
  }

  bool uses_shared_memory_of(const Cta& cta) const override { return target_.cta == &cta || completed_.cta == &cta; }

 private:
  void fill(std::vector<char>& row) const {
    if (!map_.fill_nan) {
      std::fill(row.begin(), row.end(), 0);
      return;
    }
    for (size_t i = 0; i < row.size(); ++i)
      row[i] = static_cast<char>(nan_byte(static_cast<CUtensorMapDataType>(map_.type), i));
  }

  const TensorMapFields map_;
  const Coordinates coordinates_;
  const SharedPlace target_;
  const Completed completed_;
};

class TensorStore : public Copy {
 public:
  TensorStore(Thread& thread, const void* pc, const TensorMapFields& map, const Coordinates& coordinates,
              const SharedPlace& source, TensorReduction reduction)
      : Copy(thread, reduction == TensorReduction::kNone ? "TMA store" : "TMA reduction", pc),
        map_(map),
        coordinates_(coordinates),
        source_(source),
        reduction_(reduction),
        group_(made(thread.bulk).add()) {}

  bool advance() override {
    if (!has_read_) {
      read();
      return false;
    }
    write();
    return true;
  }

  bool uses_shared_memory_of(const Cta& cta) const override { return !has_read_ && source_.cta == &cta; }

 private:
  void read() {
    box_.resize(box_bytes(map_));
    const uint32_t span = swizzle_span(static_cast<CUtensorMapSwizzle>(map_.swizzle));
    race::Accesses(context(race::Space::kShared), pc_).read(source_.p, box_.size());
    for (size_t at = 0; at < box_.size(); at += kChunk)
      std::memcpy(box_.data() + at, chunk(*source_.cta, source_.offset, at, span), kChunk);
    has_read_ = true;
    issuer_.bulk->has_read(group_, finished());
    race::release(finished(), source_.cta->end);
    execution().wake_for_copies(issuer_);
  }

  void write() {
    const race::Context own = context(race::Space::kGlobal);
    for_each_row(map_, coordinates_, [&](const BoxRow& part) {
      if (part.bytes == 0) return;
      check_global(part.global, part.bytes, name_);
      poison::check(part.global, part.bytes, /*write=*/true, pc_);
      const char* from = box_.data() + part.shared_offset + part.skipped;
      if (reduction_ == TensorReduction::kNone) {
        race::Accesses(own, pc_).write(part.global, part.bytes);
        std::memcpy(part.global, from, part.bytes);
      } else {
        race::Accesses(own, pc_).update(part.global, part.bytes);
        reduce(static_cast<CUtensorMapDataType>(map_.type), reduction_, part.global, from, part.bytes);
      }
    });
    issuer_.bulk->has_completed(group_, finished());
    race::release(finished(), source_.cta->end);
    execution().wake_for_copies(issuer_);
  }

  const TensorMapFields map_;
  const Coordinates coordinates_;
  const SharedPlace source_;
  const TensorReduction reduction_;
  const uint64_t group_;
  std::vector<char> box_;
  bool has_read_ = false;
};

}  // namespace

void tensor_load(uint32_t dst, const void* map, const int* coordinates, int rank, uint32_t bar, bool multicast,
                 uint16_t mask) {
  const void* pc = __builtin_return_address(0);
  Entry entry("TMA load");
  Thread& thread = entry.thread;
  const TensorMapFields fields = checked_map(map, rank, "TMA load");
  const uint64_t bytes = box_bytes(fields);
  std::vector<SharedPlace> targets;
  std::vector<Completed> completed;
  if (!multicast) {
    targets.push_back(shared_place(entry.cta(), dst, bytes, kSharedAlignment, "TMA load"));
    completed.push_back(completion_target(thread, bar, "TMA load"));
  } else {
    const size_t ctas = entry.cta().cluster.ctas.size();
    if (mask == 0 || mask >> ctas != 0) rule_broken("TMA load: mask 0x%x for a cluster of %zu CTAs", mask, ctas);
    for (uint32_t rank = 0; rank < ctas; ++rank) {
      if ((mask >> rank & 1) == 0) continue;
      targets.push_back(shared_place(entry.cta(), cluster_address(dst, rank), bytes, kSharedAlignment, "TMA load"));
      completed.push_back(completion_target(thread, cluster_address(bar, rank), "TMA load"));
    }
  }
  for (const SharedPlace& target : targets) poison::check(target.p, bytes, /*write=*/true, pc);
  const Coordinates at = checked_coordinates(fields, coordinates, /*stores=*/false, "TMA load");
  for (size_t i = 0; i < targets.size(); ++i)
    issue_copy(std::make_unique<TensorLoad>(thread, pc, fields, at, targets[i], completed[i]));
}

void tensor_store(const void* map, const int* coordinates, int rank, uint32_t src, TensorReduction reduction) {
  const void* pc = __builtin_return_address(0);
  Entry entry("TMA store");
  const TensorMapFields fields = checked_map(map, rank, "TMA store");
  const uint64_t bytes = box_bytes(fields);
  const SharedPlace source = shared_place(entry.cta(), src, bytes, kSharedAlignment, "TMA store");
  if (source.cta != &entry.cta()) rule_broken("TMA store: from the shared memory of another CTA");
  if (fields.type == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32) not_modelled("TMA store: a tensor map of type TFLOAT32");
  if (reduction != TensorReduction::kNone) check_reduction(static_cast<CUtensorMapDataType>(fields.type), reduction);
  poison::check(source.p, bytes, /*write=*/false, pc);
  const Coordinates at = checked_coordinates(fields, coordinates, /*stores=*/true, "TMA store");
  issue_copy(std::make_unique<TensorStore>(entry.thread, pc, fields, at, source, reduction));
}

void prefetch_tensormap(const void* map) {
  Entry entry("prefetch.tensormap");
  decode_tensor_map(map, "prefetch.tensormap");
}

}  // namespace pallasgen::emulator
