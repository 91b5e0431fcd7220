#pragma once
#include <cuda_runtime_api.h>

#include <tuple>
#include <type_traits>

namespace pallasgen::emulator {

/// A kernel with its arguments bound: `invoke(arguments)` runs it as one thread.
struct KernelCall {
  const void* function;         // the kernel's address, which determines its name in reports
  void (*invoke)(const void*);  // calls the kernel with copies of the arguments
  const void* arguments;
  size_t bytes;  // size of the arguments
};

/// Runs the grid to its end before it returns. Fails like cudaLaunchKernelExC on a bad shape (see
/// runtime/emulator/src/launch.cpp); a kernel that breaks a rule ends the process (see report.h).
cudaError_t launch(const cudaLaunchConfig_t& config, const KernelCall& call);

}  // namespace pallasgen::emulator

// The toolkit's template of this name drops the types of the arguments; this one keeps them, and is more constrained,
// so that overload resolution prefers it.
template <class... Parameters, class... Arguments>
  requires(sizeof...(Parameters) == sizeof...(Arguments))
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                                      Arguments&&... arguments) {
  struct Bound {
    void (*kernel)(Parameters...);
    std::tuple<std::remove_cv_t<Parameters>...> arguments;
  };
  static_assert((std::is_trivially_copyable_v<std::remove_cv_t<Parameters>> && ...));
  const Bound bound{kernel, {static_cast<Parameters>(arguments)...}};
  const auto invoke = [](const void* p) {
    const Bound& call = *static_cast<const Bound*>(p);
    std::apply(call.kernel, call.arguments);
  };
  return pallasgen::emulator::launch(*config, {reinterpret_cast<const void*>(kernel), invoke, &bound, sizeof bound});
}
