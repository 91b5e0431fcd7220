#pragma once

#include <string>

namespace pallasgen {

// The variable's value; empty if it is not set.
std::string environment_value(const char* name);

// The CUDA Toolkit is searched only in CUDAToolkit_ROOT if that is set; otherwise in CUDA_HOME, in CUDA_PATH, around
// the nvcc in PATH, and in /usr/local/cuda.

// The toolkit's include folder; empty if there is none.
std::string toolkit_include();
// A program of the toolkit, from PATH first if CUDAToolkit_ROOT is not set; empty if there is none.
std::string toolkit_program(const std::string& name);

}  // namespace pallasgen
