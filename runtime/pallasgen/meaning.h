#pragma once

// What a function of the runtime means to the protocol of a kernel, for `pallasgen vet`: a verb of docs/vet.md and the
// names of the parameters and template parameters that it is about. Compilers see nothing of it.
#ifdef PALLASGEN_VET
#define PALLASGEN_MEANS(meaning) [[clang::annotate("pallasgen::" meaning)]]
#else
#define PALLASGEN_MEANS(meaning)
#endif
