#pragma once

// Stands before the declaration of what lanes execute together: the compiler makes no copies of the call that depend on
// a condition, so that all lanes still call at one address, and merges no two calls, so that two places keep two. Where
// a compiler does not know the attributes, the emulator compares the places of the source (may_be_same_place).
#ifdef __clang__
#define PALLASGEN_CONVERGENT __attribute__((convergent, nomerge))
#else
#define PALLASGEN_CONVERGENT
#endif
