#include <pallasgen/emulator/instructions.h>

#include <cstring>

#include "current.h"
#include "poison.h"
#include "report.h"

// ldmatrix and stmatrix for 8 x 8 matrices of 16-bit elements (PTX ISA). Lane 8 i + r passes the address of row r of
// matrix i; lane l holds elements (l / 4, 2 (l % 4)) and the next one of each matrix, or with .trans those of its
// transpose.
namespace pallasgen::emulator {
namespace {

constexpr int kRows = 8;
constexpr size_t kRowBytes = 16;

struct Element {
  int row, column;
};

Element element(int lane, int half, bool transposed) {
  const Element held{lane / 4, 2 * (lane % 4) + half};
  return transposed ? Element{held.column, held.row} : held;
}

/// Row `row` of matrix `matrix`, accessed by the lane that passed its address.
char* row(Thread& last, const LaneValue (&values)[32], int matrix, int row, bool write, const char* what) {
  const int lane = matrix * kRows + row;
  const Thread& thread = last.cta->threads[static_cast<size_t>(last.index - last.lane + lane)];
  char* p = shared_place(*last.cta, values[lane].address, kRowBytes, kRowBytes, what).p;
  const void* pc = values[lane].pc;
  poison::check(p, kRowBytes, write, pc);
  const race::Accesses accesses(thread.agent.generic, pc);
  write ? accesses.write(p, kRowBytes) : accesses.read(p, kRowBytes);
  return p;
}

template <int Count, bool Transposed>
void store(Thread& last, LaneValue (&values)[32]) {
  for (int matrix = 0; matrix < Count; ++matrix) {
    char* rows[kRows];
    for (int r = 0; r < kRows; ++r) rows[r] = row(last, values, matrix, r, /*write=*/true, "stmatrix");
    for (int lane = 0; lane < kWarpSize; ++lane)
      for (int half = 0; half < 2; ++half) {
        const Element at = element(lane, half, Transposed);
        const uint16_t bits = static_cast<uint16_t>(values[lane].words[matrix] >> 16 * half);
        std::memcpy(rows[at.row] + 2 * at.column, &bits, sizeof bits);
      }
  }
}

template <int Count, bool Transposed>
void load(Thread& last, LaneValue (&values)[32]) {
  for (int matrix = 0; matrix < Count; ++matrix) {
    const char* rows[kRows];
    for (int r = 0; r < kRows; ++r) rows[r] = row(last, values, matrix, r, /*write=*/false, "ldmatrix");
    for (int lane = 0; lane < kWarpSize; ++lane) {
      uint32_t word = 0;
      for (int half = 0; half < 2; ++half) {
        const Element at = element(lane, half, Transposed);
        uint16_t bits;
        std::memcpy(&bits, rows[at.row] + 2 * at.column, sizeof bits);
        word |= static_cast<uint32_t>(bits) << 16 * half;
      }
      values[lane].words[matrix] = word;
    }
  }
}

struct Operation {
  const char* name;
  WarpExchanges::Execute execute;
};

Operation store_operation(int count, bool transposed) {
  switch (count) {
    case 1:
      return transposed ? Operation{"stmatrix.x1.trans", store<1, true>} : Operation{"stmatrix.x1", store<1, false>};
    case 2:
      return transposed ? Operation{"stmatrix.x2.trans", store<2, true>} : Operation{"stmatrix.x2", store<2, false>};
    default:
      return transposed ? Operation{"stmatrix.x4.trans", store<4, true>} : Operation{"stmatrix.x4", store<4, false>};
  }
}

Operation load_operation(int count, bool transposed) {
  switch (count) {
    case 1:
      return transposed ? Operation{"ldmatrix.x1.trans", load<1, true>} : Operation{"ldmatrix.x1", load<1, false>};
    case 2:
      return transposed ? Operation{"ldmatrix.x2.trans", load<2, true>} : Operation{"ldmatrix.x2", load<2, false>};
    default:
      return transposed ? Operation{"ldmatrix.x4.trans", load<4, true>} : Operation{"ldmatrix.x4", load<4, false>};
  }
}

}  // namespace

void stmatrix(uint32_t address, const uint32_t* registers, int count, bool transposed) {
  const void* pc = __builtin_return_address(0);
  Entry entry("stmatrix");
  LaneValue value{.address = address, .pc = pc};
  std::memcpy(value.words, registers, static_cast<size_t>(count) * sizeof *registers);
  const Operation operation = store_operation(count, transposed);
  entry.thread.warp->exchanges.meet(entry.thread, 0xffffffffu, operation.name, value, operation.execute);
}

void ldmatrix(uint32_t address, uint32_t* registers, int count, bool transposed) {
  const void* pc = __builtin_return_address(0);
  Entry entry("ldmatrix");
  const Operation operation = load_operation(count, transposed);
  const Met met = entry.thread.warp->exchanges.meet(entry.thread, 0xffffffffu, operation.name,
                                                    {.address = address, .pc = pc}, operation.execute);
  std::memcpy(registers, met.values[entry.thread.lane].words, static_cast<size_t>(count) * sizeof *registers);
}

}  // namespace pallasgen::emulator
