#include <cstddef>
#include <cstdint>

#include "targets.h"

// libFuzzer's entry: PALLASGEN_FUZZ_TARGET is one function of targets.h.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  pallasgen::fuzz::PALLASGEN_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
