#pragma once

#include "draft.h"
#include "tile/program.h"

namespace pallasgen {

// How many CTAs an SM holds at once at the least: what `__launch_bounds__` asks ptxas for, which then gives a thread as
// few registers as that needs. By what the role's values and addresses take where most are alive, so that nothing is
// spilled; one CTA where there are several roles, which share registers out
// themselves, where a CTA is all that an SM gets, and where blocks of products, or what functions
// compute with, are in registers besides the values.
void choose_least_ctas(Draft& draft, const tile::Program& program);

// Bytes that an SM should have under way. On an H200, rows of which an SM copies 32 KB ahead take 8 % less where the
// 32 KB behind them are asked into L2 meanwhile; of 64 KB they take 20 % more.
inline constexpr int64_t kBytesUnderWay = 48 << 10;

// Whether too little is under way where each CTA has copies of so many bytes under way, all that it has shared memory
// for, of a program with layouts. False where nothing says how many CTAs share an SM.
bool leaves_memory_idle(const tile::Program& program, const Target& target, int64_t bytes);

}  // namespace pallasgen
