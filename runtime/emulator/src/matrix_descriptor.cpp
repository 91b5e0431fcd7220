#include "matrix_descriptor.h"

#include <cstring>

#include "cta.h"
#include "poison.h"
#include "report.h"
#include "tensor_map.h"

namespace pallasgen::emulator {
namespace {

constexpr int kCore = 8;  // rows of a core matrix; elements of 16 bits in 16 bytes
constexpr uint32_t kChunkBytes = 16;
constexpr uint32_t kAddressMask = 0x3ffff;
constexpr uint64_t kReserved = 0x3ff1'c000'c000'c000u;  // bits 14-15, 30-31, 46-48 and 52-61

struct Descriptor {
  uint32_t start, lbo, sbo, span, base_offset;
};

/// The pattern of a swizzle starts with the tile's first row. Unless that is a multiple of 8 spans, the base offset
/// must be the difference.
void check_base_offset(const Descriptor& d, const char* what) {
  if (d.span == 0) {
    if (d.base_offset != 0) rule_broken("%s: base offset %u without a swizzle", what, d.base_offset);
    return;
  }
  const uint32_t first_row = d.start & ~(d.span - 1), phases = swizzle_phases(d.span);
  const long place = static_cast<long>(first_row) - SharedMemory::kBase;
  if (first_row % 128 != 0 && first_row % (8 * d.span) != 0)
    rule_broken("%s: the first row lies at %+ld, which for a swizzle of %u bytes must be a multiple of %u", what, place,
                d.span, 8 * d.span);
  const uint32_t needed = first_row >> 7 & phases;
  if (needed != (d.base_offset & phases))
    rule_broken(
        "%s: the tile's first row lies at %+ld and its swizzle repeats after %u bytes: the base offset must be %u, not "
        "%u",
        what, place, 8 * d.span, needed, d.base_offset);
}

Descriptor decode(uint64_t bits, const char* what) {
  if ((bits & kReserved) != 0)
    rule_broken("%s: reserved bits of the matrix descriptor 0x%016llx are set", what,
                static_cast<unsigned long long>(bits));
  const auto field = [&](int shift) { return static_cast<uint32_t>(bits >> shift & 0x3fff) << 4; };
  constexpr uint32_t spans[] = {0, 128, 64, 32};
  const Descriptor d{field(0), field(16), field(32), spans[bits >> 62], static_cast<uint32_t>(bits >> 49 & 7)};
  check_base_offset(d, what);
  return d;
}

/// The 16 bytes that hold the elements from the one at (i, k) on along the contiguous dimension.
uint32_t chunk_address(const Descriptor& d, bool mn_major, int i, int k, int element_bytes) {
  const uint32_t row = d.span == 0 ? kChunkBytes : d.span;  // bytes between neighbours across the contiguous dimension
  const auto u = [](int x) { return static_cast<uint32_t>(x); };
  uint32_t offset;
  if (!mn_major) {
    const int chunk = k * element_bytes / static_cast<int>(kChunkBytes);
    offset = u(i % kCore) * row + u(i / kCore) * d.sbo + u(chunk) * (d.span == 0 ? d.lbo : kChunkBytes);
  } else if (d.span != 0) {
    const int width = static_cast<int>(d.span) / 2;
    offset = u(i % width) * 2 + u(i / width) * d.lbo + u(k % kCore) * row + u(k / kCore) * d.sbo;
  } else {
    offset = u(i / kCore) * d.sbo + u(k % kCore) * kChunkBytes + u(k / kCore) * d.lbo;
  }
  return swizzled((d.start + offset) & kAddressMask, d.span, d.base_offset);
}

using Chunk = uint16_t __attribute__((vector_size(16)));

/// The transpose of an 8 x 8 block.
void transpose(const Chunk (&rows)[kCore], Chunk (&columns)[kCore]) {
#define PALLASGEN_LOW(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define PALLASGEN_HIGH(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
  Chunk pairs[kCore], quads[kCore];
  for (int i = 0; i < 4; ++i) {
    pairs[2 * i] = PALLASGEN_LOW(rows[i], rows[i + 4]);
    pairs[2 * i + 1] = PALLASGEN_HIGH(rows[i], rows[i + 4]);
  }
  for (int i = 0; i < 4; ++i) {
    quads[2 * i] = PALLASGEN_LOW(pairs[i], pairs[i + 4]);
    quads[2 * i + 1] = PALLASGEN_HIGH(pairs[i], pairs[i + 4]);
  }
  for (int i = 0; i < 4; ++i) {
    columns[2 * i] = PALLASGEN_LOW(quads[i], quads[i + 4]);
    columns[2 * i + 1] = PALLASGEN_HIGH(quads[i], quads[i + 4]);
  }
#undef PALLASGEN_LOW
#undef PALLASGEN_HIGH
}

/// Reads 16-bit elements of either major.
template <class Load>
void read_pairs(const OperandTile& tile, int first, int end, uint16_t* out, Load load) {
  constexpr int depth = 16;
  const auto store = [&](int i, int k, const Chunk& chunk) {
    std::memcpy(out + k * tile.extent + i, &chunk, sizeof chunk);
  };
  for (int i = first; i < end; i += kCore) {
    if (tile.mn_major) {
      for (int k = 0; k < depth; ++k) {
        Chunk chunk;
        load(i, k, &chunk);
        store(i, k, chunk);
      }
      continue;
    }
    for (int k = 0; k < depth; k += kCore) {
      Chunk rows[kCore], columns[kCore];
      for (int r = 0; r < kCore; ++r) load(i + r, k, &rows[r]);
      transpose(rows, columns);
      for (int c = 0; c < kCore; ++c) store(i, k + c, columns[c]);
    }
  }
}

/// Reads elements of other sizes, which are always K-major.
template <class T, class Load>
void read_elements(const OperandTile& tile, int first, int end, T* out, Load load) {
  constexpr int count = kChunkBytes / sizeof(T);
  for (int i = first; i < end; ++i)
    for (int k = 0; k < 2 * count; k += count) {
      T chunk[count];
      load(i, k, chunk);
      for (int e = 0; e < count; ++e) out[(k + e) * tile.extent + i] = chunk[e];
    }
}

}  // namespace

void read_operand(const Cta& cta, const OperandTile& tile, int first, int end, void* out, race::Context context,
                  const void* pc) {
  const Descriptor d = decode(tile.descriptor, tile.name);
  const char* memory = cta.shared.data();
  const size_t size = cta.shared.bytes();
  const race::Accesses accesses(context, pc);
  const auto load = [&](int i, int k, void* to) {
    const uint32_t address = chunk_address(d, tile.mn_major, i, k, tile.element_bytes);
    if (address < SharedMemory::kBase || address - SharedMemory::kBase + kChunkBytes > size)
      rule_broken("%s: element (%d, %d) of the operand lies at %+ld, outside the %zu bytes of shared memory", tile.name,
                  i, k, static_cast<long>(address) - SharedMemory::kBase, size);
    const char* p = memory + (address - SharedMemory::kBase);
    poison::check(p, kChunkBytes, /*write=*/false, pc);
    accesses.read(p, kChunkBytes);
    std::memcpy(to, p, kChunkBytes);
  };
  switch (tile.element_bytes) {
    case 1:
      return read_elements(tile, first, end, static_cast<uint8_t*>(out), load);
    case 4:
      return read_elements(tile, first, end, static_cast<uint32_t*>(out), load);
    default:
      read_pairs(tile, first, end, static_cast<uint16_t*>(out), load);
  }
}

}  // namespace pallasgen::emulator
