#pragma once

namespace pallasgen {

// Raised when generated code and these headers stop fitting together; generated code asserts the one it was made for.
inline constexpr int kRuntimeVersion = 1;

}  // namespace pallasgen
