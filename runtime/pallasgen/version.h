#pragma once

#if __cplusplus < 202002L
#error "The headers of pallasgen need C++20: compile with -std=c++20."
#endif

namespace pallasgen {

// Raised when generated code and these headers stop fitting together; generated code asserts the one it was made for.
inline constexpr int kRuntimeVersion = 1;

}  // namespace pallasgen
