#pragma once

// Stands before the declaration of what lanes execute together: the compiler makes no copies of the call that depend on
// a condition, so that all lanes still call at one address. Where a compiler does not know the attribute, the emulator
// compares the places of the source (may_be_same_place).
#ifdef __clang__
#define PALLASGEN_CONVERGENT __attribute__((convergent))
#else
#define PALLASGEN_CONVERGENT
#endif
