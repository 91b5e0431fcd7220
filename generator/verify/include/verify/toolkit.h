#pragma once

#include <string>

namespace pallasgen {

// Empty where it is not set.
std::string environment_value(const char* name);

// The CUDA Toolkit is in CUDAToolkit_ROOT and nowhere else where that is set; else in CUDA_HOME, CUDA_PATH, beside the
// nvcc of PATH, or in the usual place.

// Its include folder; empty: there is none.
std::string toolkit_include();
// One of its programs, of PATH first where CUDAToolkit_ROOT is not set; empty: there is none.
std::string toolkit_program(const std::string& name);

}  // namespace pallasgen
