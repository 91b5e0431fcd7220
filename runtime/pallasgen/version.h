#pragma once

#if __cplusplus < 202002L
#error "The headers of pallasgen need C++20: compile with -std=c++20."
#endif

namespace pallasgen {

// Raised when generated code and these headers stop matching; generated code asserts its version.
inline constexpr int kRuntimeVersion = 1;

}  // namespace pallasgen
