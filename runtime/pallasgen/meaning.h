#pragma once

// States the meaning of a runtime function in the protocol of a kernel, for `pallasgen vet`: a verb of docs/vet.md and
// the names of the parameters and template parameters that it applies to. Other compilations see nothing of it.
#ifdef PALLASGEN_VET
#define PALLASGEN_MEANS(meaning) [[clang::annotate("pallasgen::" meaning)]]
#else
#define PALLASGEN_MEANS(meaning)
#endif
