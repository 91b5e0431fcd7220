#pragma once

// Marks the declaration of a function that lanes execute together: the compiler makes no copies of a call that depend
// on a condition, so that all lanes call at one address, and merges no two calls, so that two places stay two. If a
// compiler lacks the attributes, the emulator compares places of the source instead (may_be_same_place).
#ifdef __clang__
#define PALLASGEN_CONVERGENT __attribute__((convergent, nomerge))
#else
#define PALLASGEN_CONVERGENT
#endif
